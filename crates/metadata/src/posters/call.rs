//! The one door to the hosts of pictures: bounded in time and size, and logged
//! with target, duration and outcome. No credential goes there.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Response;
use tokio::time::timeout;
use tracing::debug;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::Clock;
use url::Url;

use crate::call::{CallError, REDIRECTS, base_of, client_for, redirected};
use crate::config::{MetadataConfigError, PostersConfig};

const TMDB: &str = "https://image.tmdb.org/t/p/";
const TVMAZE: &str = "https://static.tvmaze.com/";
/// The width that TMDB is asked for: sharp enough for a card.
const WIDTH: &str = "w342";
const LONGEST: Duration = Duration::from_secs(10);

/// What came of it.
pub(super) enum Fetched {
    Bytes(Vec<u8>),
    /// There is none, or none that is taken: asking again is no use.
    Nothing,
    /// No answer; there may be one later.
    NotNow,
}

/// A host that may be asked.
struct Host {
    provider: Provider,
    client: reqwest::Client,
    base: Url,
}

/// The hosts of pictures.
pub(super) struct Fetch {
    hosts: Vec<Host>,
    largest: usize,
    clock: Arc<dyn Clock>,
}

impl Fetch {
    pub(super) fn new(
        config: &PostersConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, MetadataConfigError> {
        let mut hosts = Vec::new();
        let mut add = |provider, url: Option<&Url>, default: &str| {
            if config.sources.contains(&provider) {
                let base = base_of(provider, url.cloned(), default)?;
                hosts.push(Host { provider, client: client_for(&base)?, base });
            }
            Ok::<_, MetadataConfigError>(())
        };
        add(Provider::Tmdb, config.tmdb_image_url.as_ref(), TMDB)?;
        add(Provider::Tvmaze, None, TVMAZE)?;
        if config.tvmaze_url.is_some() {
            add(Provider::Tvmaze, config.tvmaze_url.as_ref(), TVMAZE)?;
        }
        Ok(Fetch { hosts, largest: config.largest, clock })
    }

    pub(super) async fn get(&self, provider: Provider, place: &str) -> Fetched {
        let Some((client, url)) = self.target(provider, place) else {
            debug!(provider = provider.as_str(), "a poster is not on a host of its source");
            return Fetched::Nothing;
        };
        let host = url.host_str().unwrap_or_default().to_owned();
        let began = self.clock.now_ms();
        let result =
            timeout(LONGEST, self.exchange(client, url)).await.unwrap_or(Err(CallError::Timeout));
        let duration_ms = self.clock.now_ms().since(began);
        let provider = provider.as_str();
        match result {
            Ok((status, bytes)) => {
                let size_bytes = bytes.len();
                debug!(provider, host, duration_ms, status, size_bytes, "poster call answered");
                match status {
                    200..=299 => Fetched::Bytes(bytes),
                    408 | 429 | 500..=599 => Fetched::NotNow,
                    _ => Fetched::Nothing,
                }
            }
            Err(error) => {
                debug!(provider, host, duration_ms, %error, "poster call failed");
                match error {
                    CallError::TooLarge | CallError::Elsewhere => Fetched::Nothing,
                    _ => Fetched::NotNow,
                }
            }
        }
    }

    /// Where the picture is, if that is a host of its source.
    fn target(&self, provider: Provider, place: &str) -> Option<(&reqwest::Client, Url)> {
        let mut hosts = self.hosts.iter().filter(|host| host.provider == provider);
        match provider {
            Provider::Tmdb => {
                let Host { client, base, .. } = hosts.next()?;
                let name = place.strip_prefix('/').unwrap_or(place);
                let plain = |sign: u8| sign.is_ascii_alphanumeric() || b"._-".contains(&sign);
                if name.is_empty() || name.starts_with('.') || !name.bytes().all(plain) {
                    return None;
                }
                let mut url = base.clone();
                url.set_path(&format!("{}{WIDTH}/{name}", base.path()));
                Some((client, url))
            }
            // Its addresses are whole.
            Provider::Tvmaze => {
                let url: Url = place.parse().ok()?;
                let host = hosts.find(|host| host.base.origin() == url.origin())?;
                let plain = url.username().is_empty() && url.password().is_none();
                plain.then_some((&host.client, url))
            }
        }
    }

    async fn exchange(
        &self,
        client: &reqwest::Client,
        mut url: Url,
    ) -> Result<(u16, Vec<u8>), CallError> {
        for _ in 0..=REDIRECTS {
            let response = client.get(url.clone()).send().await?;
            match redirected(&response, &url)? {
                Some(next) => url = next,
                None => return self.read(response).await,
            }
        }
        Err(CallError::Elsewhere)
    }

    async fn read(&self, mut response: Response) -> Result<(u16, Vec<u8>), CallError> {
        let status = response.status().as_u16();
        let mut bytes = Vec::new();
        if response.status().is_success() {
            while let Some(chunk) = response.chunk().await? {
                if bytes.len() + chunk.len() > self.largest {
                    return Err(CallError::TooLarge);
                }
                bytes.extend_from_slice(&chunk);
            }
        }
        Ok((status, bytes))
    }
}
