//! What can be typed. One definition gives the parser, the help, the
//! completions and the man page.

mod access;
mod data;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tracker_app::AttentionFilter;
use tracker_domain::event::EventType;
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Attention, DownloadState};

pub use self::access::{TokenCommand, UserCommand};
pub use self::data::{BackupCommand, DbCommand, JobCommand, PageArgs, RememberedCommand};
use crate::failure::exit;
use crate::indexes::Indexes;
use crate::terminal::Terminal;

/// From a magnet link to a link in the library.
#[derive(Clone, Debug, Parser)]
#[command(name = "tracker", version, propagate_version = true, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 done, 1 failed, 2 usage or bad input, 3 not found, \
4 needs a person, 5 refused, 6 daemon or client unreachable, 7 not authorised.")]
pub struct Cli {
    /// What goes with every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What goes with every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Where the database is
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// The configuration file
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Ask the daemon at this address [env: TRACKER_SERVER]
    #[arg(long, global = true, value_name = "URL")]
    pub server: Option<String>,
    /// The file with the token for it [env: TRACKER_TOKEN_FILE, or the token itself in TRACKER_TOKEN]
    #[arg(long, global = true, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Print the shapes of REST
    #[arg(long, global = true)]
    pub json: bool,
}

/// A command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Run the daemon: workers, REST, pages
    Serve,
    /// Accept magnet links, infohashes and .torrent files
    ///
    /// Prints a line for each input, in order: the id, a tab, and "created" or "existing".
    /// With --wait it goes on to the links in the library: the exit code is 4 where a
    /// person is needed and 1 where it failed. Without a daemon it does the work itself.
    Ingest(IngestArgs),
    /// List downloads, newest first
    List(ListArgs),
    /// Show what an id belongs to, of whatever kind
    Show {
        /// The id, in any letter case
        id: String,
    },
    /// Find a title, a download, or whatever has an id
    ///
    /// TEXT is a name with or without a year, a pin such as tmdb:603, the address of a page
    /// of TMDB, IMDb or TVmaze, a bare number, an infohash, or an id.
    Search {
        /// What to look for
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
    },
    /// List the journal, newest first
    Events(EventArgs),
    /// Try a failed or cancelled download again, or the step that is blocked
    Retry {
        /// The download's id
        id: String,
        /// Try it with this client
        #[arg(long, value_name = "NAME")]
        client: Option<String>,
    },
    /// Move a queued download to another client
    ///
    /// Refused when it is in a client, or may be there since it was sent.
    Move {
        /// The download's id
        id: String,
        /// The client's name
        client: String,
    },
    /// Give a download up; its torrent is stopped and kept
    Cancel {
        /// The download's id
        id: String,
        /// Remove the torrent from the client
        #[arg(long)]
        remove_torrent: bool,
        /// Delete its data too; only together with --remove-torrent
        #[arg(long, requires = "remove_torrent")]
        delete_data: bool,
    },
    /// Take an ended download out of the lists; nothing else goes but what is said
    ///
    /// The row and its story stay: `tracker show ID` and `tracker list --hidden` still tell
    /// of it. What is wished of the client is carried out as soon as that answers.
    Remove {
        /// The download's id
        id: String,
        /// Remove the links in libraries that were made for it
        #[arg(long)]
        links: bool,
        /// Remove the torrent from the client
        #[arg(long)]
        remove_torrent: bool,
        /// Delete its data too; only together with --remove-torrent
        #[arg(long, requires = "remove_torrent")]
        delete_data: bool,
    },
    /// Put a download before or after all others
    ///
    /// It is handed over in that order, and then moved in the queue of its client. Where
    /// the client has no queue, or it is off, the journal says so.
    Priority {
        /// The download's id
        id: String,
        /// Its place
        #[arg(value_parser = queue_ends())]
        place: QueueEnd,
    },
    /// Pause a download; of one that is done, seeding stops
    Pause {
        /// The download's id
        id: String,
    },
    /// Let a download go on that is paused or was stopped in the client
    Resume {
        /// The download's id
        id: String,
    },
    /// List the files of a download, or choose which of them are wanted
    ///
    /// A LIST is indexes and ranges of them, such as 1,3-5. What is not wanted is neither
    /// waited for nor linked.
    Files {
        /// The download's id
        id: String,
        /// Want these and no others
        #[arg(long, value_name = "LIST")]
        only: Option<Indexes>,
        /// Want all but these
        #[arg(long, value_name = "LIST", conflicts_with = "only")]
        skip: Option<Indexes>,
        /// Want all
        #[arg(long, conflicts_with_all = ["only", "skip"])]
        all: bool,
    },
    /// Show what a download is taken for and what it may be; on a terminal, choose
    ///
    /// Without a terminal nothing is asked: the exit code is 4 where a person has to choose.
    Review {
        /// The download's id
        id: String,
    },
    /// Recognise a download again
    Recognize {
        /// The download's id
        id: String,
    },
    /// Say in free text what a download is; it is recognised again
    Hint {
        /// The download's id
        id: String,
        /// The words
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Set what the names have wrong; it is recognised again
    ///
    /// Fields: title, year, kind, season, episode_offset, numbering, edition, library,
    /// candidate, and of one file file.INDEX.season, .episodes, .part and .skip; `review`
    /// lists the files with their INDEX. --remove takes back what was set.
    Override {
        /// The download's id
        id: String,
        /// The field
        field: String,
        /// What it is
        #[arg(required_unless_present = "remove", allow_negative_numbers = true)]
        value: Option<String>,
        /// Take back what was set
        #[arg(long, conflicts_with = "value")]
        remove: bool,
        /// Remember it for every release of the same group and title
        #[arg(long, conflicts_with = "remove")]
        remember: bool,
    },
    /// List what is remembered for release groups, or forget it
    Remembered {
        /// What to do; list without
        #[command(subcommand)]
        command: Option<RememberedCommand>,
    },
    /// Ask before a download is accepted, or each one of its title, however sure it is
    ///
    /// It waits for `accept` then. --off takes the rule back.
    Ask {
        /// The download's id
        id: String,
        /// Every download of its title, those to come as well
        #[arg(long)]
        title: bool,
        /// Do not ask any more
        #[arg(long)]
        off: bool,
    },
    /// It is this: the candidate, or the best one, or what the names say
    Accept {
        /// The download's id
        id: String,
        /// The candidate: its id, or its work such as tmdb:603, tt0133093 or the address of its page
        candidate: Option<String>,
    },
    /// It is not what was found; nothing is linked
    Reject {
        /// The download's id
        id: String,
    },
    /// Show what would be linked, what is left out and why, and what is in the way
    ///
    /// The exit code is 4 where something is in the way.
    Plan {
        /// The download's id
        id: String,
    },
    /// Link a download into its library; of one that is done, older links go
    Apply {
        /// The download's id
        id: String,
        /// The plan that was shown; another one by now is refused
        #[arg(long, value_name = "PLAN")]
        plan: Option<String>,
        /// What to do about names that are taken: keep what is there, replace it (it goes
        /// to the trash of the batch, and undo brings it back), or link under another name
        #[arg(long, value_name = "ACTION")]
        on_conflict: Option<OnConflict>,
    },
    /// Link a download anew after a correction; the older links go
    Relink {
        /// The download's id
        id: String,
    },
    /// Undo a batch of links: removes those that still are what was linked
    Undo {
        /// The batch's id
        batch: String,
    },
    /// Look whether links still stand: those of one download, or all
    ///
    /// The exit code is 4 where one does not.
    Verify {
        /// The download's id
        id: Option<String>,
    },
    /// Read release names and print what they say; needs no database
    ///
    /// With --json one object a line. - reads names from stdin, one a line.
    Parse {
        /// The names
        #[arg(required = true, value_name = "NAME|-")]
        names: Vec<String>,
    },
    /// List torrents of ours that seed, what ends that, and what would be done now
    Seeding,
    /// List torrents in the clients that are nobody's
    Discover,
    /// Take over torrents that are in a client already
    Adopt {
        /// An infohash of the torrent
        #[arg(value_name = "HASH", required_unless_present = "all")]
        infohash: Option<String>,
        /// Every one that is nobody's: shown first, and on a terminal asked about
        #[arg(long, conflicts_with = "infohash")]
        all: bool,
        /// Only show what would be taken over, and what not
        #[arg(long, requires = "all", conflicts_with = "infohash")]
        dry_run: bool,
        /// Do not ask
        #[arg(long, requires = "all", conflicts_with_all = ["infohash", "dry_run"])]
        yes: bool,
        /// The client it is in
        #[arg(long, value_name = "NAME")]
        client: Option<String>,
    },
    /// Look after the database
    #[command(subcommand)]
    Db(DbCommand),
    /// Make a backup of the database, and put it to the target
    ///
    /// It is a copy of one moment, checked, compressed and hashed; what goes on meanwhile
    /// is not held up. Where it goes, how often one is made by itself and how many are
    /// kept stands in the section `backup` of the configuration.
    Backup {
        /// What to do instead
        #[command(subcommand)]
        command: Option<BackupCommand>,
    },
    /// Put a backup in the place of the database; the former one is kept aside
    ///
    /// The backup is checked and brought up to date first. Refused while a daemon runs.
    Restore {
        /// A file, or the id of a backup at the target
        #[arg(value_name = "FILE|ID")]
        source: OsString,
        /// Only check it, and show what would be changed
        #[arg(long)]
        dry_run: bool,
        /// Do not ask; only a terminal is asked anyway
        #[arg(long, conflicts_with = "dry_run")]
        yes: bool,
    },
    /// List jobs, newest first: backups, their trials, and the upkeep of the journal
    #[command(args_conflicts_with_subcommands = true)]
    Jobs {
        /// Which page
        #[command(flatten)]
        page: PageArgs,
        /// What to do instead
        #[command(subcommand)]
        command: Option<JobCommand>,
    },
    /// Run every health check now
    Doctor,
    /// Say by exit code whether the daemon is alive, for containers
    Healthcheck,
    /// Show the main job on torrents that are made for it; nothing leaves this machine
    Demo {
        /// Leave its folder, with the library, for a look
        #[arg(long)]
        keep: bool,
    },
    /// Look after the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Look after the receivers of messages
    #[command(subcommand)]
    Notify(NotifyCommand),
    /// Look after API tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Look after the people who may log in
    #[command(subcommand)]
    User(UserCommand),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page, or write one for each command
    Man {
        /// Write a page for each command into this folder, and print their paths
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// What to accept.
#[derive(Clone, Debug, Args)]
pub struct IngestArgs {
    /// Magnet links, infohashes, .torrent files; - reads them from stdin, one a line, or the bytes of one .torrent
    #[arg(required = true, value_name = "MAGNET|HASH|FILE|-")]
    pub inputs: Vec<OsString>,
    /// A word on what it is, to steer recognition
    #[arg(long, value_name = "TEXT")]
    pub hint: Option<String>,
    /// The title it is, such as tmdb:603, or the address of its page
    #[arg(long, value_name = "TITLE")]
    pub pin: Option<String>,
    /// The library it goes to
    #[arg(long, value_name = "NAME")]
    pub library: Option<String>,
    /// The client it goes to
    #[arg(long, value_name = "NAME")]
    pub client: Option<String>,
    /// Follow them until they are done, need a person or failed; Ctrl-C ends only the waiting
    #[arg(long)]
    pub wait: bool,
}

/// Which downloads.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// Only in this state; may be repeated
    #[arg(long = "state", value_name = "STATE", value_parser = states())]
    pub states: Vec<DownloadState>,
    /// Only those that need a look, or with =CODE those with that code (or "none")
    #[arg(long, value_name = "CODE", num_args = 0..=1, require_equals = true,
          default_missing_value = "any", value_parser = attentions(), hide_possible_values = true)]
    pub attention: Option<AttentionFilter>,
    /// Only active ones
    #[arg(long)]
    pub active: bool,
    /// Also those that were taken out of the lists
    #[arg(long)]
    pub hidden: bool,
    /// A part of the name, or a whole id or hash
    #[arg(long, value_name = "TEXT")]
    pub query: Option<String>,
    /// How many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: Option<u32>,
    /// Only those before this id
    #[arg(long, value_name = "ID")]
    pub before: Option<String>,
    /// Nothing any more: ids are whole anyway
    #[arg(long, hide = true)]
    pub long: bool,
}

