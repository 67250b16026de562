//! What is special about TMDB.

use tracker_domain::metadata::{Pin, WorkId};
use tracker_testkit::metadata::catalogue::{COURIER, FERRY, HARBOUR, LATER_ORCHARD};
use tracker_testkit::{StubAnswer, StubMode};

use super::*;
use crate::call::{Credential, tmdb_credential};

fn id(kind: WorkKind, number: u64) -> WorkId {
    WorkId { provider: Provider::Tmdb, kind, number }
}

fn film(title: &str, year: Option<i32>) -> MetadataQuery {
    MetadataQuery { title: title.into(), kind: WorkKind::Movie, year, language: "ru".into() }
}

#[tokio::test]
async fn a_year_narrows_a_search() {
    spec!("metadata#what-tmdb-is-asked/a-search-with-a-year");
    let play = Play::start().await;
    let found = play.tmdb.search(&film("Iron Orchard", Some(2015))).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id, id(WorkKind::Movie, LATER_ORCHARD.tmdb));
    assert_eq!(play.tmdb.search(&film("Iron Orchard", None)).await.unwrap().len(), 3);
    let courier = MetadataQuery { year: Some(2018), ..series("курьер ЗВЕЗДОПАДА") };
    assert_eq!(play.tmdb.search(&courier).await.unwrap().len(), 1);
    let sent = play.stub.requests();
    assert_eq!((sent[0].query("year"), sent[0].query("language")), (Some("2015"), Some("ru")));
    assert_eq!(sent[0].query("query"), Some("Iron Orchard"));
    assert_eq!(sent[1].query("year"), None);
    assert_eq!(sent[2].query("first_air_date_year"), Some("2018"));
    assert!(
        sent.iter().all(|request| request.header("user-agent").unwrap().starts_with("tracker/"))
    );
    assert_eq!(play.tmdb.search(&film("  ", None)).await, Ok(Vec::new()));
    assert_eq!(play.stub.requests().len(), 3, "no name is no question");
}

#[tokio::test]
async fn a_work_has_its_names_in_all_languages() {
    spec!("metadata#what-tmdb-is-asked/all-names-of-a-work");
    let play = Play::start().await;
    let harbour = play.tmdb.work(id(WorkKind::Movie, HARBOUR.tmdb), "de").await.unwrap();
    assert_eq!(harbour.title, "Der stille Hafen");
    assert_eq!(harbour.original_title.as_deref(), Some("Тихая гавань"));
    assert_eq!(harbour.other_titles, ["The Quiet Harbour", "Tikhaya Gavan"]);
    assert_eq!(harbour.poster.as_deref(), Some("/tt9100001.jpg"));
    assert!((harbour.popularity - 0.5).abs() < 1e-9);
    let courier = play.tmdb.work(id(WorkKind::Series, COURIER.tmdb), "ru").await.unwrap();
    assert_eq!(courier.title, "Курьер звездопада");
    assert_eq!(courier.other_titles, ["Starfall Courier", "Sutaforu Kyubin"]);
    assert_eq!(courier.language.as_deref(), Some("ja"));

    let names: Vec<_> = (0..200)
        .flat_map(|n| [format!("Name {n}"), format!("NAME {n}")])
        .map(|title| format!(r#"{{"title":"{title}"}}"#))
        .collect();
    let body = format!(
        r#"{{"id":5,"title":"Name 1","alternative_titles":{{"titles":[{}]}}}}"#,
        names.join(",")
    );
    play.stub.set(Provider::Tmdb, StubMode::Says(StubAnswer::json(200, body)));
    let many = play.tmdb.work(id(WorkKind::Movie, 5), "en").await.unwrap();
    assert_eq!(many.other_titles.len(), 60);
    assert_eq!(many.other_titles[..3], ["Name 0", "Name 2", "Name 3"]);
}

#[tokio::test]
async fn a_missing_description_is_the_english_one() {
    spec!("metadata#what-tmdb-is-asked/a-language-without-a-description");
    let play = Play::start().await;
    let work = play.tmdb.work(id(WorkKind::Movie, HARBOUR.tmdb), "ru").await.unwrap();
    assert_eq!(work.title, "Тихая гавань");
    assert_eq!(work.overview, Some(HARBOUR.overview()));
}

#[tokio::test]
async fn a_number_may_be_a_film_and_a_series() {
    spec!("metadata#what-tmdb-is-asked/a-number-without-a-kind");
    let play = Play::start().await;
    let both = play.tmdb.resolve(&Pin::Tmdb(FERRY.tmdb), "en").await.unwrap();
    let kinds: Vec<_> = both.iter().map(|work| work.id.kind).collect();
    assert_eq!(kinds, [WorkKind::Movie, WorkKind::Series]);
    let one = play.tmdb.resolve(&Pin::Tmdb(HARBOUR.tmdb), "en").await.unwrap();
    assert_eq!(one.len(), 1);
    assert_eq!(play.tmdb.resolve(&Pin::Tmdb(77), "en").await, Ok(Vec::new()));
    let before = play.sent(Provider::Tmdb);
    let odd = Pin::Imdb("tt1/../../account".into());
    assert_eq!(play.tmdb.resolve(&odd, "en").await, Ok(Vec::new()));
    assert_eq!(play.sent(Provider::Tmdb), before, "what is no number of IMDb is not asked for");
}

#[tokio::test]
async fn a_token_is_sent_in_the_form_that_it_has() {
    spec!("metadata#what-tmdb-is-asked/both-forms-of-a-token");
    let play = Play::start().await;
    ask(&play.tmdb).await.unwrap();
    let config = tmdb_config(&play.stub, &format!(" {}\n", MetadataStub::KEY));
    let keyed = Tmdb::new(config, play.clock.clone()).unwrap();
    ask(&keyed).await.unwrap();
    let sent = play.stub.requests();
    let bearer = format!("Bearer {}", MetadataStub::TOKEN);
    assert_eq!(sent[0].header("authorization"), Some(bearer.as_str()));
    assert_eq!(sent[0].query("api_key"), None);
    assert_eq!(sent[1].header("authorization"), None);
    assert_eq!(sent[1].query("api_key"), Some(MetadataStub::KEY));
}

#[test]
fn a_token_in_a_header_is_marked_as_sensitive() {
    spec!("metadata#calls-to-a-source-are-bounded/a-token-in-the-log");
    let credential = tmdb_credential(&Secret::new(MetadataStub::TOKEN)).unwrap();
    let Credential::Bearer(header) = credential else { panic!("it has points") };
    assert!(header.is_sensitive());
}
