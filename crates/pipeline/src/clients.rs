//! The state of each client, and the downloads that have none.

use std::sync::{PoisonError, RwLock};

use tokio::sync::watch;
use tracker_domain::health::{Check, Level};
use tracker_domain::observed::ClientPath;
use tracker_domain::ports::{ClientError, ClientInfo};
use tracker_domain::{Actor, Attention, DownloadState, Timestamp, UnixMillis};
use tracker_ingest::{ClientEntry, wait_for_client};
use tracker_store::{Download, StoreError};

use crate::Pipeline;
use crate::stage::Stage;

/// What is known of one client now.
pub(crate) struct ClientStatus {
    pub entry: ClientEntry,
    info: RwLock<Option<ClientInfo>>,
    online: watch::Sender<Option<UnixMillis>>,
}

impl ClientStatus {
    pub(crate) fn new(entry: ClientEntry) -> Self {
        ClientStatus { entry, info: RwLock::new(None), online: watch::Sender::new(None) }
    }

    /// Since when it answers; `None` while it does not.
    pub(crate) fn online_since(&self) -> Option<UnixMillis> {
        *self.online.borrow()
    }

    /// Records whether it answers, and tells whether that is news.
    pub(crate) fn set_online(&self, now: Option<UnixMillis>) -> bool {
        self.online.send_if_modified(|since| {
            if since.is_some() == now.is_some() {
                return false;
            }
            *since = now;
            true
        })
    }

    pub(crate) fn set_info(&self, info: ClientInfo) {
        *self.info.write().unwrap_or_else(PoisonError::into_inner) = Some(info);
    }

    /// Where the client saves when nothing is said.
    pub(crate) fn default_folder(&self) -> Option<ClientPath> {
        let info = self.info.read().unwrap_or_else(PoisonError::into_inner);
        info.as_ref().map(|info| info.default_save_path.clone())
    }

    /// Whether the download goes to this client.
    pub(crate) fn owns(&self, row: &Download, pipeline: &Pipeline) -> bool {
        pipeline
            .clients
            .of(row.client.as_deref())
            .is_some_and(|entry| entry.name == self.entry.name)
    }
}

/// Asks one client what it is and puts the answer on the board. Starts nothing.
pub(crate) async fn examine(pipeline: &Pipeline, entry: &ClientEntry) {
    let checks = match entry.client.probe().await {
        Ok(info) => {
            let checks = healthy(pipeline, entry, &info).await;
            let status = pipeline.statuses.iter().find(|status| status.entry.name == entry.name);
            if let Some(status) = status {
                status.set_info(info);
            }
            checks
        }
        Err(error) => vec![trouble(&entry.name, &error, pipeline.db.clock().now())],
    };
    pipeline.board.set_checks("client", &entry.name, checks);
}

/// What health says of a client that answers.
pub(crate) async fn healthy(
    pipeline: &Pipeline,
    entry: &ClientEntry,
    info: &ClientInfo,
) -> Vec<Check> {
    let at = pipeline.db.clock().now();
    let check = |code, level, detail: String, remedy: &str| Check {
        code,
        subject: entry.name.clone(),
        level,
        detail,
        remedy: remedy.to_owned(),
        checked_at: at,
    };
    let version = format!("version {}", info.version);
    let mut checks = vec![check("client-reachable", Level::Ok, version, "")];
    checks.extend(info.notices.iter().map(|notice| {
        let remedy = "change the setting in the client, or ignore this when it is meant";
        check("client-settings", Level::Notice, notice.clone(), remedy)
    }));
    if let Some(problem) = not_visible(pipeline, entry, info).await {
        let remedy =
            "make the folder visible here and name both paths in path_map of this [[client]]";
        checks.push(check("client-folder-not-visible", Level::Notice, problem, remedy));
    }
    checks
}

