//! Which downloads a client is for.

use tracker_domain::library::LibraryKind;

use super::*;

#[test]
fn sizes_have_a_unit_and_limits_an_order() {
    spec!("configuration#every-section-is-accepted/limits-of-a-client");
    let client = |lines: &str| {
        let toml = format!("[[client]]\nname = \"a\"\nurl = \"http://127.0.0.1:1\"\n{lines}\n");
        Home::new(&toml).load().map(|loaded| loaded.config.clients[0].rule.clone())
    };
    let rule = client("kinds = [\"movie\", \"anime\"]\nmin_size = \"700MB\"\nmax_size = \"50GiB\"");
    let rule = rule.unwrap();
    assert_eq!(rule.kinds, [LibraryKind::Movie, LibraryKind::Anime]);
    let rule_of_library = client("libraries = [\"anime\", \"movies\"]").unwrap();
    assert_eq!(rule_of_library.libraries, ["anime", "movies"]);
    assert_eq!((rule.min_size, rule.max_size), (Some(700_000_000), Some(50 << 30)));
    for bad in [
        "min_size = \"50\"",
        "min_size = \"GiB\"",
        "min_size = \"1.5GiB\"",
        "max_size = \"99999999TiB\"",
        "kinds = [\"film\"]",
        "libraries = [\"no-such\"]",
        "min_size = \"2GB\"\nmax_size = \"1GB\"",
    ] {
        let told = client(bad).unwrap_err().to_string();
        let key = &bad[..bad.find(' ').unwrap()];
        assert!(told.contains(key), "{bad}: {told}");
    }
    for bytes in [0, 1, 1000, 1024, 700_000_000, 50 << 30, 1_000_000_000_000] {
        assert_eq!(values::size(&values::size_text(bytes)), Ok(bytes));
    }
}
