//! The session, from its first use on, and what keeps it true: the device it is
//! bound to, the links whose metadata is awaited, the limits of seeding.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use librqbit::api::TorrentIdOrHash;
use librqbit::dht::DhtPersistenceConfig;
use librqbit::limits::LimitsConfig;
use librqbit::{
    AddTorrent, AddTorrentOptions, AddTorrentResponse, ConnectionOptions, DhtSessionConfig,
    ListenerMode, ListenerOptions, ManagedTorrent, Session, SessionOptions,
    SessionPersistenceConfig,
};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::AbortOnDropHandle;
use tracing::{info, warn};
use tracker_domain::ports::{ClientError, Clock};
use tracker_domain::{InfohashV1, Magnet, Torrent, UnixMillis};

use crate::book::{Book, Record};
use crate::config::EmbeddedConfig;
use crate::{device, fetch, metadata, room, seeding};

/// How often the device and the limits of seeding are looked at.
const TICK: Duration = Duration::from_secs(2);

/// Ticks after which what was only noted is written: a minute of counts is all that a
/// crash may cost.
const FLUSH: u32 = 30;

/// More time than this between two looks was none in which it seeded.
const LONGEST_LOOK_MS: u64 = 60_000;

/// Where the engine keeps what it has of each torrent.
const SESSION: &str = "session";

/// One torrent in the session.
pub(crate) type Managed = Arc<ManagedTorrent>;

/// The engine. It starts with the first call, and one process has it at a time.
pub(crate) struct Engine {
    pub config: EmbeddedConfig,
    pub clock: Arc<dyn Clock>,
    running: tokio::sync::Mutex<Option<Running>>,
}

struct Running {
    up: Up,
    /// Ends the watch.
    _watch: DropGuard,
}

/// What a call works with while the engine runs.
#[derive(Clone)]
pub(crate) struct Up {
    pub session: Arc<Session>,
    book: Arc<Mutex<Book>>,
    /// The links whose metadata is awaited.
    fetches: Arc<Mutex<HashMap<InfohashV1, AbortOnDropHandle<()>>>>,
    /// Bytes that had left at the last look, for each torrent.
    uploads: Arc<Mutex<HashMap<InfohashV1, u64>>>,
    /// Those that are being given to the session: nobody sees them before it has them.
    coming: Arc<Mutex<HashSet<InfohashV1>>>,
    /// Why the session does not have what it was to have.
    faults: Arc<Mutex<HashMap<InfohashV1, String>>>,
    /// How many files this process may have open.
    open_files: u64,
    /// Nobody else works on the same folder.
    _lock: Arc<File>,
}

/// A torrent that is being given to the session, until this is dropped.
pub(crate) struct Coming {
    all: Arc<Mutex<HashSet<InfohashV1>>>,
    v1: InfohashV1,
}

impl Drop for Coming {
    fn drop(&mut self) {
        locked(&self.all).remove(&self.v1);
    }
}

