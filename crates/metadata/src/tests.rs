//! The adapters against a server that plays both sources.

mod lies;
mod limits;
mod log;
mod properties;
mod tmdb;
mod trouble;
mod tvmaze;

use std::sync::Arc;
use std::time::Duration;

use tracker_domain::Secret;
use tracker_domain::metadata::{MetadataQuery, Provider, Work, WorkKind};
use tracker_domain::ports::{MetadataError, MetadataSource};
use tracker_testkit::{FixedClock, MetadataStub, metadata_source_contract, spec};

use crate::{
    LONGEST_CALL, MetadataConfigError, MetadataStatus, Tmdb, TmdbConfig, Tvmaze, TvmazeConfig,
};

/// Both adapters, their server, and the clock that they share.
struct Play {
    stub: MetadataStub,
    clock: Arc<FixedClock>,
    tmdb: Tmdb,
    tvmaze: Tvmaze,
}

impl Play {
    async fn start() -> Self {
        Self::with_timeout(LONGEST_CALL).await
    }

    async fn with_timeout(timeout: Duration) -> Self {
        let stub = MetadataStub::start().await;
        let clock = Arc::new(FixedClock::new());
        let tmdb = TmdbConfig { timeout, ..tmdb_config(&stub, MetadataStub::TOKEN) };
        let tvmaze = TvmazeConfig { url: Some(stub.tvmaze_url().parse().unwrap()), timeout };
        Play {
            tmdb: Tmdb::new(tmdb, clock.clone()).unwrap(),
            tvmaze: Tvmaze::new(tvmaze, clock.clone()).unwrap(),
            stub,
            clock,
        }
    }

    fn each(&self) -> [(Provider, &dyn MetadataSource); 2] {
        [(Provider::Tmdb, &self.tmdb), (Provider::Tvmaze, &self.tvmaze)]
    }

    fn status(&self, provider: Provider) -> MetadataStatus {
        match provider {
            Provider::Tmdb => self.tmdb.status(),
            Provider::Tvmaze => self.tvmaze.status(),
        }
    }

    fn sent(&self, provider: Provider) -> usize {
        self.stub.requests_to(provider).len()
    }
}

fn tmdb_config(stub: &MetadataStub, token: &str) -> TmdbConfig {
    let url = Some(stub.tmdb_url().parse().unwrap());
    TmdbConfig { url, ..TmdbConfig::new(Secret::new(token)) }
}

fn series(title: &str) -> MetadataQuery {
    MetadataQuery { title: title.into(), kind: WorkKind::Series, year: None, language: "en".into() }
}

async fn ask(source: &dyn MetadataSource) -> Result<Vec<Work>, MetadataError> {
    source.search(&series("Lanterns of Kesh")).await
}

#[tokio::test]
async fn both_adapters_pass_the_contract() {
    spec!("metadata#one-contract-for-all-sources/every-source");
    let play = Play::start().await;
    for (_, source) in play.each() {
        metadata_source_contract(source).await;
    }
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    spec!("metadata#calls-to-a-source-are-bounded/settings-that-cannot-be-used");
    let clock = Arc::new(FixedClock::new());
    for url in ["ftp://host/", "data:text/plain,x", "file:///etc/hosts"] {
        let url = Some(url.parse().unwrap());
        let tmdb = TmdbConfig { url: url.clone(), ..TmdbConfig::new(Secret::new("a.b.c")) };
        let refused = Tmdb::new(tmdb, clock.clone()).unwrap_err();
        assert_eq!(refused, MetadataConfigError::Url { provider: Provider::Tmdb });
        let tvmaze = TvmazeConfig { url, ..TvmazeConfig::default() };
        let refused = Tvmaze::new(tvmaze, clock.clone()).unwrap_err();
        assert_eq!(refused, MetadataConfigError::Url { provider: Provider::Tvmaze });
    }
    for token in ["", "  ", "two words", "line\nbreak.x", "кириллица"] {
        let refused = Tmdb::new(TmdbConfig::new(Secret::new(token)), clock.clone()).unwrap_err();
        assert_eq!(refused, MetadataConfigError::Token, "{token:?}");
    }
}
