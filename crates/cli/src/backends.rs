//! What the command line needs from the program around it. The program knows
//! the database, the configuration and the adapters; nothing here does.

use std::path::PathBuf;

use async_trait::async_trait;
use serde::Serialize;
use tracker_domain::{BackupId, Secret};
use tracker_wire::HealthDto;

use crate::api::{Api, People, Tokens};
use crate::failure::ApiFailure;

/// Whether a command writes. One that only reads makes no database: without
/// one it answers as from an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only looks.
    Read,
    /// It changes something.
    Write,
    /// It makes or removes links: no other process may do so meanwhile.
    Links,
}

/// What to migrate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MigrateRequest {
    /// The version to stop at; `None` is the newest.
    pub to: Option<u32>,
    /// Only tell what would be done.
    pub dry_run: bool,
}

/// What was migrated, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MigrationReport {
    /// The version that was found; 0 is none.
    pub from: u32,
    /// The version that is there now, or would be.
    pub to: u32,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// The steps in their order.
    pub steps: Vec<MigrationStep>,
    /// The copy that was made before.
    pub copy: Option<PathBuf>,
    /// The rows of each table before and after; only of a rehearsal.
    pub tables: Vec<MigratedTable>,
    /// What needed a decision, and how often; only of a rehearsal.
    pub notes: Vec<MigrationNote>,
    /// What would be wrong afterwards; empty is good.
    pub problems: Vec<CheckFinding>,
}

/// The rows of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MigratedTable {
    /// Its name after the migration.
    pub table: String,
    /// Rows before.
    pub before: i64,
    /// Rows after.
    pub after: i64,
}

/// A kind of row that needed a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MigrationNote {
    /// What was decided, such as `unknown_state`.
    pub what: String,
    /// How often.
    pub count: i64,
}

/// A configuration without a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigChecked {
    /// The file that it was read from; `None` where there is none.
    pub file: Option<PathBuf>,
    /// Names in a library as it makes them: what of, and the path.
    pub names: Vec<(&'static str, String)>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MigrationStep {
    /// The version it leads to.
    pub version: u32,
    /// What it does.
    pub name: String,
}

/// What to restore from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreFrom {
    /// A file.
    File(PathBuf),
    /// A backup at the target.
    Backup(BackupId),
}

/// What a restore changes, or has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RestoreReport {
    /// What it is restored from.
    pub source: String,
    /// The version of the schema in the backup.
    pub schema_version: u32,
    /// The time of the last entry of the journal in it.
    pub newest_entry: Option<String>,
    /// Tables whose numbers of rows are others.
    pub tables: Vec<RestoredTable>,
    /// Downloads that are there now and not in the backup.
    pub lost_downloads: u64,
    /// The names of the newest of these.
    pub lost: Vec<String>,
    /// Why the database that is there now cannot be read.
    pub unreadable: Option<String>,
    /// Where the former database is; null before it is restored, and where there was
    /// none.
    pub former_database: Option<PathBuf>,
}

/// The rows of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RestoredTable {
    /// Its name.
    pub table: String,
    /// Rows now; null where it does not exist.
    pub now: Option<i64>,
    /// Rows afterwards.
    pub then: Option<i64>,
}

/// A backup that is ready to take the place of the database.
#[async_trait]
pub trait PreparedRestore: Send + Sync {
    /// What it changes.
    fn report(&self) -> &RestoreReport;
    /// Swaps it with the database, which is kept aside.
    async fn carry_out(self: Box<Self>) -> Result<RestoreReport, ApiFailure>;
}

/// What the checks of a database found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// The version of its schema.
    pub version: u32,
    /// Everything that is wrong; empty is good.
    pub findings: Vec<CheckFinding>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckFinding {
    /// Which check: `integrity`, `foreign-keys`, `one-owner`, `orphans`, …
    pub check: String,
    /// What was found.
    pub detail: String,
}

/// The configuration, ready to be printed.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigText {
    /// For people.
    pub human: String,
    /// For programs.
    pub json: serde_json::Value,
}

/// The main job, set up in a folder of its own: torrents that a seeder on this
/// machine has, and a program that knows nothing but that folder.
pub struct Demo {
    /// The program, with a configuration of its own.
    pub program: Box<dyn Backends>,
    /// Where everything is.
    pub folder: PathBuf,
    /// The configuration file.
    pub config: PathBuf,
    /// Where its libraries are.
    pub library: PathBuf,
    /// A link to each torrent.
    pub links: Vec<String>,
    /// The bytes of all of them.
    pub size_bytes: u64,
    /// The seeder, and the folder where it goes away in the end: ended by being dropped.
    pub kept: Box<dyn std::any::Any + Send>,
}

/// The program around the command line.
#[async_trait]
pub trait Backends: Send + Sync {
    /// The data directory, from flag, variable, file or default. A configuration
    /// with problems is [`ApiFailure::usage`] with all of them.
    fn data_dir(&self) -> Result<PathBuf, ApiFailure>;
    /// The services on the database of this machine. An older or newer schema
    /// is [`ApiFailure::refused`].
    async fn local(&self, access: Access) -> Result<Box<dyn Api>, ApiFailure>;
    /// The tokens of that database.
    async fn tokens(&self, access: Access) -> Result<Box<dyn Tokens>, ApiFailure>;
    /// The accounts of that database.
    async fn people(&self, access: Access) -> Result<Box<dyn People>, ApiFailure>;
    /// Where the configuration has the pages of this machine, without a slash at the end.
    fn address(&self) -> Result<String, ApiFailure>;
    /// Asks a person for a secret without showing what is typed; `None` where there is
    /// no terminal.
    fn ask_secret(&self, prompt: &str) -> Result<Option<Secret>, ApiFailure>;
    /// Runs the daemon until it is asked to stop.
    async fn serve(&self) -> Result<(), ApiFailure>;
    /// Starts the workers in this process, on a database that is brought up to date,
    /// and gives the services beside them; `None` where another process works on
    /// the same data.
    async fn begin_work(&self) -> Result<Option<Box<dyn Api>>, ApiFailure>;
    /// Ends them in order.
    async fn end_work(&self);
    /// Sets the main job up in a folder for temporary files, which stays with `keep`.
    async fn demo(&self, keep: bool) -> Result<Demo, ApiFailure>;
    /// Runs every health check here and now.
    async fn doctor(&self) -> Result<HealthDto, ApiFailure>;
    /// Brings the schema to a version.
    async fn db_migrate(&self, request: MigrateRequest) -> Result<MigrationReport, ApiFailure>;
    /// Fetches and checks a backup, brings it up to date and compares it. Refused while
    /// another process uses the database.
    async fn prepare_restore(
        &self,
        from: RestoreFrom,
    ) -> Result<Box<dyn PreparedRestore>, ApiFailure>;
    /// Looks for damage.
    async fn db_check(&self) -> Result<CheckReport, ApiFailure>;
    /// Each value of the configuration with its origin.
    fn config_show(&self) -> Result<ConfigText, ApiFailure>;
    /// Checks the configuration.
    fn config_check(&self) -> Result<ConfigChecked, ApiFailure>;
    /// The configuration file with comments.
    fn config_template(&self) -> String;
    /// Writes it and says where.
    fn config_init(&self) -> Result<PathBuf, ApiFailure>;
}
