//! The files of this machine that objects are made of and written to: read and
//! written in pieces, on threads where that may block.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use tracker_domain::ports::BackupTargetError;

/// How much is gathered before it is written.
const WRITE_BYTES: usize = 1024 * 1024;

/// A file that is read.
pub(crate) struct Source {
    file: Arc<File>,
    pub(crate) size_bytes: u64,
}

impl Source {
    pub(crate) async fn open(path: &Path) -> Result<Self, BackupTargetError> {
        let path = path.to_owned();
        off_thread("read", move || {
            let file = File::open(&path)?;
            let size_bytes = file.metadata()?.len();
            Ok(Source { file: Arc::new(file), size_bytes })
        })
        .await
    }

    /// The bytes from `offset` on, `length` at most.
    pub(crate) async fn read(
        &self,
        offset: u64,
        length: u64,
    ) -> Result<Vec<u8>, BackupTargetError> {
        let file = self.file.clone();
        let length = length.min(self.size_bytes.saturating_sub(offset));
        off_thread("read", move || {
            let length = usize::try_from(length).map_err(io::Error::other)?;
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, offset)?;
            Ok(bytes)
        })
        .await
    }
}

/// A file that is there, empty, and written to.
pub(crate) struct Sink {
    file: Arc<File>,
    gathered: Vec<u8>,
    pub(crate) size_bytes: u64,
}

impl Sink {
    pub(crate) async fn open(path: &Path) -> Result<Self, BackupTargetError> {
        let path = path.to_owned();
        let file =
            off_thread("write", move || File::options().write(true).truncate(true).open(&path))
                .await?;
        Ok(Sink { file: Arc::new(file), gathered: Vec::new(), size_bytes: 0 })
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), BackupTargetError> {
        self.gathered.extend_from_slice(bytes);
        self.size_bytes += bytes.len() as u64;
        if self.gathered.len() < WRITE_BYTES { Ok(()) } else { self.flush().await }
    }

    pub(crate) async fn flush(&mut self) -> Result<(), BackupTargetError> {
        let (file, gathered) = (self.file.clone(), std::mem::take(&mut self.gathered));
        off_thread("write", move || (&*file).write_all(&gathered)).await
    }
}

async fn off_thread<T: Send + 'static>(
    action: &'static str,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, BackupTargetError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome.map_err(|error| {
            BackupTargetError::Failed(format!("cannot {action} a file of this machine: {error}"))
        }),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(BackupTargetError::Failed("the program is shutting down".to_owned())),
    }
}