/// A client folder that is not visible here: no space check, no links.
async fn not_visible(
    pipeline: &Pipeline,
    entry: &ClientEntry,
    info: &ClientInfo,
) -> Option<String> {
    let folder = if entry.policy.save_path.is_empty() {
        info.default_save_path.clone()
    } else {
        ClientPath(entry.policy.save_path.clone())
    };
    let problem = match entry.client.locate(&folder) {
        Err(error) => error.to_string(),
        Ok(local) => {
            let there = local.clone();
            // The folder itself may be a symbolic link of whoever set it up.
            match pipeline.on_disk(move |files| files.stat(&there.join("."))).await {
                Some(Ok(Some(stat))) if stat.is_dir => return None,
                Some(Err(error)) => error.to_string(),
                _ => format!("{} is not a folder here", local.display()),
            }
        }
    };
    Some(format!("the client saves to {:?}: {problem}; free space is not checked", folder.0))
}

/// How an error of a client is told in health.
pub(crate) fn trouble(client: &str, error: &ClientError, at: Timestamp) -> Check {
    let (code, remedy) = match error {
        ClientError::Denied(_) => (
            "client-credentials",
            "set username and password (or api_key) of this [[client]] as in the client and restart tracker",
        ),
        ClientError::Banned(_) => (
            "client-banned",
            "correct the credentials of this [[client]], restart the client to lift the ban, then restart tracker",
        ),
        ClientError::Unreachable(_)
        | ClientError::Rejected(_)
        | ClientError::CannotV2
        | ClientError::NotFound => (
            "client-unreachable",
            "check that the client runs and that url of this [[client]] leads to its WebUI",
        ),
    };
    Check {
        code,
        subject: client.to_owned(),
        level: Level::Error,
        detail: error.to_string(),
        remedy: remedy.to_owned(),
        checked_at: at,
    }
}

/// Looks after the downloads whose client is not configured.
pub(crate) struct ClientsStage {
    pub pipeline: Pipeline,
}

impl Stage for ClientsStage {
    const NAME: &'static str = "clients";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline).await
    }
}

pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    no_client_check(pipeline);
    let configured: Vec<String> = pipeline.clients.iter().map(|entry| entry.name.clone()).collect();
    let misfits = pipeline.db.read(move |tx| tx.downloads_of_other_clients(&configured)).await?;
    for row in &misfits {
        let unknown = pipeline.clients.of(row.client.as_deref()).is_none();
        // One that names no client waits for the first one that is configured.
        let named = row.client.clone().filter(|_| unknown);
        let id = row.id;
        if let Some(name) = named
            && row.attention.is_none()
        {
            // Only one that no client has shown yet can go to another one.
            let other = if row.state == DownloadState::Queued {
                "retry with another client"
            } else {
                "cancel it and hand the link over again with another client"
            };
            let detail = format!(
                "its client {name:?} is not in the configuration; add it again, or {other}"
            );
            pipeline
                .db
                .write(&Actor::Worker, move |tx| {
                    tx.raise_attention(id, Attention::ClientUnknown, &detail)
                })
                .await?
                .ok();
        } else if !unknown && row.attention == Some(Attention::ClientUnknown) {
            pipeline
                .db
                .write(&Actor::Worker, move |tx| {
                    tx.clear_attention(id, Some(Attention::ClientUnknown))
                })
                .await?
                .ok();
        }
    }
    let now = pipeline.db.clock().now();
    let due = pipeline.db.read(move |tx| tx.due_hand_overs(now)).await?;
    let waiting: Vec<Download> = due
        .into_iter()
        .filter(|row| pipeline.clients.of(row.client.as_deref()).is_none())
        .collect();
    if !waiting.is_empty() {
        wait_for_client(&pipeline.db, "none", &waiting).await?;
    }
    Ok(())
}

/// Health says when there is no client at all.
pub(crate) fn no_client_check(pipeline: &Pipeline) {
    let checks = if pipeline.clients.default_client().is_some() {
        Vec::new()
    } else {
        vec![Check {
            code: "no-client",
            subject: String::new(),
            level: Level::Warning,
            detail: "no torrent client is configured; downloads are accepted and wait".to_owned(),
            remedy: "add a [[client]] to tracker.toml and restart tracker".to_owned(),
            checked_at: pipeline.db.clock().now(),
        }]
    };
    pipeline.board.set_checks("no-client", "", checks);
}
