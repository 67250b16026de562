//! What is remarked of a match, on pages of both languages.

use axum::http::Method;
use tracker_domain::metadata::{Provider, Work, WorkId, WorkKind};
use tracker_domain::recognised::{Fields, Recognised, RecognitionState, ScorePart, Verdict};
use tracker_domain::remark::{Percent, Quoted};
use tracker_domain::{Actor, Attention, DownloadId, Remark};
use tracker_i18n::{Catalogue, Language};
use tracker_store::{NewCandidate, NewRecognition, StoreError};
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

const KEPT: &str = "a sentence of another version";

fn work(number: u64) -> WorkId {
    WorkId { provider: Provider::Tmdb, kind: WorkKind::Series, number }
}

/// Doubts as names and sources raise them, and one that nobody knows any more.
fn doubts() -> Vec<Remark> {
    let number = |number: u32| number.into();
    vec![
        Remark::NoYear,
        Remark::SeasonIsShorter { season: 1, episodes: 10, last: number(12) },
        Remark::YearOfLaterSeason { ours: 2005, theirs: 2003 },
        Remark::RivalOfYear { title: Quoted("A \"B\"".to_owned()), year: 2003, work: work(8) },
        Remark::OnlyOtherWorks { reason: Box::new(Remark::TitleOther) },
        Remark::AskedForDownload,
        Remark::read(KEPT),
    ]
}

fn details() -> Vec<Remark> {
    vec![
        Remark::TitleClose {
            name: Quoted("Lanterns of Oor".to_owned()),
            likeness: Percent::of(0.9),
        },
        Remark::YearNotNamed { theirs: 2003 },
        Remark::KindSeries,
    ]
}

/// Writes it down as the worker does.
async fn recognise(daemon: &Daemon, id: DownloadId) {
    let candidate = NewCandidate {
        work: Work {
            id: work(7),
            title: "Lanterns of Oor".to_owned(),
            original_title: None,
            other_titles: Vec::new(),
            year: Some(2003),
            overview: None,
            poster: None,
            popularity: 0.5,
            imdb: None,
            language: None,
            animated: false,
            seasons: Vec::new(),
        },
        score: 0.5,
        parts: details()
            .into_iter()
            .map(|detail| ScorePart { name: "title".to_owned(), points: 0.1, detail })
            .collect(),
        excluded: Some(Remark::KindSeriesNotFilm),
    };
    let found = Recognised {
        fields: Fields::default(),
        files: Vec::new(),
        evidence: Vec::new(),
        verdict: Verdict::Doubt,
        confidence: 0.5,
        doubts: doubts(),
    };
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        let names = NewRecognition::of_names(&found, RecognitionState::Proposed);
        let new = NewRecognition { candidates: &[candidate], ..names };
        tx.record_recognition(id, &new)?;
        let mark = Remark::join(&found.doubts);
        tx.raise_attention(id, Attention::NeedsReview, &mark).map(drop)
    });
    let written: Result<(), StoreError> = written.await;
    written.unwrap();
}

#[tokio::test]
async fn a_page_says_remarks_in_its_language() {
    spec!("web-ui#pages-speak-russian-and-english/remarks-in-the-language-of-the-page");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    recognise(&daemon, id.parse().unwrap()).await;

    // Programs are told the sentences.
    let sentences: Vec<String> = doubts().iter().map(ToString::to_string).collect();
    let told = daemon.get(&format!("/api/v1/downloads/{id}/recognition")).await.json();
    assert_eq!(told["doubts"], serde_json::json!(sentences));

    for (path, shows_excluded) in
        [(format!("/download/{id}"), false), (format!("/download/{id}/review"), true)]
    {
        let page = async |language| {
            let headers = vec![("accept-language", language)];
            let page = daemon.ask(Ask { path: &path, headers, ..Ask::default() }).await;
            // The journal tells what was written down.
            page.text.split("id=\"story\"").next().unwrap().replace("&#34;", "\"")
        };
        let (ru, en) = (page("ru").await, page("en").await);
        for said in [
            "в сезоне 1 всего 10 серий, а файлы доходят до номера 12",
            "2005 может быть годом более позднего сезона; начало — 2003",
            "«A \"B\"» (2003) подходит почти так же: tmdb:tv/8",
            "источники нашли только другие произведения: другое название",
            "название похоже на «Lanterns of Oor» (90 %)",
        ] {
            assert!(ru.contains(said), "{path} does not say {said}: {ru}");
        }
        assert_eq!(ru.contains("сериал, а не фильм"), shows_excluded);
        assert!(ru.contains(KEPT), "{ru}");
        for remark in doubts().into_iter().chain(details()).chain([Remark::KindSeriesNotFilm]) {
            let sentence = remark.to_string();
            if remark.code().is_some() {
                assert!(!ru.contains(&sentence), "{path} says {sentence}: {ru}");
            }
            let is_here = shows_excluded || remark != Remark::KindSeriesNotFilm;
            assert_eq!(en.contains(&sentence), is_here, "{path}: {sentence}: {en}");
        }
    }
}

#[tokio::test]
async fn a_refusal_on_a_page_is_said_in_its_language() {
    spec!("web-ui#pages-speak-russian-and-english/refusals-in-the-language-of-the-page");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let path = format!("/download/{id}/review");
    let texts = Catalogue::new().unwrap();
    let title = |code: &str| texts.text(Language::Ru, &format!("problem-{code}"), &[]);

    // There is no plan yet: what the program says of that is folded.
    recognise(&daemon, id.parse().unwrap()).await;
    let told = daemon.get(&format!("/api/v1/downloads/{id}/plan")).await.json();
    let code = told["code"].as_str().unwrap();
    let headers = vec![("accept-language", "ru")];
    let page = daemon.ask(Ask { path: &path, headers, ..Ask::default() }).await.text;
    let plan = page.split("id=\"plan-title\"").nth(1).unwrap();
    let (said, folded) = plan.split_once("<details>").unwrap();
    assert!(said.contains(&title(code)), "{code}: {said}");
    assert!(folded.contains(told["detail"].as_str().unwrap()), "{folded}");

    // What is wrong with a field is a remark, said in Russian.
    let headers =
        vec![("accept-language", "ru"), ("content-type", "application/x-www-form-urlencoded")];
    for (body, said) in [
        ("do=shift&by=0", "введите целое число, кроме 0, например 12 или -12"),
        (
            "do=adjust&was.year=&field.year=soon",
            "«soon» не подходит для year; подходит год от 1870 до 2199",
        ),
    ] {
        let (method, body) = (Method::POST, body.as_bytes().to_vec());
        let refused = daemon.ask(Ask { method, path: &path, headers: headers.clone(), body }).await;
        assert_eq!(refused.status.as_u16(), 422, "{}", refused.text);
        let alert = refused.text.split("role=\"alert\"").nth(1).unwrap();
        let alert = alert.split("</div>").next().unwrap();
        assert!(alert.contains(&title("invalid-request")) && alert.contains(said), "{alert}");
    }
}
