//! A backup target in memory, and the contract that it shares with real ones.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tracker_domain::ports::{BackupMark, BackupTarget, BackupTargetError, StoredBackup};
use tracker_domain::{BackupId, Timestamp};
use tracker_ident::derived;

/// Objects in memory, and what the next calls answer instead.
#[derive(Debug, Default)]
pub struct FakeBackupTarget {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    objects: BTreeMap<String, (BackupMark, Vec<u8>)>,
    refuses: Option<BackupTargetError>,
    loses_answers: bool,
}

impl FakeBackupTarget {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every call fails like this until it is taken back.
    pub fn refuse(&self, error: Option<BackupTargetError>) {
        self.state().refuses = error;
    }

    /// A put is carried out, and its answer lost.
    pub fn lose_answers(&self, lose: bool) {
        self.state().loses_answers = lose;
    }

    /// The names of the objects.
    #[must_use]
    pub fn objects(&self) -> Vec<String> {
        self.state().objects.keys().cloned().collect()
    }

    /// Puts an object there behind everybody's back.
    pub fn drop_in(&self, object: &str, mark: BackupMark, bytes: &[u8]) {
        self.state().objects.insert(object.to_owned(), (mark, bytes.to_vec()));
    }

    /// Takes an object away behind everybody's back.
    pub fn lose(&self, object: &str) -> Option<(BackupMark, Vec<u8>)> {
        self.state().objects.remove(object)
    }

    fn open(&self) -> Result<MutexGuard<'_, State>, BackupTargetError> {
        let state = self.state();
        match state.refuses.clone() {
            Some(error) => Err(error),
            None => Ok(state),
        }
    }
}

fn failed(error: &std::io::Error) -> BackupTargetError {
    BackupTargetError::Failed(error.to_string())
}

#[async_trait]
impl BackupTarget for FakeBackupTarget {
    fn place(&self) -> String {
        "fake://target".to_owned()
    }

    async fn put_new(
        &self,
        object: &str,
        mark: &BackupMark,
        file: &Path,
    ) -> Result<(), BackupTargetError> {
        let bytes = std::fs::read(file).map_err(|error| failed(&error))?;
        let mut state = self.open()?;
        if state.objects.contains_key(object) {
            return Err(BackupTargetError::Exists(object.to_owned()));
        }
        state.objects.insert(object.to_owned(), (mark.clone(), bytes));
        if state.loses_answers {
            return Err(BackupTargetError::Unreachable("the answer was lost".to_owned()));
        }
        Ok(())
    }

    async fn get(&self, object: &str, file: &Path) -> Result<(), BackupTargetError> {
        let state = self.open()?;
        let (_, bytes) =
            state.objects.get(object).ok_or_else(|| BackupTargetError::Gone(object.to_owned()))?;
        std::fs::write(file, bytes).map_err(|error| failed(&error))
    }

    async fn list(&self) -> Result<Vec<StoredBackup>, BackupTargetError> {
        let state = self.open()?;
        let stored = |(object, (mark, bytes)): (&String, &(BackupMark, Vec<u8>))| StoredBackup {
            object: object.clone(),
            size_bytes: bytes.len() as u64,
            mark: mark.clone(),
        };
        Ok(state.objects.iter().map(stored).collect())
    }

    async fn delete(&self, object: &str) -> Result<(), BackupTargetError> {
        self.open()?.objects.remove(object);
        Ok(())
    }
}

/// A mark that differs by its number.
///
/// # Panics
/// Never: the time is one.
#[must_use]
pub fn backup_mark(number: u8) -> BackupMark {
    let id: BackupId = derived(1_767_323_045_000, u64::from(number), "backup").typed();
    BackupMark {
        id,
        created_at: Timestamp::from_unix(1_767_323_045).expect("a time"),
        schema_version: u32::from(number),
        sha256: format!("{number:064x}"),
    }
}

/// What every implementation of [`BackupTarget`] has to do, shown in an empty one;
/// `scratch` is a folder for files.
///
/// # Panics
/// When the implementation breaks the contract.
pub async fn backup_target_contract(target: &dyn BackupTarget, scratch: &Path) {
    let file = |name: &str, content: &str| {
        let path = scratch.join(name);
        std::fs::write(&path, content).expect("written");
        path
    };
    let (one, two, empty) = (file("one", "first"), file("two", "second"), file("empty", ""));
    assert_eq!(target.list().await, Ok(vec![]));
    assert_eq!(target.put_new("a.zst", &backup_mark(1), &one).await, Ok(()));

    // A name is given once, and what is there stays.
    let again = target.put_new("a.zst", &backup_mark(2), &two).await;
    assert!(matches!(again, Err(BackupTargetError::Exists(_))), "{again:?}");
    let stored = StoredBackup { object: "a.zst".to_owned(), size_bytes: 5, mark: backup_mark(1) };
    assert_eq!(target.list().await, Ok(vec![stored]));
    assert_eq!(target.get("a.zst", &empty).await, Ok(()));
    assert_eq!(std::fs::read(&empty).expect("read"), b"first");

    assert_eq!(target.put_new("b.zst", &backup_mark(2), &two).await, Ok(()));
    assert_eq!(target.delete("a.zst").await, Ok(()));
    assert_eq!(target.delete("a.zst").await, Ok(()), "it is gone already");
    let left: Vec<_> = target.list().await.expect("listed").into_iter().map(|it| it.mark).collect();
    assert_eq!(left, [backup_mark(2)]);
    let gone = target.get("a.zst", &empty).await;
    assert!(matches!(gone, Err(BackupTargetError::Gone(_))), "{gone:?}");
    // And it can be put again.
    assert_eq!(target.put_new("a.zst", &backup_mark(1), &one).await, Ok(()));
}