/// Which entries of the journal.
#[derive(Clone, Debug, Default, Args)]
pub struct EventArgs {
    /// Only of this download
    #[arg(long, value_name = "ID")]
    pub download: Option<String>,
    /// Only about this entity
    #[arg(long, value_name = "ID")]
    pub entity: Option<String>,
    /// Only of this job
    #[arg(long, value_name = "ID")]
    pub job: Option<String>,
    /// Only of this type; may be repeated
    #[arg(long = "type", value_name = "TYPE", value_parser = event_types(), hide_possible_values = true)]
    pub types: Vec<EventType>,
    /// How many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: Option<u32>,
    /// Only those before this id
    #[arg(long, value_name = "ID", conflicts_with = "follow")]
    pub before: Option<String>,
    /// Start with the last ten and go on printing what happens, oldest first
    #[arg(long)]
    pub follow: bool,
    /// Nothing any more: ids are whole anyway
    #[arg(long, hide = true)]
    pub long: bool,
}

/// What to do with the configuration.
#[derive(Clone, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Write a file with comments, unless there is one
    Init {
        /// Print it instead
        #[arg(long)]
        stdout: bool,
    },
    /// Print each value and where it comes from
    Show,
    /// Tell every problem
    Check,
}

/// What to do with the receivers of messages.
#[derive(Clone, Debug, Subcommand)]
pub enum NotifyCommand {
    /// List them, and how far each is
    List,
    /// List what one would not take after all attempts
    Dead {
        /// The receiver's name
        name: String,
    },
    /// Send one message to one now, and say what came back
    ///
    /// The exit code is 1 where it was not taken.
    Test {
        /// The receiver's name
        name: String,
    },
    /// Send again what one would not take, and try at once what waits
    Retry {
        /// The receiver's name
        name: String,
    },
}

