//! The database handle: one writer, several readers, and the only place that
//! opens a write transaction.
//!
//! Nothing here decides anything; the guards are in [`crate::lifecycle`].

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use r2d2::Pool;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore, watch};
use tokio::{task, time};
use tracker_domain::Actor;
use tracker_domain::ports::Clock;
use tracker_ident::Generator;

use crate::migrate;
use crate::{ReadTx, StoreError, WriteTx};

/// Readers at one time. More would only wait for the disk together.
const READERS: u32 = 4;

/// How long a write waits for those before it, and for the write lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A handle on the database; clones share it.
#[derive(Clone)]
pub struct Db(Arc<Inner>);

struct Inner {
    writer: Pool<SqliteConnectionManager>,
    /// Held from before a blocking thread is taken until the write has ended.
    turn: Arc<Mutex<()>>,
    /// How long a write waits, in milliseconds.
    patience: AtomicU64,
    readers: Pool<SqliteConnectionManager>,
    reading: Semaphore,
    clock: Arc<dyn Clock>,
    ids: Generator,
    changed: watch::Sender<u64>,
    /// Never writes. What it is asked means something on one connection only.
    watcher: std::sync::Mutex<Connection>,
}

impl Db {
    /// Opens a database whose schema is current.
    ///
    /// # Errors
    /// When the file cannot be opened, or its schema is older or newer than
    /// this program.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let db = Self::open_untold(path, clock)?;
        crate::system::record_migrations(&db)?;
        Ok(db)
    }

    /// The same without an entry in the journal about migrations: for a database
    /// that stands in for one that is not there, and has to look empty.
    ///
    /// # Errors
    /// As [`Db::open`].
    pub fn open_untold(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let writer = Pool::builder().max_size(1).build(manager(path).with_init(init_writer))?;
        let found = migrate::version_of(&*writer.get()?).map_err(|error| StoreError::Corrupt {
            table: "refinery_schema_history",
            column: "version",
            found: String::new(),
            detail: error.to_string(),
        })?;
        let expected = migrate::LATEST;
        if found < expected {
            return Err(StoreError::Outdated { found, expected });
        }
        if found > expected {
            return Err(StoreError::TooNew { found, expected });
        }
        let readers = Pool::builder()
            .max_size(READERS)
            .min_idle(Some(1))
            .build(manager(path).with_init(init_reader))?;
        let mut watcher = Connection::open_with_flags(path, FLAGS)?;
        init_reader(&mut watcher)?;
        let db = Db(Arc::new(Inner {
            writer,
            turn: Arc::new(Mutex::new(())),
            patience: AtomicU64::new(0),
            readers,
            reading: Semaphore::new(READERS as usize),
            clock,
            ids: Generator::new(),
            changed: watch::Sender::new(0),
            watcher: std::sync::Mutex::new(watcher),
        }));
        db.set_patience(BUSY_TIMEOUT);
        Ok(db)
    }

    /// The clock that rows are stamped with.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.clock
    }

    /// Changes how long writes wait for others, which is 10 seconds.
    pub fn set_patience(&self, patience: Duration) {
        let millis = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        self.0.patience.store(millis, Ordering::Relaxed);
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(self.0.patience.load(Ordering::Relaxed))
    }

    /// Runs `body` in one write transaction. What it returns decides: an `Ok`
    /// is committed, an `Err` leaves nothing behind.
    ///
    /// The write finishes even when the caller goes away meanwhile.
    ///
    /// # Errors
    /// What `body` returns, or a fault of the database; one that is busy is left alone
    /// after 10 seconds.
    pub async fn write<T, E>(
        &self,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let patience = self.patience();
        // Queue before taking a blocking thread.
        let turn = time::timeout(patience, self.0.turn.clone().lock_owned()).await;
        let turn = turn.map_err(|_| E::from(StoreError::Busy))?;
        self.write_in_turn(turn, actor, patience, body).await
    }

    /// [`Db::write`] for what nobody should wait for: where somebody writes, here or in
    /// another process, nothing is done, and it tells so by `None`.
    ///
    /// # Errors
    /// As [`Db::write`].
    pub async fn write_if_idle<T: Send + 'static>(
        &self,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let Ok(turn) = self.0.turn.clone().try_lock_owned() else { return Ok(None) };
        match self.write_in_turn(turn, actor, Duration::ZERO, body).await {
            Err(error) if error.is_busy() => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    /// The turn moves into the closure: if the caller is dropped the write still
    /// finishes, and only then may the next one start.
    async fn write_in_turn<T, E>(
        &self,
        turn: OwnedMutexGuard<()>,
        actor: &Actor,
        patience: Duration,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let db = self.clone();
        let actor = actor.clone();
        let job = task::spawn_blocking(move || {
            let outcome = db.write_within(patience, &actor, body);
            drop(turn);
            outcome
        });
        match job.await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(StoreError::ShuttingDown.into()),
        }
    }

    /// [`Db::write`] for threads without a runtime. Never call it from async
    /// code: it blocks.
    ///
    /// # Errors
    /// What `body` returns, or a fault of the database.
    pub fn write_blocking<T, E: From<StoreError>>(
        &self,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let _turn = self.0.turn.blocking_lock();
        self.write_here(actor, body)
    }

    /// A write of whoever needs no turn.
    pub(crate) fn write_here<T, E: From<StoreError>>(
        &self,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write_within(self.patience(), actor, body)
    }

    /// The write door: the only place that begins a write transaction.
    fn write_within<T, E: From<StoreError>>(
        &self,
        patience: Duration,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut conn = self.0.writer.get().map_err(StoreError::from)?;
        conn.busy_timeout(patience).map_err(StoreError::from)?;
        // IMMEDIATE takes the write lock before the first read, so a guard that
        // was checked inside the body still holds at COMMIT.
        let tx = conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let mut tx = WriteTx::new(tx, self.0.clock.now_ms(), actor.clone(), &self.0.ids)?;
        let value = body(&mut tx)?;
        if tx.commit()? {
            self.0.changed.send_modify(|count| *count += 1);
        }
        Ok(value)
    }

    /// Runs `body` on a consistent snapshot.
    ///
    /// # Errors
    /// What `body` returns, or a fault of the database.
    pub async fn read<T, E>(
        &self,
        body: impl FnOnce(&ReadTx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        // The semaphore is never closed while the handle lives.
        let _permit =
            self.0.reading.acquire().await.map_err(|_| E::from(StoreError::ShuttingDown))?;
        let db = self.clone();
        match task::spawn_blocking(move || db.read_blocking(body)).await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(StoreError::ShuttingDown.into()),
        }
    }

    /// [`Db::read`] for threads without a runtime.
    ///
    /// # Errors
    /// What `body` returns, or a fault of the database.
    pub fn read_blocking<T, E: From<StoreError>>(
        &self,
        body: impl FnOnce(&ReadTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut conn = self.0.readers.get().map_err(StoreError::from)?;
        let tx = conn.transaction().map_err(StoreError::from)?;
        body(&ReadTx::new(tx))
    }

    /// Runs `body` on a connection of a reader, without a transaction around it.
    pub(crate) async fn on_reader<T: Send + 'static>(
        &self,
        body: impl FnOnce(&Connection) -> Result<T, migrate::MigrateError> + Send + 'static,
    ) -> Result<T, migrate::MigrateError> {
        let going_down = || migrate::MigrateError::Sqlite(rusqlite::Error::InvalidQuery);
        let _permit = self.0.reading.acquire().await.map_err(|_| going_down())?;
        let db = self.clone();
        let job = task::spawn_blocking(move || {
            let conn = db.0.readers.get().map_err(|error| {
                let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN);
                rusqlite::Error::SqliteFailure(code, Some(error.to_string()))
            })?;
            body(&conn)
        });
        match job.await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(going_down()),
        }
    }

    /// A number that is another one after every commit, of whichever process. Ask before
    /// looking, or a change that lands in between is taken for seen.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn version(&self) -> Result<u64, StoreError> {
        let db = self.clone();
        let job = task::spawn_blocking(move || {
            let watcher = db.0.watcher.lock().unwrap_or_else(PoisonError::into_inner);
            let mut version = watcher.prepare_cached("PRAGMA data_version")?;
            Ok(version.query_row([], |row| row.get::<_, i64>(0))?.unsigned_abs())
        });
        job.await.map_err(|_| StoreError::ShuttingDown)?
    }

    /// Tells of each committed write of this process. Register before looking,
    /// or a change that lands in between is missed.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changed.subscribe()
    }
}

/// Never creates the file: a database is made by migrating it.
const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

fn manager(path: &Path) -> SqliteConnectionManager {
    SqliteConnectionManager::file(path).with_flags(FLAGS)
}

fn init_common(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.set_prepared_statement_cache_capacity(128);
    // Plans do not depend on bound values: without this, each new value of a `LIMIT ?`
    // has SQLite compile the statement again, kept or not.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // SQLite folds the case of ASCII only; names are in every script.
    conn.create_scalar_function(
        "folded",
        1,
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC,
        |context| Ok(context.get::<String>(0)?.to_lowercase()),
    )?;
    conn.execute_batch("PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;")
}

fn init_writer(conn: &mut Connection) -> Result<(), rusqlite::Error> {
    init_common(conn)?;
    // FULL: what was acknowledged survives a power cut, not only a crash.
    conn.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
}

fn init_reader(conn: &mut Connection) -> Result<(), rusqlite::Error> {
    init_common(conn)?;
    conn.execute_batch("PRAGMA query_only=ON;")
}
