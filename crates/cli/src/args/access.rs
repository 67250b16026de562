//! What can be typed about who may come in.

use std::path::PathBuf;

use clap::Subcommand;
use clap::builder::TypedValueParser;
use tracker_domain::access::Scope;

use super::words;

/// What to do with tokens.
#[derive(Clone, Debug, Subcommand)]
pub enum TokenCommand {
    /// Make one and print it, this once
    New {
        /// What to call it
        name: String,
        /// What it may do: read looks, write works with downloads, admin does everything
        #[arg(long, default_value = "write", value_parser = scopes())]
        scope: Scope,
    },
    /// List them, without their secrets
    List,
    /// Take one away
    Revoke {
        /// What it is called
        name: String,
    },
}

/// What to do with accounts.
#[derive(Clone, Debug, Subcommand)]
pub enum UserCommand {
    /// Make an account; the password is asked for
    Add {
        /// What the person is called
        name: String,
        /// Take the password from the first line of a file, or - for the input
        #[arg(long, value_name = "FILE", conflicts_with = "no_password")]
        password_file: Option<PathBuf>,
        /// Without a password: only a login link or a proxy logs in
        #[arg(long)]
        no_password: bool,
    },
    /// Set another password, and end all sessions
    Passwd {
        /// What the person is called
        name: String,
        /// Take the password from the first line of a file, or - for the input
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
    /// List accounts
    List,
    /// Let a person in no more, and end all sessions
    Disable {
        /// What the person is called
        name: String,
    },
    /// Let a person in again
    Enable {
        /// What the person is called
        name: String,
    },
    /// Print a link that logs in once, within 15 minutes
    LoginLink {
        /// Whom; not needed where there is one account, or none yet
        name: Option<String>,
    },
}

fn scopes() -> impl TypedValueParser<Value = Scope> {
    words(Scope::ALL.iter().map(|scope| (scope.as_str(), *scope)).collect())
}
