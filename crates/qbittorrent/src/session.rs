//! Who we are to the client: login, cookie, refusal and back-off.
//!
//! One login at a time and no login after a refusal: five wrong passwords make
//! qBittorrent ban the address for an hour, also for people on it.

use reqwest::header::HeaderValue;
use tokio::sync::Mutex;
use tracing::{info, warn};
use tracker_domain::ports::{ClientError, Clock};
use tracker_domain::{Secret, UnixMillis};

use std::sync::Arc;

use crate::call::{Answer, Call, Credential, Http, bearer};
use crate::capability::{ApiVersion, Capabilities};
use crate::config::{ConfigError, QbittorrentConfig};

const MINUTE_MS: u64 = 60_000;
/// After a first refusal; doubles up to [`LONGEST_MS`].
const FIRST_WAIT_MS: u64 = 5 * MINUTE_MS;
/// Also how long qBittorrent bans by default.
const LONGEST_MS: u64 = 60 * MINUTE_MS;

/// A session with one client.
pub(crate) struct Session {
    http: Http,
    clock: Arc<dyn Clock>,
    name: String,
    username: String,
    password: Secret,
    key: Option<HeaderValue>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Counts logins, so that of two calls that fail together one logs in.
    generation: u64,
    logged_in: bool,
    cookie: Option<HeaderValue>,
    capabilities: Option<Capabilities>,
    refusal: Option<Refusal>,
    refusals: u32,
}

#[derive(Clone, Copy)]
struct Refusal {
    kind: RefusalKind,
    since: UnixMillis,
    wait_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RefusalKind {
    Denied,
    Banned,
}

/// What an answer to a login means.
#[derive(Debug, PartialEq, Eq)]
enum LoginResult {
    Welcome,
    Refused(RefusalKind),
    Unclear,
}

impl Session {
    pub(crate) fn new(
        config: &QbittorrentConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ConfigError> {
        Ok(Session {
            http: Http::new(config, clock.clone())?,
            clock,
            name: config.name.clone(),
            username: config.username.clone(),
            password: config.password.clone(),
            key: bearer(config)?,
            state: Mutex::new(State::default()),
        })
    }

    /// Sends a call as ourselves; logs in first where that is needed, and once
    /// more when the client no longer knows the session.
    pub(crate) async fn send(&self, call: &Call) -> Result<Answer, ClientError> {
        let (credential, generation) = self.credential(None).await?;
        let answer = self.http.send(call, &credential).await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                // It may come back as another version.
                self.state.lock().await.capabilities = None;
                return Err(error);
            }
        };
        if self.key.is_some() {
            return self.with_key(answer).await;
        }
        if !is_refusal(&answer) {
            return Ok(answer);
        }
        let (credential, _) = self.credential(Some(generation)).await?;
        let again = self.http.send(call, &credential).await?;
        if is_refusal(&again) {
            return Err(ClientError::Denied(format!(
                "{} answers HTTP {} right after a login",
                call.endpoint, again.status
            )));
        }
        Ok(again)
    }

    /// Takes note of how the client likes our key; there is no login to do so.
    async fn with_key(&self, answer: Answer) -> Result<Answer, ClientError> {
        let mut state = self.state.lock().await;
        if !is_refusal(&answer) {
            state.refusal = None;
            state.refusals = 0;
            return Ok(answer);
        }
        // Calls that were on their way together count as one refusal.
        match state.refusal {
            Some(refusal) if self.clock.now_ms().since(refusal.since) < refusal.wait_ms => {
                Err(refusal.error())
            }
            _ => Err(self.refuse(&mut state, RefusalKind::Denied)),
        }
    }

