//! One command from start to exit code.

use std::io::{ErrorKind, IsTerminal, stdin, stdout};

use tracker_domain::{DownloadId, DownloadState};
use tracker_ident::AnyId;
use tracker_wire::{OverrideBody, RemoveBody};

use crate::api::Api;
use crate::args::{Cli, Command, Global};
use crate::backends::{Access, Backends};
use crate::commands::files::Choice;
use crate::commands::{
    adopt_all, backup, config, db, demo, events, files, health, ingest, jobs, library, lifecycle,
    list, notify, parse, remembered, restore, review, said, search, seeding, shell, show, token,
    user,
};
use crate::failure::{ApiFailure, exit};
use crate::indexes::Indexes;
use crate::owner::check_owner;
use crate::remote::RemoteApi;
use crate::target::{Surroundings, Target, target};
use crate::terminal::{Outcome, Stop, Terminal};

/// What every command can reach.
pub(crate) struct Context<'a> {
    pub(crate) global: &'a Global,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) backends: &'a dyn Backends,
    /// Whether a person is there who can be asked.
    pub(crate) asks: bool,
}

impl Context<'_> {
    /// Where the command runs.
    pub(crate) async fn target(&self) -> Result<Target, ApiFailure> {
        target(self.global, self.surroundings, || self.backends.data_dir()).await
    }

    /// The services, wherever they are.
    pub(crate) async fn api(&self, access: Access) -> Result<Box<dyn Api>, ApiFailure> {
        match self.target().await? {
            Target::Local => {
                self.own_data_dir()?;
                self.backends.local(access).await
            }
            other => remote(&other).map(|api| Box::new(api) as Box<dyn Api>),
        }
    }

    /// The services for a command that leaves work to the daemon.
    pub(crate) async fn working(&self) -> Result<Working, ApiFailure> {
        self.working_with(Access::Write).await
    }

    /// The same for one that does a part of it at once.
    pub(crate) async fn working_with(&self, access: Access) -> Result<Working, ApiFailure> {
        let target = self.target().await?;
        let api = match &target {
            Target::Local => {
                self.own_data_dir()?;
                self.backends.local(access).await?
            }
            other => Box::new(remote(other)?) as Box<dyn Api>,
        };
        let runs = if target == Target::Local { Runs::Nowhere } else { Runs::Daemon };
        Ok(Working { api, runs })
    }

    /// The services for a command that sees its work through: without a daemon the
    /// work is done here, unless another process is at it.
    pub(crate) async fn seen_through(&self) -> Result<Working, ApiFailure> {
        let target = self.target().await?;
        if target != Target::Local {
            return Ok(Working { api: Box::new(remote(&target)?), runs: Runs::Daemon });
        }
        self.own_data_dir()?;
        match self.backends.begin_work().await? {
            Some(api) => Ok(Working { api, runs: Runs::Here }),
            None => {
                let api = self.backends.local(Access::Write).await?;
                Ok(Working { api, runs: Runs::Elsewhere })
            }
        }
    }

    /// Refuses a data directory of somebody else.
    pub(crate) fn own_data_dir(&self) -> Result<(), ApiFailure> {
        check_owner(&self.backends.data_dir()?)
    }

    /// Refuses what is only possible beside the database.
    pub(crate) fn beside_database(&self, what: &str) -> Result<(), ApiFailure> {
        if self.global.server.is_some() {
            return Err(ApiFailure::usage(format!(
                "{what} works beside the database only; run it on that machine, without --server"
            )));
        }
        self.own_data_dir()
    }
}

/// Who goes on with what is noted down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Nobody.
    Nowhere,
    /// Workers in this process, as long as it lives.
    Here,
    /// Another process without REST, as long as it lives.
    Elsewhere,
    /// A daemon.
    Daemon,
}

/// The services, and who goes on with what they note down.
pub(crate) struct Working {
    pub(crate) api: Box<dyn Api>,
    pub(crate) runs: Runs,
}

