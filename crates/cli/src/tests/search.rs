//! `search`.

use tracker_testkit::spec;
use tracker_wire::{CauseDto, FoundWorkDto, SearchDto};

use super::fake::{Fake, ID, download};
use super::{json, ran};

fn found() -> SearchDto {
    SearchDto {
        entity: None,
        downloads: vec![download(ID)],
        works: vec![FoundWorkDto {
            work: "tmdb:movie/42".to_owned(),
            provider: "tmdb".to_owned(),
            kind: "movie".to_owned(),
            title: "Some Film".to_owned(),
            original_title: Some("Ein\u{1b}[31mFilm".to_owned()),
            year: Some(2020),
            overview: None,
            in_library: true,
            downloads: vec![ID.to_owned()],
        }],
        causes: vec![CauseDto {
            source: "tvmaze".to_owned(),
            cause: "unreachable".to_owned(),
            detail: "no connection".to_owned(),
        }],
    }
}

#[tokio::test]
async fn a_text_finds_downloads_and_works() {
    spec!("command-line#search/a-text");
    let fake = Fake::new();
    let none = ran(&fake, &["search", "nothing"]).await;
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(none.err.contains("nothing found"), "{}", none.err);
    fake.state.lock().unwrap().found = found();
    let said = ran(&fake, &["search", "some", "film"]).await;
    assert_eq!(said.code, 0);
    for part in [ID, "tmdb:movie/42", "2020", "in the library", "Some Film (Ein"] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
    assert!(said.err.contains("tvmaze gave no answer (unreachable): no connection"));
    assert_eq!(fake.calls().last().unwrap(), "search some film");
    let shape = json(&ran(&fake, &["search", "some film", "--json"]).await.out);
    assert_eq!(shape["works"][0]["work"], "tmdb:movie/42");
    assert_eq!(shape["entity"], serde_json::Value::Null);
    assert_eq!(ran(&fake, &["search"]).await.code, 2);
}
