//! A watch folder in memory: files by place and name, who holds which, and a
//! process that dies at the nth call.

mod contract;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::sync::{Arc, Mutex, PoisonError};

use tracker_domain::ports::{Drawer, Dropped, FilesError, FilesErrorKind, Held, WatchFolder};

pub use contract::watch_folder_contract;

/// The folder itself, in [`FakeWatchFolder::listing`].
const TOP: &str = "";
const CLAIMS: &str = "claimed";

/// A file: what is in it, when it was written, whether it may be read.
#[derive(Clone, Debug)]
struct FakeDropped {
    bytes: Vec<u8>,
    modified_ns: i64,
    readable: bool,
}

#[derive(Debug, Default)]
struct State {
    /// By place and name.
    files: BTreeMap<(&'static str, OsString), FakeDropped>,
    held: BTreeSet<(&'static str, OsString)>,
    written: i64,
    /// Every call fails.
    away: Option<FilesErrorKind>,
    /// So many calls succeed before the process is dead; `None` is for ever.
    calls_left: Option<u32>,
}

/// The port `WatchFolder` in memory. Clones share the folder.
#[derive(Clone, Debug, Default)]
pub struct FakeWatchFolder(Arc<Mutex<State>>);

impl FakeWatchFolder {
    /// An empty folder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a file into it, or writes it anew.
    pub fn put(&self, name: impl AsRef<OsStr>, bytes: &[u8]) {
        self.with(|state| {
            state.written += 1;
            let file =
                FakeDropped { bytes: bytes.to_vec(), modified_ns: state.written, readable: true };
            state.files.insert((TOP, name.as_ref().to_owned()), file);
        });
    }

    /// Whether a file in it may be read.
    pub fn readable(&self, name: impl AsRef<OsStr>, readable: bool) {
        self.with(|state| {
            if let Some(file) = state.files.get_mut(&(TOP, name.as_ref().to_owned())) {
                file.readable = readable;
            }
        });
    }

    /// The folder is not there, or cannot be written; `None` brings it back.
    pub fn away(&self, kind: Option<FilesErrorKind>) {
        self.with(|state| state.away = kind);
    }

    /// The process dies after so many more calls; `None` starts another one,
    /// which nobody's locks keep from anything.
    pub fn dies_after(&self, calls: Option<u32>) {
        self.with(|state| {
            state.calls_left = calls;
            state.held.clear();
        });
    }

    /// Every file: its place, a slash, and its name.
    #[must_use]
    pub fn listing(&self) -> Vec<String> {
        let path = |(place, name): &(&str, OsString)| {
            let name = name.to_string_lossy();
            if *place == TOP { name.into_owned() } else { format!("{place}/{name}") }
        };
        self.with(|state| state.files.keys().map(path).collect())
    }

    /// What is in a file of the listing.
    #[must_use]
    pub fn content(&self, path: &str) -> Option<Vec<u8>> {
        let (place, name) = path.rsplit_once('/').unwrap_or((TOP, path));
        self.with(|state| {
            let mut files = state.files.iter();
            let found = files.find(|((at, called), _)| *at == place && called == name);
            found.map(|(_, file)| file.bytes.clone())
        })
    }

    fn with<T>(&self, body: impl FnOnce(&mut State) -> T) -> T {
        body(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A call of the port: refused when the folder is away or the process dead.
    fn call<T>(
        &self,
        operation: &'static str,
        body: impl FnOnce(&mut State) -> Result<T, FilesError>,
    ) -> Result<T, FilesError> {
        self.with(|state| {
            if let Some(kind) = state.away {
                return Err(error(operation, kind));
            }
            match &mut state.calls_left {
                Some(0) => return Err(error(operation, FilesErrorKind::Io)),
                Some(left) => *left -= 1,
                None => {}
            }
            body(state)
        })
    }
}

fn error(operation: &'static str, kind: FilesErrorKind) -> FilesError {
    FilesError { operation, path: "/watch".to_owned(), errno: format!("{kind:?}"), kind }
}

impl WatchFolder for FakeWatchFolder {
    fn place(&self) -> String {
        "/watch".to_owned()
    }

    fn look(&self, wanted: &dyn Fn(&OsStr) -> bool) -> Result<Vec<Dropped>, FilesError> {
        self.call("open", |state| {
            let mut found: Vec<Dropped> = state
                .files
                .iter()
                .filter(|((place, name), _)| matches!(*place, TOP | CLAIMS) && wanted(name))
                .map(|((place, name), file)| Dropped {
                    name: name.clone(),
                    size_bytes: file.bytes.len() as u64,
                    modified_ns: file.modified_ns,
                    claimed: *place == CLAIMS,
                })
                .collect();
            found.sort_by_key(|file| (!file.claimed, file.modified_ns));
            Ok(found)
        })
    }

    fn open(&self, file: &Dropped, limit: usize) -> Result<Option<Box<dyn Held>>, FilesError> {
        let key = (if file.claimed { CLAIMS } else { TOP }, file.name.clone());
        self.call("open", |state| {
            let Some(found) = state.files.get(&key) else { return Ok(None) };
            if !found.readable {
                return Err(error("open", FilesErrorKind::Denied));
            }
            let bytes = found.bytes.iter().copied().take(limit + 1).collect();
            if !state.held.insert(key.clone()) {
                return Ok(None);
            }
            let held = FakeHeld { folder: self.clone(), key, bytes };
            Ok(Some(Box::new(held) as Box<dyn Held>))
        })
    }
}

struct FakeHeld {
    folder: FakeWatchFolder,
    key: (&'static str, OsString),
    bytes: Vec<u8>,
}

impl Held for FakeHeld {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn claim(&mut self) -> Result<bool, FilesError> {
        let from = self.key.clone();
        let to = (CLAIMS, from.1.clone());
        let claimed = self.folder.call("rename", |state| {
            if from == to {
                return Ok(true);
            }
            if state.files.contains_key(&to) {
                return Ok(false);
            }
            let Some(file) = state.files.remove(&from) else { return Ok(false) };
            state.files.insert(to.clone(), file);
            state.held.remove(&from);
            state.held.insert(to.clone());
            Ok(true)
        })?;
        if claimed {
            self.key = to;
        }
        Ok(claimed)
    }

    fn file_away(self: Box<Self>, drawer: Drawer<'_>) -> Result<String, FilesError> {
        let (place, reason) = match drawer {
            Drawer::Processed => ("processed", None),
            Drawer::Rejected(reason) => ("rejected", Some(reason)),
        };
        self.folder.call("rename", |state| {
            let name = (1_u32..)
                .map(|number| numbered(&self.key.1, number))
                .find(|name| !state.files.contains_key(&(place, name.clone())))
                .unwrap_or_default();
            let Some(file) = state.files.remove(&self.key) else {
                return Err(error("rename", FilesErrorKind::NotFound));
            };
            if let Some(reason) = reason {
                let mut beside = name.clone();
                beside.push(".reason.txt");
                let text = FakeDropped { bytes: reason.into(), ..file.clone() };
                state.files.insert((place, beside), text);
            }
            state.files.insert((place, name.clone()), file);
            Ok(format!("{place}/{}", name.display()))
        })
    }
}

impl Drop for FakeHeld {
    fn drop(&mut self) {
        self.folder.with(|state| state.held.remove(&self.key));
    }
}

fn numbered(name: &OsStr, number: u32) -> OsString {
    let text = name.to_string_lossy();
    match text.rsplit_once('.') {
        Some((stem, ending)) if number > 1 => format!("{stem} ({number}).{ending}").into(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_keeps_the_contract() {
        let fake = FakeWatchFolder::new();
        watch_folder_contract(&fake, &|name, bytes| fake.put(name, bytes), &|path| {
            fake.content(path)
        });
    }
}
