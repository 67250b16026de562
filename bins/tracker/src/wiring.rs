//! From the configuration to the parts: each gets the small policy it needs.

use std::collections::BTreeMap;
#[cfg(feature = "embedded")]
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tracing::{info, warn};
use tracker_backup::Backups;
use tracker_cli::ApiFailure;
use tracker_domain::Secret;
use tracker_domain::metadata::Provider;
use tracker_domain::notify::NotifyRules;
use tracker_domain::ports::{Images, MediaServer, MetadataSource, NoImages, WatchFolder};
#[cfg(feature = "embedded")]
use tracker_domain::seeding::Limit;
use tracker_domain::seeding::{SeedingRules, SeedingWords};
#[cfg(feature = "embedded")]
use tracker_embedded::{Embedded, EmbeddedConfig, SeedLimits};
use tracker_ingest::{ClientEntry, ClientPolicy, Clients, MARK};
use tracker_mediaserver::{Jellyfin, MediaServerConfig, MediaServerConfigError, Plex};
use tracker_metadata::{
    MetadataConfigError, Posters, PostersConfig, Tmdb, TmdbConfig, Tvmaze, TvmazeConfig,
};
use tracker_pipeline::{
    AutoAccept, BackupPlan, MediaServers, Notifiers, Policy, Sources, Subscriber,
};
use tracker_qbittorrent::{Marking, PathMapping, Qbittorrent, QbittorrentConfig};
use tracker_store::Db;
use tracker_system::{LocalWatchFolder, SystemClock};
use tracker_telegram::Notices;
use tracker_webhook::{Webhook, WebhookConfig, WebhookConfigError, WebhookKind};

use crate::config::{self, ClientKind, Config, MediaServerKind, NotifyKind};
use crate::{backup_target, place};

/// One call to a client; a listing may take twice as long.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// The engine is in this process: asking costs next to nothing.
#[cfg(feature = "embedded")]
const ENGINE_POLL: Duration = Duration::from_secs(1);

/// The configured clients that this build has.
pub(crate) fn clients(config: &Config) -> Result<Clients, ApiFailure> {
    let mut entries = Vec::new();
    for client in &config.clients {
        match &client.kind {
            ClientKind::Qbittorrent(settings) => entries.push(qbittorrent(client, settings)?),
            #[cfg(feature = "embedded")]
            ClientKind::Embedded(settings) => {
                entries.push(embedded(config, client, settings));
            }
            #[cfg(not(feature = "embedded"))]
            ClientKind::Embedded(_) => {
                warn!(client = %client.name, "the embedded engine is not part of this build");
            }
        }
    }
    Ok(Clients::new(entries))
}

fn qbittorrent(
    client: &config::Client,
    settings: &config::Qbittorrent,
) -> Result<ClientEntry, ApiFailure> {
    let config::Client { name, rule, .. } = client;
    let adapter = QbittorrentConfig {
        name: name.clone(),
        url: settings.url.to_string(),
        username: settings.username.clone().unwrap_or_default(),
        password: settings.password.clone().unwrap_or_else(|| Secret::new("")),
        api_key: settings.api_key.clone(),
        path_map: settings
            .path_map
            .iter()
            .map(|pair| PathMapping { client: pair.theirs.clone(), local: pair.local.clone() })
            .collect(),
        timeout: CLIENT_TIMEOUT,
        ours: if settings.tags { Marking::Tag(MARK.to_owned()) } else { Marking::Everything },
    };
    let built = Qbittorrent::new(adapter, Arc::new(SystemClock))
        .map_err(|error| ApiFailure::usage(error.to_string()))?;
    Ok(ClientEntry {
        name: name.clone(),
        client: Arc::new(built),
        policy: ClientPolicy {
            save_path: settings.save_path.clone().unwrap_or_default(),
            own_folder: settings.own_folder,
            tags: settings.tags,
            category: settings.category.clone().unwrap_or_default(),
            poll_interval: settings.poll_interval,
            rule: rule.clone(),
        },
    })
}

