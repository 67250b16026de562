//! The machine: its clock, its disk, its locks, its users and its service manager.
//!
//! The one place that reads a clock, and the adapter of the ports `Files`,
//! `WatchFolder` and `BackupTarget`. It knows nothing of downloads or of the database, and reads no environment.

mod backups;
mod clock;
mod data_dir;
mod errno;
mod files;
mod filesystem;
mod lock;
mod process;
mod service_manager;
mod users;
mod watch_folder;

pub use backups::LocalBackups;
pub use clock::SystemClock;
pub use data_dir::{DataDirError, data_dir_is_ours, ensure_data_dir, write_private};
pub use files::LocalFiles;
pub use lock::{ExclusiveLock, LockError, SharedLock, WorkerLock};
pub use process::process_is_alive;
pub use service_manager::{Notice, NoticeError, ServiceManager};
pub use users::{login_name, user_name};
pub use watch_folder::LocalWatchFolder;
