//! The contract that a watch folder in memory shares with one on a disk.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use tracker_domain::ports::{Drawer, Dropped, FilesError, Held, WatchFolder};

/// What a call that has to go well answers.
fn good<T>(answer: Result<T, FilesError>) -> T {
    answer.expect("the call goes well")
}

fn wanted(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b".torrent")
}

fn only(folder: &dyn WatchFolder) -> Dropped {
    let found = good(folder.look(&wanted));
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

fn open(folder: &dyn WatchFolder, file: &Dropped) -> Box<dyn Held> {
    good(folder.open(file, 100)).expect("nobody else has it")
}

/// What every implementation of [`WatchFolder`] has to do, shown in an empty
/// one. The port cannot drop a file, so the caller says how: `put(name, bytes)`;
/// `content(path)` is what stands below the folder.
///
/// # Panics
/// When the implementation breaks the contract.
pub fn watch_folder_contract(
    folder: &dyn WatchFolder,
    put: &dyn Fn(&OsStr, &[u8]),
    content: &dyn Fn(&str) -> Option<Vec<u8>>,
) {
    assert_eq!(good(folder.look(&wanted)), []);
    put(OsStr::new("notes.txt"), b"not wanted");
    put(OsStr::new("a.torrent"), b"first");
    let first = only(folder);
    assert_eq!((first.size_bytes, first.claimed), (5, false));

    // One at a time, and who lets go changes nothing.
    let held = open(folder, &first);
    assert_eq!(held.bytes(), b"first");
    assert!(good(folder.open(&first, 100)).is_none(), "somebody has it");
    drop(held);
    assert_eq!(only(folder), first);
    let short = good(folder.open(&first, 2)).expect("nobody else has it");
    assert_eq!(short.bytes(), b"fir", "one byte more than the limit");
    drop(short);

    // A claim outlives who made it.
    let mut held = open(folder, &first);
    assert!(good(held.claim()));
    assert!(good(held.claim()), "it is ours already");
    let claimed = only(folder);
    assert_eq!((claimed.claimed, &claimed.name), (true, &first.name));
    assert!(good(folder.open(&claimed, 100)).is_none(), "somebody has it");
    drop(held);
    assert!(good(folder.open(&first, 100)).is_none(), "it is not there any more");

    // Another file of its name waits until it is filed away.
    put(OsStr::new("a.torrent"), b"second");
    let both = good(folder.look(&wanted));
    let order: Vec<bool> = both.iter().map(|file| file.claimed).collect();
    assert_eq!(order, [true, false]);
    let mut second = open(folder, &both[1]);
    assert!(!good(second.claim()));
    drop(second);
    let held = open(folder, &both[0]);
    assert_eq!(held.bytes(), b"first");
    assert_eq!(good(held.file_away(Drawer::Processed)), "processed/a.torrent");
    assert_eq!(content("processed/a.torrent").as_deref(), Some(&b"first"[..]));

    // Names are never overwritten, in neither drawer.
    let mut second = open(folder, &only(folder));
    assert!(good(second.claim()));
    assert_eq!(good(second.file_away(Drawer::Processed)), "processed/a (2).torrent");
    assert_eq!(content("processed/a.torrent").as_deref(), Some(&b"first"[..]));
    for (number, place) in ["rejected/a.torrent", "rejected/a (2).torrent"].iter().enumerate() {
        put(OsStr::new("a.torrent"), number.to_string().as_bytes());
        let mut held = open(folder, &only(folder));
        assert!(good(held.claim()));
        let reason = format!("reason {number}");
        assert_eq!(good(held.file_away(Drawer::Rejected(&reason))), *place);
        assert_eq!(content(place).as_deref(), Some(number.to_string().as_bytes()));
        assert_eq!(content(&format!("{place}.reason.txt")).as_deref(), Some(reason.as_bytes()));
    }

    // Names of whatever bytes.
    let strange = OsString::from_vec(b"\xcf\xf0 \xd0\x96.torrent".to_vec());
    put(&strange, b"third");
    let third = only(folder);
    assert_eq!(third.name, strange);
    let mut held = open(folder, &third);
    assert!(good(held.claim()));
    good(held.file_away(Drawer::Processed));
    assert_eq!(good(folder.look(&wanted)), []);
    assert_eq!(content("notes.txt").as_deref(), Some(&b"not wanted"[..]));
}