/// The engine inside this process. It starts with the first question.
#[cfg(feature = "embedded")]
fn embedded(config: &Config, client: &config::Client, settings: &config::Embedded) -> ClientEntry {
    let (config::Client { name, rule, .. }, data_dir) = (client, &config.general.data_dir);
    // One policy holds: where a person has one, the engine has none.
    let seeding = if has_own_end(config, client) {
        SeedLimits { ratio: None, time: None }
    } else {
        SeedLimits::default()
    };
    let bps = |limit: u64| NonZeroU32::new(u32::try_from(limit).unwrap_or(u32::MAX));
    let config = EmbeddedConfig {
        listen_port: settings.listen_port,
        bind_device: settings.bind_device.clone(),
        dht: settings.dht,
        proxy: settings.proxy.as_ref().map(|proxy| Secret::new(proxy.as_str())),
        upload_bps: bps(settings.upload_limit),
        download_bps: bps(settings.download_limit),
        seeding,
        ..EmbeddedConfig::new(
            name,
            MARK,
            settings.download_dir.clone(),
            data_dir.join("engine").join(name),
        )
    };
    ClientEntry {
        name: name.to_owned(),
        client: Arc::new(Embedded::new(config, Arc::new(SystemClock))),
        policy: ClientPolicy {
            save_path: String::new(),
            own_folder: true,
            tags: true,
            category: String::new(),
            poll_interval: ENGINE_POLL,
            rule: rule.clone(),
        },
    }
}

/// What the workers need to know.
pub(crate) fn policy(config: &Config, backups: &Backups, notices: &Arc<Notices>) -> Policy {
    Policy {
        auto_accept: match config.recognition.auto_accept {
            config::AutoAccept::Never => AutoAccept::Never,
            config::AutoAccept::Confident => AutoAccept::Confident,
        },
        sources: sources(&config.metadata),
        naming: config.naming.names.clone(),
        languages: config.metadata.languages.clone(),
        media_servers: media_servers(&config.media_servers),
        notifiers: notifiers(config, notices),
        choose: config.intake.choose,
        watch_folder: config.watch.dir.clone().map(watch_folder),
        seeding: seeding(config),
        data_dir: Some(config.general.data_dir.clone()),
        retention_days: u32::try_from(config.events.retention_days).unwrap_or(u32::MAX),
        backups: Some(BackupPlan { backups: backups.clone(), every: config.backup.every }),
        ..Policy::default()
    }
}

/// Backups of an open database.
pub(crate) fn backups(config: &Config, db: &Db) -> Result<Backups, ApiFailure> {
    let keep = usize::try_from(config.backup.keep).unwrap_or(usize::MAX);
    let database = place::database(&config.general.data_dir);
    Ok(Backups::new(db.clone(), database, backup_target::backup_target(config)?, keep))
}

fn watch_folder(path: PathBuf) -> Arc<dyn WatchFolder> {
    Arc::new(LocalWatchFolder::new(path))
}

/// When torrents have given enough.
pub(crate) fn seeding(config: &Config) -> SeedingRules {
    let named = config.clients.iter();
    SeedingRules {
        everywhere: config.seeding.clone(),
        clients: named.map(|client| (client.name.clone(), client.seeding.clone())).collect(),
        libraries: config.library_seeding.clone(),
        bounds: bounds(config),
    }
}

/// What holds for the downloads of an engine that is not bound by itself, where
/// nobody names an end: the bound that it would have.
#[cfg(feature = "embedded")]
fn bounds(config: &Config) -> BTreeMap<String, SeedingWords> {
    let SeedLimits { ratio, time } = SeedLimits::default();
    let bound = SeedingWords {
        ratio: ratio.map(Limit::At),
        time: time.map(Limit::At),
        ..SeedingWords::default()
    };
    let engine = |client: &&config::Client| {
        matches!(client.kind, ClientKind::Embedded(_)) && has_own_end(config, client)
    };
    let engines = config.clients.iter().filter(engine);
    engines.map(|client| (client.name.clone(), bound.clone())).collect()
}

