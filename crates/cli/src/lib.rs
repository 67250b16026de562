//! The command line: what was typed, where it runs, how the answer is printed.
//!
//! Commands talk to one trait, [`Api`], with two implementations: the services
//! of this process and a daemon over REST. Nothing here opens a database, reads
//! the configuration or touches the environment; that comes in through
//! [`Backends`] and [`Surroundings`]. Every answer goes to a writer that is
//! given, so that a test sees what a person sees.

mod api;
mod args;
mod backends;
mod call;
mod choice;
mod commands;
mod failure;
mod indexes;
mod journal;
mod local;
mod notify;
mod owner;
mod recognition;
mod remote;
mod render;
mod run;
mod target;
mod terminal;
mod wait;

#[cfg(test)]
pub(crate) mod tests;

pub use api::{Api, Input, People, Tokens};
pub use args::{Cli, Command, Global, command, parse};
pub use backends::{
    Access, Backends, CheckFinding, CheckReport, ConfigChecked, ConfigText, Demo, MigrateRequest,
    MigratedTable, MigrationNote, MigrationReport, MigrationStep, PreparedRestore, RestoreFrom,
    RestoreReport, RestoredTable,
};
pub use failure::{ApiFailure, exit, failure_of};
pub use local::LocalApi;
pub use notify::NotifyApi;
pub use owner::{check_owner, login_of};
pub use remote::RemoteApi;
pub use run::run;
pub use target::{API_TOKEN_FILE, DAEMON_FILE, DaemonFile, Surroundings, Target, Token, target};
pub use terminal::{Terminal, ask_secret};
