//! The database: one file, one write door, guards in one module, the journal in
//! the same transaction as the change it tells of.
//!
//! It knows no network, no media file and no transport. It decides nothing but
//! its guards: who owns an infohash, which moves a download may make, and that
//! an id is greater than every one before it.

mod access;
mod ask;
mod backups;
mod batches;
mod candidates;
mod check;
mod choice;
mod consumers;
mod db;
mod downloads;
mod entities;
mod error;
mod figures;
mod hidden;
mod inbox;
mod inspect;
mod jobs;
mod journal;
mod legacy;
mod lifecycle;
mod metadata_cache;
pub mod migrate;
mod parts_of_ids;
mod pause;
mod recognitions;
mod remembered;
mod restore;
mod retention;
mod review;
mod row;
mod seeding;
mod snapshot;
mod standing;
mod system;
mod tasks;
mod telegram;
mod titles;
mod to_recognise;
mod tokens;
mod transfer;
mod tx;
mod words;
mod works;

pub use access::{LoginLink, NewSession, Session, User};
pub use ask::NoTitleToAsk;
pub use backups::{Backup, BackupMade, BackupRefusal};
pub use batches::{Batch, FileLink, LinkEnd, LinkSeen, NewBatch, NewLink, Staged};
pub use candidates::{Candidate, NewCandidate};
pub use check::{CheckReport, check};
pub use consumers::{Consumer, DeadLetter};
pub use db::Db;
pub use downloads::{Download, DownloadFilter, Origin, Placement};
pub use entities::Entity;
pub use error::{Guarded, Refusal, StoreError};
pub use figures::Figures;
pub use inbox::{InboxGroup, InboxOrder, InboxQuery, InboxRow, InboxTotals, Taken};
pub use inspect::{check_file, schema_version};
pub use jobs::{CANCELLED, INTERRUPTED, Job, JobEnd, JobRefusal};
pub use journal::{EventFilter, EventRow, NewEvent};
pub use lifecycle::{Creation, NewDownload, Reason};
pub use parts_of_ids::SHORT_ID;
pub use recognitions::{NewRecognition, Recognition, Recorded, WaitCause};
pub use remembered::{ReleaseKeys, Remembered, RememberedWord, Remembering};
pub use restore::{
    PreparedRestore, RestorePlan, Restored, TableChange, copy_database, prepare_restore,
};
pub use retention::Swept;
pub use review::AcceptRefused;
pub use seeding::{SeedingDownload, SeedingEnd};
pub use snapshot::{ScratchFile, SnapshotReport, sweep_scratch_files};
pub use standing::MARKS_OF_A_MATCH;
pub use tasks::{ClientTask, TaskKind};
pub use telegram::{TelegramChat, TelegramMessage, TelegramPerson, TelegramRole};
pub use titles::{StandingTitle, TitleBatch};
pub use tokens::Token;
pub use tx::{ReadTx, WriteTx};
pub use words::{Hint, Override};
pub use works::OfWork;
