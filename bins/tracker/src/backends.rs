//! What the command line needs of the program around it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tracker_app::App;
use tracker_cli::{
    Access, Api, ApiFailure, Backends, CheckFinding, CheckReport, ConfigChecked, ConfigText, Demo,
    LocalApi, MigrateRequest, MigratedTable, MigrationNote, MigrationReport, MigrationStep, People,
    PreparedRestore, RestoreFrom, Tokens,
};
use tracker_domain::ports::{Clock, NobodyWatches};
use tracker_domain::{Actor, Secret};
use tracker_store::{Db, migrate};
use tracker_system::{LockError, SystemClock, WorkerLock, login_name};
use tracker_wire::HealthDto;

use crate::config::{self, Config, Environment, Flags, Loaded};
#[cfg(feature = "embedded")]
use crate::demo;
use crate::place::Opened;
use crate::restoring::Restoring;
use crate::supervision::Supervision;
use crate::workers::Workers;
use crate::{logging, place, serve, wiring, workers};

/// This process.
pub(crate) struct Program {
    environment: Environment,
    flags: Flags,
    daemon: bool,
    /// What has to live as long as the services that were handed out.
    kept: Mutex<Vec<Kept>>,
    /// The workers of `ingest --wait`.
    working: Mutex<Option<Workers>>,
}

/// Locks, and the folder of a database that stands for a missing one.
enum Kept {
    Database { _opened: Opened },
    Scratch { _folder: Scratch },
    Workers { _lock: WorkerLock },
}

/// A folder that goes away with it.
pub(crate) struct Scratch(pub PathBuf);

impl Scratch {
    /// Leaves the folder where it is.
    #[cfg(feature = "embedded")]
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It lies in the folder for temporary files: what stays is swept there.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Program {
    pub(crate) fn new(environment: Environment, flags: Flags, daemon: bool) -> Self {
        Program { environment, flags, daemon, kept: Mutex::default(), working: Mutex::default() }
    }

    fn load(&self) -> Result<Loaded, ApiFailure> {
        let loaded = config::load(&self.environment, &self.flags)
            .map_err(|error| ApiFailure::usage(error.to_string()))?;
        logging::start(&loaded.config.log, self.daemon);
        Ok(loaded)
    }

    /// The services on the database of this machine.
    fn app(&self, access: Access) -> Result<App, ApiFailure> {
        let config = self.load()?.config;
        if access == Access::Links {
            // Folders in a library are made as the daemon makes them.
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(config.general.umask));
            place::ready(&config.general.data_dir)?;
            let lock = WorkerLock::acquire(&config.general.data_dir).map_err(place::locked)?;
            self.keep(Kept::Workers { _lock: lock });
        }
        let db = self.database(&config, access)?;
        let clients = wiring::clients(&config)?;
        let backups = wiring::backups(&config, &db)?;
        let policy = wiring::policy(&config, &backups, &Arc::default());
        let pipeline = workers::pipeline(&config, policy, &db, &clients);
        let libraries = wiring::library_names(&config);
        let receivers = Arc::new(pipeline.clone());
        let app = App::new(db, clients, libraries, Arc::new(NobodyWatches), Arc::new(pipeline));
        let app = app.with_receivers(receivers).with_backups(backups);
        let app = app.with_languages(config.metadata.languages.clone());
        Ok(app.with_seeding(wiring::seeding(&config)))
    }

    fn database(&self, config: &Config, access: Access) -> Result<Db, ApiFailure> {
        let data_dir = &config.general.data_dir;
        let missing = !place::database(data_dir).exists();
        let opened = if missing && access == Access::Read {
            // A command that only looks makes nothing: it sees an empty one.
            let folder = self.scratch()?;
            let opened = place::stand_in(&folder.0)?;
            self.keep(Kept::Scratch { _folder: folder });
            opened
        } else {
            place::open(data_dir, false)?
        };
        let db = opened.db.clone();
        self.keep(Kept::Database { _opened: opened });
        Ok(db)
    }

