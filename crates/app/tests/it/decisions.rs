//! What a download is taken for, and decisions on it.

use tracker_app::{AppError, FieldError, RecognitionView};
use tracker_domain::ask::AskScope;
use tracker_domain::observed::RemoteFile;
use tracker_domain::ports::Clock;
use tracker_domain::recognised::{Fields, FileRole, RecognitionState, Role, Verdict};
use tracker_domain::{Attention, DownloadCause as C, DownloadId, EntityKind, Remark};
use tracker_ident::Generator;
use tracker_store::WaitCause;
use tracker_testkit::spec;

use crate::fixture::{Fixture, NO_WISH, Written, actor, candidate, found};

use RecognitionState as S;

#[tokio::test]
async fn nothing_is_known_at_first() {
    spec!("review#what-a-download-is-taken-for/before-anything-was-read");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    let view = review.recognition(id).await.unwrap();
    assert_eq!((view.id, view.state, view.verdict), (None, S::Pending, Verdict::Unknown));
    assert_eq!((view.download_id, view.fields.title), (id, None));
    fixture.recognise(id, S::Proposed, |_| ()).await;
    assert!(review.recognition(id).await.unwrap().id.is_some());
    let again = review.rerun(id, None, &actor()).await.unwrap();
    assert_eq!((again.id, again.state), (None, S::Pending));
    assert_eq!(again.fields.title.as_deref(), Some("Film"));
    assert_eq!(review.candidates(id).await.unwrap().items, vec![]);
}

#[tokio::test]
async fn the_link_foretells() {
    spec!("review#what-a-download-is-taken-for/foreseen-from-the-link");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Proposed, |new| new.provisional = true).await;
    let view = fixture.app.review.recognition(id).await.unwrap();
    assert_eq!((view.state, view.provisional), (S::Pending, true));
    assert_eq!(view.fields.title.as_deref(), Some("Film"));
}

#[tokio::test]
async fn each_file_is_listed() {
    spec!("review#what-a-download-is-taken-for/files");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    let file = |index, path: &str| RemoteFile {
        index,
        path: path.to_owned(),
        size_bytes: 7,
        selected: true,
        complete: false,
    };
    let files = [file(0, "a/1.mkv"), file(1, "a/1.nfo")];
    fixture.write(move |tx| tx.set_files(id, &files)).await;
    let told = |view: RecognitionView| -> Vec<_> {
        let files = view.files.into_iter();
        files.map(|file| (file.index, file.path, file.size_bytes, file.role)).collect()
    };
    let (first, second) = (Some("a/1.mkv".to_owned()), Some("a/1.nfo".to_owned()));
    let unread = [(0, first.clone(), Some(7), Role::Unknown), (1, second, Some(7), Role::Unknown)];
    assert_eq!(told(review.recognition(id).await.unwrap()), unread);
    fixture
        .recognise(id, S::Proposed, |new| {
            let own = Fields { seasons: vec![2], ..Fields::default() };
            new.found.files = vec![
                FileRole { index: 0, role: Role::Main, fields: own },
                FileRole { index: 5, role: Role::Info, fields: Fields::default() },
            ];
        })
        .await;
    let seen = review.recognition(id).await.unwrap();
    assert_eq!(seen.files[0].fields.seasons, [2]);
    let [_, unfound] = unread;
    let wanted = [(0, first, Some(7), Role::Main), unfound, (5, None, None, Role::Info)];
    assert_eq!(told(seen), wanted);
}

#[tokio::test]
async fn what_people_set_is_shown() {
    spec!("review#what-a-download-is-taken-for/what-people-set");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    let review = &fixture.app.review;
    review.set_override(id, "year", "1987", None, &actor()).await.unwrap();
    review.set_override(id, "title", "Another  Film", None, &actor()).await.unwrap();
    let awaited = review.recognition(id).await.unwrap();
    assert_eq!((awaited.id, awaited.state), (None, S::Pending));
    assert_eq!(awaited.fields.title.as_deref(), Some("Another Film"));
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let view = review.recognition(id).await.unwrap();
    assert_eq!(view.fields.year, Some(1987));
    assert_eq!(view.fields.title.as_deref(), Some("Another Film"));
    assert!(view.evidence.iter().any(|why| why.field == "year" && why.from == "person"));
    assert_eq!(view.doubts, ["not plain"]);
}