/// None of these is left half done by a panic.
fn locked<T>(one: &Mutex<T>) -> MutexGuard<'_, T> {
    one.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    pub(crate) fn new(config: EmbeddedConfig, clock: Arc<dyn Clock>) -> Self {
        Engine { config, clock, running: tokio::sync::Mutex::default() }
    }

    /// The running engine; starts it where it does not run.
    pub(crate) async fn up(self: &Arc<Self>) -> Result<Up, ClientError> {
        let mut running = self.running.lock().await;
        if let Some(name) = self.absent_device() {
            self.stand_still(&mut running).await;
            return Err(ClientError::Unreachable(format!(
                "the network device {name:?} is away, and nothing goes another way; bring it up"
            )));
        }
        if let Some(running) = &*running {
            return Ok(running.up.clone());
        }
        let up = self.start().await?;
        let token = CancellationToken::new();
        tokio::spawn(watch(Arc::downgrade(self), token.child_token()));
        *running = Some(Running { up: up.clone(), _watch: token.drop_guard() });
        drop(running);
        self.resume(&up).await;
        Ok(up)
    }

    fn absent_device(&self) -> Option<&str> {
        self.config.bind_device.as_deref().filter(|name| !device::is_there(name))
    }

    async fn stand_still(&self, running: &mut Option<Running>) {
        let Some(gone) = running.take() else { return };
        warn!(client = %self.config.name, "the network device is away: the engine stands still");
        gone.up.fetches().clear();
        gone.up.session.stop().await;
    }

    async fn start(&self) -> Result<Up, ClientError> {
        let failed = |what: &str, why: String| {
            ClientError::Unreachable(format!("the engine cannot start: {what}: {why}"))
        };
        let (folder, downloads) = (self.config.state_dir.clone(), self.config.download_dir.clone());
        let opened = tokio::task::spawn_blocking(move || {
            // Looked at from now on, by health as well.
            std::fs::create_dir_all(&downloads)
                .map_err(|error| format!("cannot make {}: {error}", downloads.display()))?;
            let first = !folder.join("torrents.json").exists();
            let book = Book::open(&folder).map_err(|error| error.to_string())?;
            let lock = File::create(folder.join("engine.lock")).map_err(|e| e.to_string())?;
            lock.try_lock().map_err(|_| "another process runs it".to_owned())?;
            forget_list(&folder.join(SESSION)).map_err(|error| error.to_string())?;
            Ok::<_, String>((book, lock, first))
        });
        let opened = opened.await.map_err(|error| failed("its folder", error.to_string()))?;
        let (book, lock, first) =
            opened.map_err(|why| failed(&self.config.state_dir.display().to_string(), why))?;
        let session = Session::new_with_opts(self.config.download_dir.clone(), self.options());
        let session = session.await.map_err(|error| {
            let mut why = format!("{error:#}");
            // It may tell the whole address of the proxy, with its password.
            if let Some(proxy) = &self.config.proxy {
                why = why.replace(proxy.expose(), "***");
            }
            failed("its session", why)
        })?;
        if first && self.config.bind_device.is_none() {
            info!(
                client = %self.config.name,
                "peers see the address of this machine; bind_device of the [[client]] binds the \
                 engine to the device of a VPN"
            );
        }
        info!(client = %self.config.name, port = session.listen_addr().map(|address| address.port()), "engine started");
        Ok(Up {
            session,
            book: Arc::new(Mutex::new(book)),
            fetches: Arc::default(),
            uploads: Arc::default(),
            coming: Arc::default(),
            faults: Arc::default(),
            open_files: self.config.open_files.unwrap_or_else(room::limit),
            _lock: Arc::new(lock),
        })
    }

    fn options(&self) -> SessionOptions {
        let config = &self.config;
        let ip = config.listen_ip.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
        let state = &config.state_dir;
        let dht = DhtSessionConfig {
            persistence: Some(DhtPersistenceConfig {
                config_filename: Some(state.join("dht.json")),
                dump_interval: None,
            }),
            ..DhtSessionConfig::default()
        };
        SessionOptions {
            dht: config.dht.then_some(dht),
            bind_device_name: config.bind_device.clone(),
            fastresume: true,
            persistence: Some(SessionPersistenceConfig::Json { folder: Some(state.join(SESSION)) }),
            listen: Some(ListenerOptions {
                mode: ListenerMode::TcpOnly,
                listen_addr: SocketAddr::new(ip, config.listen_port.unwrap_or(0)),
                enable_upnp_port_forwarding: false,
                ipv4_only: ip.is_ipv4(),
                ..ListenerOptions::default()
            }),
            connect: Some(ConnectionOptions {
                proxy_url: config.proxy.as_ref().map(|proxy| proxy.expose().to_owned()),
                ..ConnectionOptions::default()
            }),
            ratelimits: LimitsConfig {
                upload_bps: config.upload_bps,
                download_bps: config.download_bps,
            },
            disable_local_service_discovery: true,
            ipv4_only: ip.is_ipv4(),
            ..SessionOptions::default()
        }
    }

    /// Goes on with everything that is written down.
    async fn resume(self: &Arc<Self>, up: &Up) {
        let known: Vec<(InfohashV1, Record)> =
            up.read(|book| book.iter().map(|(v1, record)| (v1, record.clone())).collect());
        for (v1, record) in known {
            if record.stopped && up.read(|book| book.torrent(v1)).is_none() {
                continue;
            }
            if let Err(error) = self.begin(up, v1).await {
                warn!(client = %self.config.name, error = %error, "a torrent cannot go on");
            }
        }
    }

    /// Begins with a torrent that is written down: by its `.torrent` where that is
    /// known, else by asking peers for it.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        up: &Up,
        v1: InfohashV1,
    ) -> Result<(), ClientError> {
        match up.read(|book| book.torrent(v1)) {
            Some(bytes) => {
                let link = up.read(|book| book.get(v1).and_then(|record| record.link.clone()));
                let peers = link.as_deref().map(peers_of).unwrap_or_default();
                self.manage(up, v1, bytes, peers).await
            }
            None => {
                // Without the list of such tasks: it ends them when it is dropped.
                let own = Up { fetches: Arc::default(), ..up.clone() };
                let task = tokio::spawn(fetch::until_known(Arc::downgrade(self), own, v1));
                up.fetches().insert(v1, AbortOnDropHandle::new(task));
                Ok(())
            }
        }
    }

    /// Gives a torrent whose metadata is known to the session, and keeps in mind why that
    /// cannot be done.
    pub(crate) async fn manage(
        &self,
        up: &Up,
        v1: InfohashV1,
        bytes: Vec<u8>,
        peers: Vec<SocketAddr>,
    ) -> Result<(), ClientError> {
        let done = self.give(up, v1, bytes, peers).await;
        let mut faults = locked(&up.faults);
        match &done {
            Ok(()) => faults.remove(&v1),
            Err(error) => faults.insert(v1, error.to_string()),
        };
        drop(faults);
        done
    }

    async fn give(
        &self,
        up: &Up,
        v1: InfohashV1,
        bytes: Vec<u8>,
        peers: Vec<SocketAddr>,
    ) -> Result<(), ClientError> {
        let Some(record) = up.read(|book| book.get(v1).cloned()) else { return Ok(()) };
        let torrent =
            Torrent::parse(&bytes).map_err(|error| ClientError::Rejected(error.to_string()))?;
        let listed = metadata::listed(&bytes);
        // The session would fail amid them, with those that it has made left over.
        if up.managed(v1).is_none()
            && let Some(why) = room::refusal(listed.unwrap_or(1), up.open_files)
        {
            return Err(ClientError::Rejected(why));
        }
        let folder = metadata::folder_of(&record.save_path, v1, &torrent, listed.is_some());
        let folder = folder.to_str().ok_or_else(|| {
            ClientError::Rejected(format!("{} is no text in UTF-8", folder.display()))
        })?;
        let options = AddTorrentOptions {
            paused: record.stopped,
            // What is there is checked, and what is right of it is kept.
            overwrite: true,
            output_folder: Some(folder.to_owned()),
            only_files: record.chosen.clone(),
            initial_peers: (!peers.is_empty()).then_some(peers),
            ..AddTorrentOptions::default()
        };
        let (known, name) = (torrent.infohashes().clone(), torrent.name().to_owned());
        let kept = bytes.clone();
        up.write(move |book| {
            if book.torrent(v1).as_ref() != Some(&kept) {
                book.keep_torrent(v1, &kept)?;
            }
            book.change(v1, |record| {
                let known = record.infohashes(v1).union(&known);
                record.hashes = known.iter().map(|hash| hash.to_string()).collect();
                record.name = name;
            })
        })
        .await?;
        let added = up.add(AddTorrent::from_bytes(bytes), options).await;
        added.map(drop).map_err(ClientError::Rejected)
    }
}