#[cfg(not(feature = "embedded"))]
fn bounds(_config: &Config) -> BTreeMap<String, SeedingWords> {
    BTreeMap::new()
}

/// Whether a person says when downloads of an engine end. A dry run leaves all as it
/// was: the engine stays bound.
#[cfg(feature = "embedded")]
fn has_own_end(config: &Config, client: &config::Client) -> bool {
    let words = client.seeding.over(&config.seeding);
    let said =
        words.names_an_end() || config.library_seeding.values().any(SeedingWords::names_an_end);
    said && words.dry_run != Some(true)
}

/// The metadata sources that are turned on. One that cannot be built is off, and
/// health tells why: downloads go on without it.
fn sources(settings: &config::Metadata) -> Sources {
    let mut asked = Vec::new();
    let mut faults = Vec::new();
    let mut add =
        |provider, built: Result<Arc<dyn MetadataSource>, MetadataConfigError>| match built {
            Ok(source) => asked.push(source),
            Err(fault) => faults.push((provider, fault.to_string())),
        };
    if let Some(token) = &settings.tmdb_token {
        add(Provider::Tmdb, tmdb(settings, token));
    }
    if settings.tvmaze {
        add(Provider::Tvmaze, tvmaze(settings));
    }
    let sources = Sources::new(asked);
    faults.into_iter().fold(sources, |sources, (provider, why)| sources.with_fault(provider, why))
}

fn tmdb(
    settings: &config::Metadata,
    token: &Secret,
) -> Result<Arc<dyn MetadataSource>, MetadataConfigError> {
    let adapter = TmdbConfig { url: settings.tmdb_url.clone(), ..TmdbConfig::new(token.clone()) };
    Ok(Arc::new(Tmdb::new(adapter, Arc::new(SystemClock))?))
}

fn tvmaze(settings: &config::Metadata) -> Result<Arc<dyn MetadataSource>, MetadataConfigError> {
    let adapter = TvmazeConfig { url: settings.tvmaze_url.clone(), ..TvmazeConfig::default() };
    Ok(Arc::new(Tvmaze::new(adapter, Arc::new(SystemClock))?))
}

/// Pictures of works, from the sources that are turned on. Where they cannot be
/// fetched there are none, and everything else goes on.
pub(crate) fn posters(config: &Config) -> Arc<dyn Images> {
    let settings = &config.metadata;
    let mut sources = Vec::new();
    if settings.tmdb_token.is_some() {
        sources.push(Provider::Tmdb);
    }
    if settings.tvmaze {
        sources.push(Provider::Tvmaze);
    }
    let adapter = PostersConfig {
        tmdb_image_url: settings.tmdb_image_url.clone(),
        tvmaze_url: settings.tvmaze_url.clone(),
        ..PostersConfig::new(sources, config.general.cache_dir.join("posters"))
    };
    match Posters::new(adapter, Arc::new(SystemClock)) {
        Ok(posters) => Arc::new(posters),
        Err(error) => {
            warn!(%error, "posters cannot be fetched");
            Arc::new(NoImages)
        }
    }
}

/// The configured media servers. One that cannot be built is not told, and health
/// says why: links are made without it.
fn media_servers(settings: &[config::MediaServer]) -> MediaServers {
    let mut told = Vec::new();
    let mut faults = Vec::new();
    for server in settings {
        match media_server(server) {
            Ok(built) => told.push(built),
            Err(fault) => faults.push((server.name.clone(), fault.to_string())),
        }
    }
    let servers = MediaServers::new(told);
    faults.into_iter().fold(servers, |servers, (name, why)| servers.with_fault(name, why))
}