#[tokio::test]
async fn the_chosen_work_is_shown() {
    spec!("review#what-a-download-is-taken-for/the-chosen-work");
    spec!("review#a-person-decides/a-candidate");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let review = &fixture.app.review;
    let [first, second] = &review.candidates(id).await.unwrap().items[..] else { panic!() };
    assert_eq!(first.work.as_deref(), Some("tmdb:movie/603"));
    let view = review.accept(id, Some(second.id), None, &actor()).await.unwrap();
    assert_eq!((view.state, view.candidate_id), (S::Accepted, Some(second.id)));
    assert_eq!(view.chosen_by, Some(actor()));
    assert_eq!(view.fields.title.as_deref(), Some("Film 604"));
    assert_eq!(view.fields.year, Some(1999));
    assert_eq!(view.fields.episodes, found(Some("Film")).fields.episodes);
    let [set] = &review.overrides(id).await.unwrap().items[..] else { panic!() };
    assert_eq!((set.field.as_str(), set.value.as_str()), ("candidate", "tmdb:movie/604"));
    assert_eq!(set.author, actor());
}

#[tokio::test]
async fn the_title_is_in_the_preferred_language() {
    spec!("review#what-a-download-is-taken-for/the-chosen-work");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    let mut named = candidate(603);
    named.work.other_titles = vec!["Фильм".to_owned()];
    fixture.recognise(id, S::Proposed, |new| new.candidates = vec![named]).await;
    for (language, title) in [("ru", "Фильм"), ("en", "Film 603")] {
        let app = fixture.app.clone().with_languages(vec![language.to_owned()]);
        let view = app.review.accept(id, None, None, &actor()).await.unwrap();
        assert_eq!(view.fields.title.as_deref(), Some(title));
    }
}

#[tokio::test]
async fn candidates_say_why() {
    spec!("review#what-a-download-is-taken-for/candidates");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    let mut against = candidate(7);
    against.excluded = Some(Remark::TitleOther);
    let list = vec![candidate(603), against];
    fixture.recognise(id, S::Proposed, |new| new.candidates = list).await;
    let page = fixture.app.review.candidates(id).await.unwrap();
    assert_eq!(page.next, None);
    let told: Vec<_> = page.items.iter().map(|one| (one.work.as_deref(), &one.excluded)).collect();
    let against = Some(Remark::TitleOther);
    assert_eq!(told, [(Some("tmdb:movie/603"), &None), (Some("tmdb:movie/7"), &against)]);
    let first = &page.items[0];
    assert_eq!((first.provider.as_str(), first.score), ("tmdb", 0.75));
    assert_eq!(first.parts[0].detail, "the same title");
    assert_eq!(first.overview.as_deref(), Some("a film"));
}

#[tokio::test]
async fn what_is_awaited_is_named() {
    spec!("review#what-a-download-is-taken-for/sources-that-are-awaited");
    spec!("review#a-person-decides/while-a-source-is-awaited");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    fixture.mark(id, Attention::MetadataUnavailable).await;
    let causes = vec![WaitCause {
        source: "tmdb".to_owned(),
        cause: "unreachable".to_owned(),
        detail: "no connection".to_owned(),
    }];
    let next = fixture.clock.now().plus_seconds(60);
    fixture
        .recognise(id, S::Waiting, |new| {
            (new.causes, new.next_look_at) = (causes, Some(next));
        })
        .await;
    let review = &fixture.app.review;
    let view = review.recognition(id).await.unwrap();
    assert_eq!((view.state, view.next_look_at), (S::Waiting, Some(next)));
    assert_eq!(view.waiting[0].cause, "unreachable");
    // There are candidates of another source, and they are not sure.
    let view = review.accept(id, None, None, &actor()).await.unwrap();
    assert_eq!((view.state, view.candidate_id), (S::Accepted, None));
    assert_eq!(view.fields.title.as_deref(), Some("Film"));
    assert_eq!(fixture.app.intake.show(id).await.unwrap().attention, None);
}

#[tokio::test]
async fn without_a_candidate_the_best_one_counts() {
    spec!("review#a-person-decides/without-a-candidate");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let best = review.candidates(id).await.unwrap().items[0].id;
    let view = review.accept(id, None, None, &actor()).await.unwrap();
    assert_eq!(view.candidate_id, Some(best));
    let bare = fixture.accept(2).await;
    fixture.recognise(bare, S::Proposed, |new| new.candidates.clear()).await;
    let view = review.accept(bare, None, None, &actor()).await.unwrap();
    assert_eq!((view.state, view.candidate_id), (S::Accepted, None));
}