impl Working {
    /// Says that what was just said of a download that is done moves no link,
    /// and then what [`Working::tell`] does. The change is made already, so a
    /// look that fails is no failure.
    pub(crate) async fn tell_of(
        &self,
        id: DownloadId,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Stop> {
        let state = self.api.download(id).await.map(|download| download.state);
        if state.is_ok_and(|state| state == DownloadState::Done.as_str()) {
            writeln!(
                terminal.err,
                "{id} is done: its links stay as they are; `tracker relink {id}` links it anew, \
                 `tracker undo BATCH` takes them out"
            )?;
        }
        self.tell(terminal)
    }

    /// Says where nobody goes on with what was just noted down.
    pub(crate) fn tell(&self, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
        if self.runs == Runs::Nowhere {
            writeln!(terminal.err, "no daemon runs; `tracker serve` goes on with it")?;
        }
        Ok(())
    }
}

/// The daemon of a target that is one.
pub(crate) fn remote(target: &Target) -> Result<RemoteApi, ApiFailure> {
    match target {
        Target::Server { url, token } => RemoteApi::new(url, token.as_ref(), false),
        Target::Daemon { daemon, token } => RemoteApi::new(&daemon.url, token.as_ref(), true),
        Target::Local => Err(ApiFailure::unreachable("no daemon runs on this data directory")),
    }
}

/// Runs a command: answers go to `out`, everything else to `err`. Returns the
/// exit code of the process. A person is asked something only where standard
/// input and output of the process are terminals, of whatever size.
pub async fn run(
    cli: Cli,
    surroundings: &Surroundings,
    backends: &dyn Backends,
    terminal: &mut Terminal<'_>,
) -> u8 {
    let asks = stdin().is_terminal() && stdout().is_terminal();
    run_asking(cli, surroundings, backends, terminal, asks).await
}

/// The same, told whether a person can be asked.
pub(crate) async fn run_asking(
    cli: Cli,
    surroundings: &Surroundings,
    backends: &dyn Backends,
    terminal: &mut Terminal<'_>,
    asks: bool,
) -> u8 {
    let context = Context { global: &cli.global, surroundings, backends, asks };
    let outcome = dispatch(&context, cli.command, terminal).await;
    let outcome =
        outcome.and_then(|code| terminal.out.flush().map(|()| code).map_err(Stop::Output));
    match outcome {
        Ok(code) => code,
        Err(Stop::Failure(failure)) => {
            // Nothing can be done about a message that nobody can read.
            let _ = writeln!(terminal.err, "tracker: {failure}");
            failure.exit
        }
        // Whoever closed the pipe has seen enough.
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => exit::DONE,
        Err(Stop::Output(error)) => {
            let _ = writeln!(terminal.err, "tracker: the answer cannot be written: {error}");
            exit::FAILED
        }
    }
}

async fn dispatch(context: &Context<'_>, command: Command, terminal: &mut Terminal<'_>) -> Outcome {
    match command {
        Command::Serve => {
            context.own_data_dir()?;
            context.backends.serve().await?;
            Ok(exit::DONE)
        }
        Command::Ingest(args) => ingest::ingest(context, args, terminal).await,
        Command::List(args) => list::list(context, args, terminal).await,
        Command::Search { text } => search::search(context, &text, terminal).await,
        Command::Show { id } => show::show(context, &id, terminal).await,
        Command::Events(args) => events::events(context, args, terminal).await,
        Command::Retry { id, client } => lifecycle::retry(context, &id, client, terminal).await,
        Command::Move { id, client } => lifecycle::move_to(context, &id, client, terminal).await,
        Command::Cancel { id, remove_torrent, delete_data } => {
            lifecycle::cancel(context, &id, remove_torrent, delete_data, terminal).await
        }
        Command::Remove { id, links, remove_torrent, delete_data } => {
            let body = RemoveBody { links, remove_torrent, delete_data };
            lifecycle::remove(context, &id, body, terminal).await
        }
        Command::Priority { id, place } => {
            lifecycle::prioritise(context, &id, place, terminal).await
        }
        Command::Pause { id } => lifecycle::pause(context, &id, terminal).await,
        Command::Resume { id } => lifecycle::resume(context, &id, terminal).await,
        Command::Files { id, only, skip, all } => {
            files::files(context, &id, chosen(only, skip, all), terminal).await
        }
        Command::Review { id } => review::review(context, &id, terminal).await,
        Command::Recognize { id } => review::recognize(context, &id, terminal).await,
        Command::Hint { id, text } => said::hint(context, &id, &text, terminal).await,
        Command::Override { id, field, value, remove: _, remember } => {
            let body = value.map(|value| OverrideBody { value, remember });
            said::set(context, &id, &field, body, terminal).await
        }
        Command::Remembered { command } => remembered::remembered(context, command, terminal).await,
        Command::Ask { id, title, off } => said::ask(context, &id, title, off, terminal).await,
        Command::Accept { id, candidate } => {
            review::accept(context, &id, candidate.as_deref(), terminal).await
        }
        Command::Reject { id } => review::reject(context, &id, terminal).await,
        Command::Plan { id } => library::plan(context, &id, terminal).await,
        Command::Apply { id, plan, on_conflict } => {
            library::apply(context, &id, plan, on_conflict, terminal).await
        }
        Command::Relink { id } => library::relink(context, &id, terminal).await,
        Command::Undo { batch } => library::undo(context, &batch, terminal).await,
        Command::Verify { id } => library::verify(context, id.as_deref(), terminal).await,
        Command::Parse { names } => parse::parse(context, &names, terminal),
        Command::Seeding => seeding::seeding(context, terminal).await,
        Command::Discover => lifecycle::discover(context, terminal).await,
        Command::Adopt { infohash: Some(infohash), client, .. } => {
            lifecycle::adopt(context, &infohash, client, terminal).await
        }
        Command::Adopt { dry_run: true, client, .. } => {
            adopt_all::rehearse(context, client, terminal).await
        }
        Command::Adopt { client, yes, .. } => {
            adopt_all::adopt_all(context, client, yes, terminal).await
        }
        Command::Db(command) => db::db(context, command, terminal).await,
        Command::Backup { command } => backup::backup(context, command, terminal).await,
        Command::Restore { source, dry_run, yes } => {
            restore::restore(context, &source, dry_run, yes, terminal).await
        }
        Command::Jobs { page, command } => jobs::jobs(context, page, command, terminal).await,
        Command::Doctor => health::doctor(context, terminal).await,
        Command::Healthcheck => Ok(health::healthcheck(context, terminal).await),
        Command::Demo { keep } => demo::demo(context, keep, terminal).await,
        Command::Config(command) => config::config(context, &command, terminal),
        Command::Notify(command) => notify::notify(context, command, terminal).await,
        Command::User(command) => user::user(context, command, terminal).await,
        Command::Token(command) => token::token(context, command, terminal).await,
        Command::Completions { shell } => shell::completions(shell, terminal),
        Command::Man { dir: None } => shell::man(terminal),
        Command::Man { dir: Some(dir) } => shell::man_pages(&dir, terminal),
    }
}

/// What is wanted of the files of a download.
fn chosen(only: Option<Indexes>, skip: Option<Indexes>, all: bool) -> Choice {
    match (only, skip) {
        (Some(only), _) => Choice::Only(only),
        (None, Some(skip)) => Choice::Skip(skip),
        (None, None) if all => Choice::Skip(Indexes::default()),
        (None, None) => Choice::Look,
    }
}

/// An id in any letter case. What is none cannot be found, so it is not asked for.
pub(crate) fn parse_id(text: &str) -> Result<AnyId, ApiFailure> {
    text.trim().parse().map_err(|error| {
        ApiFailure::not_found(format!("{text:?} is no id ({error}); `tracker list` shows ids"))
    })
}
