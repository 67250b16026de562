//! What the client says of itself, and which of its settings get in our way.

use serde::Deserialize;
use tracker_domain::observed::ClientPath;
use tracker_domain::ports::{ClientError, ClientInfo};

use crate::call::{Answer, Call};
use crate::capability::{Capabilities, OLDEST_TRIED};
use crate::session::Session;

/// The settings that are looked at; a version may lack any of them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Preferences {
    max_ratio_enabled: Option<bool>,
    max_seeding_time_enabled: Option<bool>,
    max_inactive_seeding_time_enabled: Option<bool>,
    max_ratio_act: Option<i64>,
}

/// Asks for version, default folder and settings.
pub(crate) async fn probe(session: &Session) -> Result<ClientInfo, ClientError> {
    let known = session.capabilities().await?;
    let version = word(session, "app/version").await?;
    let default_save_path = word(session, "app/defaultSavePath").await?;
    let endpoint = "app/preferences";
    let answer = good(session, Call::get(endpoint, Vec::new()).listing()).await?;
    let preferences = serde_json::from_slice(&answer.body).map_err(|error| {
        ClientError::Unreachable(format!("{endpoint} answered no settings: {error}"))
    })?;
    Ok(ClientInfo {
        version,
        default_save_path: ClientPath(default_save_path),
        notices: notices(&preferences, &known),
    })
}

async fn word(session: &Session, endpoint: &'static str) -> Result<String, ClientError> {
    Ok(good(session, Call::get(endpoint, Vec::new())).await?.text())
}

async fn good(session: &Session, call: Call) -> Result<Answer, ClientError> {
    let answer = session.send(&call).await?;
    if answer.is_success() { Ok(answer) } else { Err(answer.unclear(call.endpoint)) }
}

fn notices(preferences: &Preferences, known: &Capabilities) -> Vec<String> {
    let mut notices = Vec::new();
    let limited = [
        preferences.max_ratio_enabled,
        preferences.max_seeding_time_enabled,
        preferences.max_inactive_seeding_time_enabled,
    ];
    // 1 removes the torrent, 3 its files too; 0 stops, 2 is super seeding.
    let removal = match preferences.max_ratio_act {
        Some(1) => Some("removes torrents"),
        Some(3) => Some("removes torrents with their files"),
        _ => None,
    };
    if let Some(removal) = removal.filter(|_| limited.contains(&Some(true))) {
        notices.push(format!("a share limit of the client {removal}; let it stop them instead"));
    }
    if known.version < OLDEST_TRIED {
        notices.push("the client is older than 4.5, the oldest version that is supported".into());
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capability::ApiVersion;

    fn notes(json: &str, version: ApiVersion) -> Vec<String> {
        serde_json::from_str(json)
            .map(|preferences| notices(&preferences, &Capabilities::of(version)))
            .unwrap_or_default()
    }

    #[test]
    fn a_share_limit_that_removes_is_a_notice() {
        tracker_testkit::spec!("qbittorrent-client#what-the-client-is/a-share-limit-that-removes");
        let now = ApiVersion(2, 16, 2);
        let removes = r#"{"max_ratio_enabled":true,"max_ratio_act":1,"temp_path_enabled":true}"#;
        assert_eq!(
            notes(removes, now),
            ["a share limit of the client removes torrents; let it stop them instead"]
        );
        let deletes = r#"{"max_seeding_time_enabled":true,"max_ratio_act":3}"#;
        assert_eq!(notes(deletes, now).len(), 1);
        // A limit that is off, or one that only stops, is nobody's trouble.
        assert!(notes(r#"{"max_ratio_enabled":false,"max_ratio_act":1}"#, now).is_empty());
        assert!(notes(r#"{"max_ratio_enabled":true,"max_ratio_act":0}"#, now).is_empty());
        assert_eq!(notes("{}", ApiVersion(2, 8, 2)).len(), 1);
    }
}