/// The peers that a link names.
pub(crate) fn peers_of(link: &str) -> Vec<SocketAddr> {
    let magnet = Magnet::parse(link).ok();
    let peers = magnet.iter().flat_map(Magnet::peers);
    peers.filter_map(|peer| peer.parse().ok()).collect()
}

/// Takes the engine's own list of torrents away. Ours is the whole one: from theirs
/// a torrent would come back without the peers of its link. What is there of each
/// torrent is kept beside that list, by infohash, and stays.
fn forget_list(session: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(session.join("session.json")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Up {
    /// Gives something to the session. What it comes to grief of, also by a panic, is
    /// an error: the bytes are foreign, and nobody else must suffer from them.
    pub(crate) async fn add(
        &self,
        what: AddTorrent<'static>,
        options: AddTorrentOptions,
    ) -> Result<AddTorrentResponse, String> {
        let session = Arc::clone(&self.session);
        let adding = tokio::spawn(async move { session.add_torrent(what, Some(options)).await });
        // Given up with the question.
        let adding = AbortOnDropHandle::new(adding);
        match adding.await {
            Ok(added) => added.map_err(|error| format!("{error:#}")),
            Err(_) => Err("the engine cannot read it".to_owned()),
        }
    }

    /// The torrent in the session.
    pub(crate) fn managed(&self, v1: InfohashV1) -> Option<Managed> {
        let id = v1.to_string().parse().ok()?;
        self.session.get(TorrentIdOrHash::Hash(id))
    }

    /// Forgets a link whose metadata is awaited.
    pub(crate) fn give_up_fetch(&self, v1: InfohashV1) {
        self.fetches().remove(&v1);
    }

    fn fetches(&self) -> MutexGuard<'_, HashMap<InfohashV1, AbortOnDropHandle<()>>> {
        locked(&self.fetches)
    }

    /// Hides a torrent for as long as it is not known whether it is taken.
    pub(crate) fn coming(&self, v1: InfohashV1) -> Coming {
        locked(&self.coming).insert(v1);
        Coming { all: Arc::clone(&self.coming), v1 }
    }

    pub(crate) fn is_coming(&self, v1: InfohashV1) -> bool {
        locked(&self.coming).contains(&v1)
    }

    /// Why the session does not have it.
    pub(crate) fn fault(&self, v1: InfohashV1) -> Option<String> {
        locked(&self.faults).get(&v1).cloned()
    }

    pub(crate) fn forget_fault(&self, v1: InfohashV1) {
        locked(&self.faults).remove(&v1);
    }

    /// Looks at what is written down.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Book) -> T) -> T {
        look(&locked(&self.book))
    }

    /// Counts the bytes that left since the last look. The engine counts anew after
    /// each pause.
    pub(crate) fn left_since(&self, v1: InfohashV1, uploaded_bytes: u64) -> u64 {
        let mut uploads = locked(&self.uploads);
        let before = uploads.insert(v1, uploaded_bytes).unwrap_or(0);
        uploaded_bytes.checked_sub(before).unwrap_or(uploaded_bytes)
    }

    /// Notes what may be lost: it is written with the next change, or a minute later.
    pub(crate) fn note(&self, v1: InfohashV1, change: impl FnOnce(&mut Record)) {
        locked(&self.book).note(v1, change);
    }

    /// Writes something down, off the async threads.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Book) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T, ClientError> {
        let book = Arc::clone(&self.book);
        let done = tokio::task::spawn_blocking(move || change(&mut locked(&book)));
        let done = done.await.map_err(std::io::Error::other).flatten();
        done.map_err(|error| {
            ClientError::Unreachable(format!("the engine cannot write its list: {error}"))
        })
    }
}

/// Looks at the device and at the limits of seeding until the engine ends.
async fn watch(engine: std::sync::Weak<Engine>, token: CancellationToken) {
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut since_flush = 0;
    let mut looked: Option<UnixMillis> = None;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = token.cancelled() => return,
        }
        let Some(engine) = engine.upgrade() else { return };
        let mut running = engine.running.lock().await;
        if engine.absent_device().is_some() {
            engine.stand_still(&mut running).await;
            return;
        }
        let Some(up) = running.as_ref().map(|running| running.up.clone()) else { return };
        drop(running);
        let now = engine.clock.now_ms();
        // A machine that slept has not seeded meanwhile, and a clock may be set.
        let passed = looked.map_or(0, |before| now.since(before)).min(LONGEST_LOOK_MS);
        looked = Some(now);
        seeding::look(&engine, &up, passed).await;
        since_flush += 1;
        if since_flush >= FLUSH && up.write(Book::flush).await.is_ok() {
            since_flush = 0;
        }
    }
}