fn untitled(new: &mut Written) {
    new.found = found(None);
    new.candidates.clear();
}

#[tokio::test]
async fn a_title_may_come_from_a_person() {
    spec!("review#a-person-decides/a-title-from-a-person");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Proposed, untitled).await;
    let refused = review.accept(id, None, None, &actor()).await;
    let Err(AppError::IllegalTransition { detail, .. }) = refused else { panic!("{refused:?}") };
    assert!(detail.contains("set the title"), "{detail}");
    review.set_override(id, "title", "Film", None, &actor()).await.unwrap();
    fixture.recognise(id, S::Proposed, untitled).await;
    let view = review.accept(id, None, None, &actor()).await.unwrap();
    assert_eq!((view.state, view.fields.title.as_deref()), (S::Accepted, Some("Film")));
}

#[tokio::test]
async fn a_rejected_one_asks_for_review() {
    spec!("review#a-person-decides/rejected");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Accepted, |_| ()).await;
    let view = fixture.app.review.reject(id, None, &actor()).await.unwrap();
    assert_eq!(view.state, S::Rejected);
    let download = fixture.app.intake.show(id).await.unwrap();
    assert_eq!(download.attention, Some(Attention::NeedsReview));
}

#[tokio::test]
async fn nothing_is_decided_on_nothing() {
    spec!("review#a-person-decides/nothing-to-decide-on");
    let fixture = Fixture::new();
    let (review, actor) = (&fixture.app.review, actor());
    let id = fixture.accept(1).await;
    let before = fixture.app.intake.show(id).await.unwrap().revision;
    for refused in
        [review.accept(id, None, None, &actor).await, review.reject(id, None, &actor).await]
    {
        assert!(matches!(refused, Err(AppError::IllegalTransition { .. })), "{refused:?}");
    }
    assert_eq!(fixture.app.intake.show(id).await.unwrap().revision, before);
}

#[tokio::test]
async fn a_former_candidate_does_not_count() {
    spec!("review#a-person-decides/a-candidate-of-a-former-recognition");
    let fixture = Fixture::new();
    let (review, actor) = (&fixture.app.review, actor());
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let former = review.candidates(id).await.unwrap().items[0].id;
    review.rerun(id, None, &actor).await.unwrap();
    let awaited = review.accept(id, Some(former), None, &actor).await;
    assert!(matches!(awaited, Err(AppError::Superseded)), "{awaited:?}");
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let newer = review.accept(id, Some(former), None, &actor).await;
    assert!(matches!(newer, Err(AppError::Superseded)), "{newer:?}");
    assert_eq!(review.recognition(id).await.unwrap().state, S::Proposed);
}