    /// What this version of the client can do; asked once a session.
    pub(crate) async fn capabilities(&self) -> Result<Capabilities, ClientError> {
        if let Some(known) = self.state.lock().await.capabilities {
            return Ok(known);
        }
        let endpoint = "app/webapiVersion";
        let answer = self.send(&Call::get(endpoint, Vec::new())).await?;
        let version = ApiVersion::parse(&answer.text()).filter(|_| answer.is_success());
        let version = version.ok_or_else(|| answer.unclear(endpoint))?;
        let known = Capabilities::of(version);
        self.state.lock().await.capabilities = Some(known);
        Ok(known)
    }

    /// The credential to use now. `stale` names the login whose session the
    /// client no longer knows. The lock is held over the login, so that calls
    /// that come meanwhile wait for its outcome instead of logging in too.
    async fn credential(&self, stale: Option<u64>) -> Result<(Credential, u64), ClientError> {
        let mut state = self.state.lock().await;
        let now = self.clock.now_ms();
        if let Some(refusal) = &mut state.refusal {
            // A clock that was set back must not lock us out for longer.
            refusal.since = refusal.since.min(now);
            if now.since(refusal.since) < refusal.wait_ms {
                return Err(refusal.error());
            }
        }
        if let Some(key) = &self.key {
            return Ok((Credential::Key(key.clone()), state.generation));
        }
        if !state.logged_in || stale == Some(state.generation) {
            self.login(&mut state).await?;
        }
        let credential = state.cookie.clone().map_or(Credential::Nothing, Credential::Cookie);
        Ok((credential, state.generation))
    }

    async fn login(&self, state: &mut State) -> Result<(), ClientError> {
        let form = vec![
            ("username", self.username.clone()),
            ("password", self.password.expose().to_owned()),
        ];
        let call = Call::post("auth/login", form);
        state.logged_in = false;
        state.cookie = None;
        state.capabilities = None;
        let answer = self.http.send(&call, &Credential::Nothing).await?;
        match login_result(&answer) {
            LoginResult::Welcome => {
                state.logged_in = true;
                state.generation += 1;
                state.cookie = answer.cookie;
                state.refusal = None;
                state.refusals = 0;
                info!(client = %self.name, "logged in to the client");
                Ok(())
            }
            LoginResult::Refused(kind) => Err(self.refuse(state, kind)),
            LoginResult::Unclear => Err(answer.unclear("auth/login")),
        }
    }

    /// Remembers a refusal, so that nothing is sent until its time is over.
    fn refuse(&self, state: &mut State, kind: RefusalKind) -> ClientError {
        let wait_ms = match kind {
            RefusalKind::Denied => (FIRST_WAIT_MS << state.refusals.min(8)).min(LONGEST_MS),
            RefusalKind::Banned => LONGEST_MS,
        };
        state.refusals = state.refusals.saturating_add(1);
        state.capabilities = None;
        let refusal = Refusal { kind, since: self.clock.now_ms(), wait_ms };
        state.refusal = Some(refusal);
        warn!(client = %self.name, kind = ?kind, wait_ms, "the client refuses the credentials");
        refusal.error()
    }
}

impl Refusal {
    fn error(&self) -> ClientError {
        let minutes = self.wait_ms / MINUTE_MS;
        let when =
            format!("next try {minutes} min after the refusal, or after a restart of tracker");
        match self.kind {
            RefusalKind::Denied => ClientError::Denied(when),
            RefusalKind::Banned => ClientError::Banned(when),
        }
    }
}

fn is_refusal(answer: &Answer) -> bool {
    matches!(answer.status, 401 | 403)
}

fn login_result(answer: &Answer) -> LoginResult {
    match answer.status {
        204 => LoginResult::Welcome,
        200 => match answer.text().as_str() {
            "" | "Ok." => LoginResult::Welcome,
            "Fails." => LoginResult::Refused(RefusalKind::Denied),
            // Another server's page, say a proxy's.
            _ => LoginResult::Unclear,
        },
        401 => LoginResult::Refused(RefusalKind::Denied),
        403 => LoginResult::Refused(RefusalKind::Banned),
        _ => LoginResult::Unclear,
    }
}
