//! `.torrent` files of one small file that nobody has.

use tracker_domain::Torrent;

/// The version of a made-up torrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// SHA-1 only.
    V1,
    /// SHA-256 only.
    V2,
    /// Both.
    Hybrid,
}

/// The size of its file.
const SIZE: usize = 1000;

/// A torrent of one file; the name alone makes it what it is.
///
/// # Panics
/// Never for a name that a file can have.
#[must_use]
pub fn torrent(kind: Kind, name: &str) -> Torrent {
    let text = |value: &str| format!("{}:{value}", value.len());
    let tree = format!(
        "9:file treed{}d0:d6:lengthi{SIZE}e11:pieces root32:{}eee",
        text(name),
        "r".repeat(32)
    );
    let (v1, v2) = (kind != Kind::V2, kind != Kind::V1);
    // Keys of a dictionary are in byte order.
    let parts = [
        if v2 { tree } else { String::new() },
        if v1 { format!("6:lengthi{SIZE}e") } else { String::new() },
        if v2 { "12:meta versioni2e".to_owned() } else { String::new() },
        format!("4:name{}", text(name)),
        "12:piece lengthi16384e".to_owned(),
        if v1 { format!("6:pieces20:{}", "p".repeat(20)) } else { String::new() },
    ];
    let layers = if v2 { "12:piece layersde" } else { "" };
    let bytes = format!("d4:infod{}e{layers}e", parts.concat());
    Torrent::parse(bytes.as_bytes()).expect("the bencode above is a torrent")
}

/// A v1 torrent of two files that share its one piece: `one.mkv` and `two.mkv`.
///
/// # Panics
/// Never for a name that a folder can have.
#[must_use]
pub fn pack(name: &str) -> Torrent {
    let file = |name: &str| format!("d6:lengthi{SIZE}e4:pathl{}:{name}ee", name.len());
    let bytes = format!(
        "d4:infod5:filesl{}{}e4:name{}:{name}12:piece lengthi16384e6:pieces20:{}ee",
        file("one.mkv"),
        file("two.mkv"),
        name.len(),
        "p".repeat(20)
    );
    Torrent::parse(bytes.as_bytes()).expect("the bencode above is a torrent")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_hashes() {
        for (kind, v1, v2) in
            [(Kind::V1, true, false), (Kind::V2, false, true), (Kind::Hybrid, true, true)]
        {
            let torrent = torrent(kind, "Film.2020.mkv");
            assert_eq!(torrent.infohashes().v1().is_some(), v1);
            assert_eq!(torrent.infohashes().v2().is_some(), v2);
            assert_eq!((torrent.name(), torrent.size_bytes()), ("Film.2020.mkv", 1000));
        }
    }
}