fn words<T: Copy + Send + Sync + 'static>(
    words: Vec<(&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<&'static str> = words.iter().map(|(word, _)| *word).collect();
    PossibleValuesParser::new(names).try_map(move |text| {
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or("no such word")
    })
}

fn queue_ends() -> impl TypedValueParser<Value = QueueEnd> {
    words(QueueEnd::ALL.iter().map(|end| (end.as_str(), *end)).collect())
}

fn states() -> impl TypedValueParser<Value = DownloadState> {
    words(DownloadState::ALL.iter().map(|state| (state.as_str(), *state)).collect())
}

fn attentions() -> impl TypedValueParser<Value = AttentionFilter> {
    let codes = Attention::ALL.iter().map(|code| (code.as_str(), AttentionFilter::Is(*code)));
    words(
        [("any", AttentionFilter::Any), ("none", AttentionFilter::None)]
            .into_iter()
            .chain(codes)
            .collect(),
    )
}

fn event_types() -> impl TypedValueParser<Value = EventType> {
    words(EventType::ALL.iter().map(|word| (word.as_str(), *word)).collect())
}

/// The definition itself, for completions and man pages.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses what was typed. Help and version are answers and go to `out`.
///
/// # Errors
/// The exit code when there is nothing to run.
pub fn parse(
    args: impl IntoIterator<Item = OsString>,
    terminal: &mut Terminal<'_>,
) -> Result<Cli, u8> {
    Cli::try_parse_from(args).map_err(|error| {
        let text = error.render().to_string();
        let (written, code) = if error.use_stderr() {
            (terminal.err.write_all(text.as_bytes()), exit::USAGE)
        } else {
            (terminal.out.write_all(text.as_bytes()), exit::DONE)
        };
        match written {
            Ok(()) => code,
            // Whoever closed the pipe has seen enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => code,
            Err(_) => exit::FAILED,
        }
    })
}

/// What to do about names in the library that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OnConflict {
    /// Keep what is there; the file is skipped.
    Keep,
    /// Move what is there to the trash of the batch.
    Replace,
    /// Link under another name.
    OtherName,
}

impl OnConflict {
    /// The word of REST.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            OnConflict::Keep => "keep",
            OnConflict::Replace => "replace",
            OnConflict::OtherName => "other-name",
        }
    }
}