fn media_server(
    server: &config::MediaServer,
) -> Result<Arc<dyn MediaServer>, MediaServerConfigError> {
    let pair = |pair: &config::PathPair| tracker_mediaserver::PathMapping {
        local: pair.local.clone(),
        server: pair.theirs.clone(),
    };
    let adapter = MediaServerConfig {
        name: server.name.clone(),
        url: server.url.clone(),
        token: server.token.clone(),
        path_map: server.path_map.iter().map(pair).collect(),
        timeout: tracker_mediaserver::LONGEST_CALL,
    };
    Ok(match server.kind {
        MediaServerKind::Jellyfin => Arc::new(Jellyfin::new(&adapter)?),
        MediaServerKind::Plex => Arc::new(Plex::new(&adapter)?),
    })
}

/// The configured receivers of messages. One that cannot be built is not told, and
/// health says why: everything else goes on without it.
fn notifiers(config: &Config, notices: &Arc<Notices>) -> Notifiers {
    let mut told = Vec::new();
    let mut faults = Vec::new();
    for receiver in &config.notify {
        let rules = rules(config, &receiver.told);
        match webhook(receiver) {
            Ok(notifier) => told.push(Subscriber { notifier: Arc::new(notifier), rules }),
            Err(fault) => faults.push((receiver, fault.to_string())),
        }
    }
    let telegram = &config.telegram;
    if telegram.token.is_some() && !telegram.told.events.is_empty() {
        let notifier: Arc<Notices> = Arc::clone(notices);
        let rules = rules(config, &telegram.told);
        told.push(Subscriber { notifier, rules });
    }
    let all = Notifiers::new(told);
    faults.into_iter().fold(all, |all, (receiver, why)| {
        all.with_fault(receiver.name.clone(), webhook_kind(receiver.kind).as_str(), why)
    })
}

fn rules(config: &Config, told: &config::Told) -> NotifyRules {
    NotifyRules {
        events: told.events.clone(),
        quiet: told.quiet.clone(),
        zone: config.general.timezone.clone(),
        group_seconds: i64::try_from(told.group.as_secs()).unwrap_or(i64::MAX),
    }
}

fn webhook(receiver: &config::Notify) -> Result<Webhook, WebhookConfigError> {
    Webhook::new(&WebhookConfig {
        name: receiver.name.clone(),
        kind: webhook_kind(receiver.kind),
        url: receiver.url.clone(),
        secret: receiver.secret.clone(),
        timeout: tracker_webhook::LONGEST_CALL,
    })
}

fn webhook_kind(kind: NotifyKind) -> WebhookKind {
    match kind {
        NotifyKind::Webhook => WebhookKind::Webhook,
        NotifyKind::Ntfy => WebhookKind::Ntfy,
        NotifyKind::Gotify => WebhookKind::Gotify,
        NotifyKind::Apprise => WebhookKind::Apprise,
    }
}

/// Says which metadata sources will be asked: what goes out of this machine is
/// nobody's surprise.
pub(crate) fn tell_sources(sources: &Sources) {
    let asked: Vec<&str> = sources.providers().map(Provider::as_str).collect();
    if asked.is_empty() {
        info!(
            "no metadata source is asked: a match rests on names alone; \
               tmdb_token or tvmaze = true in [metadata] turn one on"
        );
        return;
    }
    info!(
        sources = asked.join(", "),
        "titles are sent to these metadata sources; \
        tvmaze = false and no tmdb_token in [metadata] turn them off"
    );
}

/// Says what stands in for what nobody has set: where bytes go is nobody's surprise.
pub(crate) fn tell_defaults(config: &Config) {
    if let [client] = config.clients.as_slice()
        && config.clients_are_ours
        && let ClientKind::Embedded(engine) = &client.kind
    {
        info!(
            client = %client.name,
            download_dir = %engine.download_dir.display(),
            "no [[client]] is configured: the embedded engine downloads"
        );
    }
    for library in config.libraries.iter().filter(|_| config.libraries_are_ours) {
        info!(
            library = %library.name,
            root = %library.root.display(),
            "no [[library]] is configured: a library in the data directory is used"
        );
    }
}

/// The names of the libraries, for checking what a person names.
pub(crate) fn library_names(config: &Config) -> Vec<String> {
    config.libraries.iter().map(|library| library.name.clone()).collect()
}
