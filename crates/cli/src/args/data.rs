//! What can be typed about the database, backups and jobs.

use clap::{Args, Subcommand};

/// What to do with the database.
#[derive(Clone, Debug, Subcommand)]
pub enum DbCommand {
    /// Bring its schema to the newest version
    Migrate {
        /// Stop at this version
        #[arg(long, value_name = "N")]
        to: Option<u32>,
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// Look for damage
    Check,
}

/// What to do with backups.
#[derive(Clone, Debug, Subcommand)]
pub enum BackupCommand {
    /// List them, newest first
    List(PageArgs),
    /// Fetch one into a temporary place and check it as for a restore
    Verify {
        /// The backup's id; the newest good one without
        id: Option<String>,
    },
    /// Delete one at the target; its row stays
    Delete {
        /// The backup's id
        id: String,
    },
    /// Compare what lies at the target with what is known
    Reconcile,
}

/// What to do with jobs.
#[derive(Clone, Debug, Subcommand)]
pub enum JobCommand {
    /// End one
    Cancel {
        /// The job's id
        id: String,
    },
}

/// What to do with what is remembered.
#[derive(Clone, Debug, Subcommand)]
pub enum RememberedCommand {
    /// List it, by group, title and field
    List,
    /// Forget one; downloads keep what they took over until they are recognised again
    Forget {
        /// Its id
        id: String,
    },
}

/// Which page of a list.
#[derive(Clone, Debug, Default, Args)]
pub struct PageArgs {
    /// How many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: Option<u32>,
    /// Only those before this id
    #[arg(long, value_name = "ID")]
    pub before: Option<String>,
}
