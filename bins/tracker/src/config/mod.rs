//! The configuration: one struct a section, each value with its origin.
//!
//! Flags win over `TRACKER__…` variables, those over the file, that over the
//! defaults. All problems are collected and told at once. Nothing here reads
//! the process environment by itself, and no crate outside `bins/` knows these
//! types: each part is given the small policy it needs.

#![allow(
    dead_code,
    unused_imports,
    reason = "every key is accepted from the start, also where its reader comes later"
)]

mod backup;
mod client;
mod context;
mod defaults;
mod document;
mod environment;
mod events;
mod general;
mod given;
mod http;
mod init;
mod intake;
mod library;
mod log;
mod media_server;
mod metadata;
mod metrics;
mod naming;
mod notify;
mod path_map;
mod problem;
mod reader;
mod recognition;
mod seeding;
pub mod show;
mod telegram;
mod values;
mod variables;
mod watch;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use tracker_domain::library::Library;
use tracker_domain::seeding::SeedingWords;

pub use backup::{Backup, BackupPlace};
pub use client::{Client, ClientKind, Embedded, Qbittorrent};
pub use environment::{Environment, Flags};
pub use events::Events;
pub use general::General;
pub use http::Http;
pub use init::{InitError, init, template};
pub use intake::Intake;
pub use log::{Log, LogFormat};
pub use media_server::{MediaServer, MediaServerKind};
pub use metadata::Metadata;
pub use metrics::Metrics;
pub use naming::Naming;
pub use notify::{Notify, NotifyKind, Told};
pub use path_map::PathPair;
pub use problem::{ConfigError, Origin, Problem};
pub use recognition::{AutoAccept, Recognition};
pub use show::ShownValue;
pub use telegram::Telegram;
pub use watch::Watch;

use context::Context;
use document::Table;

/// Every setting, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// Folders, language, modes.
    pub general: General,
    /// The listener.
    pub http: Http,
    /// The log.
    pub log: Log,
    /// The listener of the metrics.
    pub metrics: Metrics,
    /// The torrent clients, the default one first.
    pub clients: Vec<Client>,
    /// Whether nobody has set a client.
    pub clients_are_ours: bool,
    /// Where new downloads go.
    pub intake: Intake,
    /// The libraries, in the order of the file.
    pub libraries: Vec<Library>,
    /// Whether nobody has set a library: those under the data directory hold then,
    /// and are ours to make.
    pub libraries_are_ours: bool,
    /// Naming patterns.
    pub naming: Naming,
    /// What recognition may do by itself.
    pub recognition: Recognition,
    /// Sources of titles.
    pub metadata: Metadata,
    /// The watched folder.
    pub watch: Watch,
    /// When torrents have given enough.
    pub seeding: SeedingWords,
    /// The same for those whose links go to a library, by its name.
    pub library_seeding: BTreeMap<String, SeedingWords>,
    /// The bot.
    pub telegram: Telegram,
    /// Who is told.
    pub notify: Vec<Notify>,
    /// Media servers to refresh.
    pub media_servers: Vec<MediaServer>,
    /// The journal.
    pub events: Events,
    /// Backups.
    pub backup: Backup,
}

/// A configuration and where each value comes from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    /// Each value with its origin, for `config show`.
    pub values: Vec<ShownValue>,
    /// The file that was read; `None` when there is none.
    pub file: Option<PathBuf>,
}

/// The sections of one table each.
pub(crate) const SECTIONS: &[&str] = &[
    "general",
    "http",
    "log",
    "metrics",
    "intake",
    "naming",
    "recognition",
    "metadata",
    "watch",
    "seeding",
    "telegram",
    "events",
    "backup",
];

/// The sections that are arrays, whose items have names.
pub(crate) const ARRAYS: &[&str] = &["client", "library", "notify", "media_server"];

/// Reads the configuration. Files are read, none is written.
///
/// # Errors
/// Every problem there is, at once.
pub fn load(environment: &Environment, flags: &Flags) -> Result<Loaded, ConfigError> {
    let file = environment::find_file(environment, flags).map_err(ConfigError::one)?;
    let (path, table) = match file {
        Some((path, text)) => {
            let table = document::parse(&path, &text).map_err(ConfigError::new)?;
            (Some(path), table)
        }
        None => (None, Table::default()),
    };
    load_table(environment, flags, path, table)
}

fn load_table(
    environment: &Environment,
    flags: &Flags,
    path: Option<PathBuf>,
    table: Table,
) -> Result<Loaded, ConfigError> {
    let mut context = Context::new(environment, flags, path.clone(), table);
    context.check_sections();
    let general = General::from_source(context.section("general"));
    let data_dir = general.data_dir.clone();
    context.suppose("client", defaults::clients());
    context.suppose("library", defaults::libraries(&data_dir));
    let mut library_seeding = BTreeMap::new();
    let mut libraries = Vec::new();
    for (library, seeding) in context.items("library", library::from_source) {
        library_seeding.insert(library.name.clone(), seeding);
        libraries.push(library);
    }
    let config = Config {
        general,
        http: Http::from_source(context.section("http")),
        log: Log::from_source(context.section("log")),
        metrics: Metrics::from_source(context.section("metrics")),
        intake: Intake::from_source(context.section("intake")),
        clients: context.items("client", |name, section| {
            Client::from_source(name, section, &data_dir, &libraries)
        }),
        clients_are_ours: context.is_supposed("client"),
        libraries_are_ours: context.is_supposed("library"),
        libraries,
        library_seeding,
        naming: Naming::from_source(context.section("naming")),
        recognition: Recognition::from_source(context.section("recognition")),
        metadata: Metadata::from_source(context.section("metadata")),
        watch: Watch::from_source(context.section("watch")),
        seeding: seeding::from_source(context.section("seeding")),
        telegram: Telegram::from_source(context.section("telegram")),
        notify: context.items("notify", Notify::from_source),
        media_servers: context.items("media_server", MediaServer::from_source),
        events: Events::from_source(context.section("events")),
        backup: Backup::from_source(context.section("backup")),
    };
    context.check_variables();
    let (problems, values) = context.finish();
    if problems.is_empty() {
        Ok(Loaded { config, values, file: path })
    } else {
        Err(ConfigError::new(problems))
    }
}