#[tokio::test]
async fn a_candidate_of_nobody_is_not_found() {
    spec!("review#a-person-decides/no-such-candidate");
    let fixture = Fixture::new();
    let (review, actor) = (&fixture.app.review, actor());
    let (id, other) = (fixture.accept(1).await, fixture.accept(2).await);
    fixture.recognise(other, S::Proposed, |_| ()).await;
    let theirs = review.candidates(other).await.unwrap().items[0].id;
    let nobodys = nobody(&fixture).any().typed();
    // The same with a recognition of its own as without one.
    for _ in 0..2 {
        for wrong in [theirs, nobodys] {
            let refused = review.accept(id, Some(wrong), None, &actor).await;
            let Err(AppError::NotFound { kind, .. }) = refused else { panic!("{refused:?}") };
            assert_eq!(kind, EntityKind::MetadataCandidate);
        }
        let refused = review.accept(id, Some(other.any().typed()), None, &actor).await;
        let Err(AppError::WrongEntityKind { kind, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(kind, EntityKind::Download);
        fixture.recognise(id, S::Proposed, |_| ()).await;
    }
}

fn nobody(fixture: &Fixture) -> DownloadId {
    Generator::new().next(fixture.clock.now_ms().0, None).typed()
}

/// Every change that there is, each told whether it was refused and how.
async fn all_changes(fixture: &Fixture, id: DownloadId, seen: Option<u64>) -> Vec<AppError> {
    let (review, actor) = (&fixture.app.review, actor());
    [
        review.accept(id, None, seen, &actor).await.map(drop),
        review.reject(id, seen, &actor).await.map(drop),
        review.rerun(id, seen, &actor).await.map(drop),
        review.hint(id, "a film", seen, &actor).await.map(drop),
        review.set_override(id, "year", "1999", seen, &actor).await.map(drop),
        review.remove_override(id, "year", seen, &actor).await,
        review.ask(id, AskScope::Download, seen, &actor).await.map(drop),
        review.ask_no_more(id, AskScope::Download, seen, &actor).await.map(drop),
    ]
    .into_iter()
    .filter_map(Result::err)
    .collect()
}

#[tokio::test]
async fn the_revision_a_person_saw_decides() {
    spec!("review#a-person-decides/for-another-revision");
    let fixture = Fixture::new();
    let id = fixture.accept(1).await;
    fixture.recognise(id, S::Proposed, |_| ()).await;
    let now = fixture.app.intake.show(id).await.unwrap().revision;
    let refused = all_changes(&fixture, id, Some(now + 1)).await;
    assert_eq!(refused.len(), 8);
    for refusal in refused {
        let AppError::Stale(present) = refusal else { panic!("{refusal:?}") };
        assert_eq!(present.revision, now);
    }
    let view = fixture.app.review.accept(id, None, Some(now), &actor()).await.unwrap();
    assert_eq!(view.state, S::Accepted);
}

#[tokio::test]
async fn what_ended_without_links_is_not_decided_on() {
    spec!("review#a-person-decides/at-an-end");
    let fixture = Fixture::new();
    let (failed, cancelled) = (fixture.accept(1).await, fixture.accept(2).await);
    for id in [failed, cancelled] {
        fixture.recognise(id, S::Proposed, |_| ()).await;
    }
    fixture.fail(failed).await;
    fixture.app.intake.cancel(cancelled, NO_WISH, None, &actor()).await.unwrap();
    let (winner, loser) = (fixture.accept(3).await, fixture.accept(4).await);
    fixture.write(move |tx| tx.merge_downloads(winner, loser)).await.unwrap();
    for id in [failed, cancelled, loser] {
        let refused = all_changes(&fixture, id, None).await;
        assert_eq!(refused.len(), 8);
        for refusal in refused {
            let AppError::IllegalTransition { detail, .. } = refusal else { panic!("{refusal:?}") };
            assert!(detail.contains("cannot be decided on"), "{detail}");
        }
    }
    let done = fixture.accept(5).await;
    fixture.recognise(done, S::Accepted, |_| ()).await;
    fixture.step(done, &[C::Shown, C::Finished, C::PlanAccepted, C::BatchRecorded]).await;
    fixture.app.review.accept(done, None, None, &actor()).await.unwrap();
    fixture.app.review.hint(done, "another film", None, &actor()).await.unwrap();
    let asked = fixture.app.review.recognition(done).await.unwrap();
    assert_eq!(asked.state, S::Pending);
}

#[tokio::test]
async fn a_download_that_is_not_there_is_said_first() {
    spec!("review#a-person-decides/no-such-download");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = nobody(&fixture);
    let mut refused = all_changes(&fixture, id, Some(7)).await;
    refused.extend(review.recognition(id).await.err());
    refused.extend(review.candidates(id).await.err());
    refused.extend(review.hints(id).await.err());
    refused.extend(review.overrides(id).await.err());
    refused.extend(review.set_override(id, "colour", "red", None, &actor()).await.err());
    assert_eq!(refused.len(), 13);
    assert!(refused.iter().all(|refusal| matches!(refusal, AppError::NotFound { .. })));
    fixture.accept(1).await;
    let event = fixture.app.journal.newest().await.unwrap().unwrap();
    let refused = review.recognition(event.typed()).await;
    assert!(matches!(refused, Err(AppError::WrongEntityKind { .. })), "{refused:?}");
}

#[test]
fn a_name_is_read_alone() {
    spec!("review#names-can-be-read-alone/a-name");
    let found = tracker_app::parse("Some.Film.2020.1080p.mkv").unwrap();
    assert_eq!(found.fields.title.as_deref(), Some("Some Film"));
    assert_eq!(found.fields.year, Some(2020));
    assert!(found.evidence.iter().any(|why| why.field == "year"));
}

#[test]
fn what_is_no_name_is_refused() {
    spec!("review#names-can-be-read-alone/no-name");
    for name in ["", " ", "x".repeat(4097).as_str()] {
        let Err(AppError::InvalidRequest(errors)) = tracker_app::parse(name) else { panic!() };
        let [FieldError { parameter, .. }] = &errors[..] else { panic!("{errors:?}") };
        assert_eq!(parameter.as_deref(), Some("name"));
    }
    assert!(tracker_app::parse(&"x".repeat(4096)).is_ok());
}