    fn keep(&self, what: Kept) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    fn scratch(&self) -> Result<Scratch, ApiFailure> {
        let base = self.environment.vars.get("TMPDIR").map_or("/tmp", String::as_str);
        let now = SystemClock.now_ms().0;
        let folder = PathBuf::from(base).join(format!("tracker-{}-{now}", std::process::id()));
        std::fs::create_dir(&folder).map_err(|error| ApiFailure::failed(error.to_string()))?;
        Ok(Scratch(folder))
    }

    /// The migration on a copy, and what it would change.
    fn rehearsed(&self, data_dir: &Path, to: Option<u32>) -> Result<MigrationReport, ApiFailure> {
        place::local(data_dir)?;
        let path = place::database(data_dir);
        // Nothing is made where there is nothing: a new database is rehearsed elsewhere.
        let scratch = if data_dir.exists() { None } else { Some(self.scratch()?) };
        let path = scratch.as_ref().map_or(path, |folder| place::database(&folder.0));
        let rehearsal =
            migrate::rehearse(&path, to, SystemClock.now()).map_err(place::migration)?;
        let tables = rehearsal.tables.into_iter().map(|count| MigratedTable {
            table: count.table,
            before: count.before,
            after: count.after,
        });
        // How many rows went where is what the tables say.
        let notes = rehearsal.notes.into_iter().filter(|(what, _)| !what.starts_with("rows."));
        Ok(MigrationReport {
            from: rehearsal.from,
            to: rehearsal.to,
            dry_run: true,
            steps: steps(rehearsal.from, rehearsal.to),
            copy: None,
            tables: tables.collect(),
            notes: notes.map(|(what, count)| MigrationNote { what, count }).collect(),
            problems: findings(rehearsal.problems),
        })
    }

    fn local_api(&self, access: Access) -> Result<LocalApi, ApiFailure> {
        Ok(LocalApi::new(self.app(access)?, Actor::Cli(login_name())))
    }
}

/// The migrations from one version to another.
fn steps(from: u32, to: u32) -> Vec<MigrationStep> {
    migrate::names()
        .into_iter()
        .filter(|(version, _)| (from + 1..=to).contains(version))
        .map(|(version, name)| MigrationStep { version, name })
        .collect()
}

fn findings(problems: Vec<migrate::Problem>) -> Vec<CheckFinding> {
    let finding = |problem: migrate::Problem| CheckFinding {
        check: problem.code.to_owned(),
        detail: problem.detail,
    };
    problems.into_iter().map(finding).collect()
}

#[async_trait]
impl Backends for Program {
    fn data_dir(&self) -> Result<PathBuf, ApiFailure> {
        Ok(self.load()?.config.general.data_dir)
    }

    async fn local(&self, access: Access) -> Result<Box<dyn Api>, ApiFailure> {
        Ok(Box::new(self.local_api(access)?))
    }

    async fn tokens(&self, access: Access) -> Result<Box<dyn Tokens>, ApiFailure> {
        Ok(Box::new(self.local_api(access)?))
    }

    async fn people(&self, access: Access) -> Result<Box<dyn People>, ApiFailure> {
        Ok(Box::new(self.local_api(access)?))
    }

    fn address(&self) -> Result<String, ApiFailure> {
        let config = self.load()?.config;
        Ok(serve::url(&config, config.http.listen))
    }

    fn ask_secret(&self, prompt: &str) -> Result<Option<Secret>, ApiFailure> {
        tracker_cli::ask_secret(prompt).map_err(|error| ApiFailure::failed(error.to_string()))
    }

    async fn serve(&self) -> Result<(), ApiFailure> {
        let loaded = self.load()?;
        let manager = Supervision::of_vars(&self.environment.vars, std::process::id());
        serve::serve(&loaded, manager).await
    }

    async fn begin_work(&self) -> Result<Option<Box<dyn Api>>, ApiFailure> {
        let config = self.load()?.config;
        place::make_ready(&config.general)?;
        let lock = match WorkerLock::acquire(&config.general.data_dir) {
            Ok(lock) => lock,
            Err(LockError::Held { .. }) => return Ok(None),
            Err(error) => return Err(place::locked(error)),
        };
        let mut workers = Workers::prepare(&config, lock)?;
        workers.recover().await?;
        workers.start();
        let api = LocalApi::new(workers.app.clone(), Actor::Cli(login_name()));
        *self.working.lock().unwrap_or_else(PoisonError::into_inner) = Some(workers);
        Ok(Some(Box::new(api)))
    }

    async fn end_work(&self) {
        let working = self.working.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(workers) = working {
            workers.end().await;
        }
    }

    #[cfg(feature = "embedded")]
    async fn demo(&self, keep: bool) -> Result<Demo, ApiFailure> {
        demo::set_up(self.scratch()?, keep).await
    }

    #[cfg(not(feature = "embedded"))]
    async fn demo(&self, _keep: bool) -> Result<Demo, ApiFailure> {
        Err(ApiFailure::usage("the embedded engine, which the demo needs, is not in this build"))
    }

    async fn doctor(&self) -> Result<HealthDto, ApiFailure> {
        let config = self.load()?.config;
        let db = self.database(&config, Access::Read)?;
        workers::doctor(&config, db).await
    }

    async fn db_migrate(&self, request: MigrateRequest) -> Result<MigrationReport, ApiFailure> {
        let data_dir = self.load()?.config.general.data_dir;
        if request.dry_run {
            return self.rehearsed(&data_dir, request.to);
        }
        let (report, _lock) = place::migrate_database(&data_dir, request.to)?;
        if report.to == migrate::LATEST {
            // The journal tells of the migration at the first open.
            place::open(&data_dir, false)?;
        }
        Ok(MigrationReport {
            from: report.from,
            to: report.to,
            steps: steps(report.from, report.to),
            copy: report.copy,
            ..MigrationReport::default()
        })
    }

    async fn prepare_restore(
        &self,
        from: RestoreFrom,
    ) -> Result<Box<dyn PreparedRestore>, ApiFailure> {
        Ok(Box::new(Restoring::prepare(&self.load()?.config, from).await?))
    }

    async fn db_check(&self) -> Result<CheckReport, ApiFailure> {
        let data_dir = self.load()?.config.general.data_dir;
        place::local(&data_dir)?;
        let found =
            tracker_store::check_file(&place::database(&data_dir)).map_err(place::migration)?;
        let Some((version, report)) = found else {
            return Ok(CheckReport { version: 0, findings: Vec::new() });
        };
        if version > migrate::LATEST {
            // Its rules are not known here, so nothing can be said about it.
            let (database, program) = (version, migrate::LATEST);
            return Err(place::migration(migrate::MigrateError::TooNew { database, program }));
        }
        Ok(CheckReport { version, findings: findings(report.problems) })
    }

    fn config_show(&self) -> Result<ConfigText, ApiFailure> {
        let loaded = self.load()?;
        Ok(ConfigText {
            human: config::show::human(&loaded.values),
            json: config::show::json(loaded.file.as_deref(), &loaded.values),
        })
    }

    fn config_check(&self) -> Result<ConfigChecked, ApiFailure> {
        let loaded = self.load()?;
        let examples = loaded.config.naming.names.examples().into_iter();
        let names = examples.map(|one| (one.what, one.path.display().to_string())).collect();
        Ok(ConfigChecked { file: loaded.file, names })
    }

    fn config_template(&self) -> String {
        config::template().to_owned()
    }

    fn config_init(&self) -> Result<PathBuf, ApiFailure> {
        config::init(&self.environment, &self.flags)
            .map_err(|error| ApiFailure::refused("exists", error.to_string()))
    }
}
