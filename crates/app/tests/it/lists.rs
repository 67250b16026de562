//! Lists: bounds, filters, pages.

use tracker_app::{AppError, AttentionFilter, DownloadQuery, EventQuery};
use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadId, DownloadState};

use crate::fixture::{Fixture, NO_WISH, actor, v1};

async fn ids(fixture: &Fixture, query: DownloadQuery) -> Vec<DownloadId> {
    let page = fixture.app.intake.list(query).await.unwrap();
    page.items.into_iter().map(|view| view.id).collect()
}

#[tokio::test]
async fn a_limit_is_from_1_to_200() {
    let fixture = Fixture::new();
    for limit in [Some(0), Some(201), Some(u32::MAX)] {
        let query = DownloadQuery { limit, ..DownloadQuery::default() };
        let refused = fixture.app.intake.list(query).await.map(|_| ());
        let events = EventQuery { limit, ..EventQuery::default() };
        let both = [refused, fixture.app.journal.events(events).await.map(|_| ())];
        for refused in both {
            let Err(AppError::InvalidRequest(fields)) = refused else { panic!("{refused:?}") };
            assert_eq!(fields[0].parameter.as_deref(), Some("limit"));
        }
    }
    for limit in [None, Some(1), Some(200)] {
        let query = DownloadQuery { limit, ..DownloadQuery::default() };
        assert!(fixture.app.intake.list(query).await.is_ok());
    }
}

#[tokio::test]
async fn pages_follow_each_other_newest_first() {
    let fixture = Fixture::new();
    let mut expected = Vec::new();
    for number in 1..=5 {
        expected.insert(0, fixture.accept(number).await);
    }
    let mut seen = Vec::new();
    let mut before = None;
    let mut pages = 0;
    loop {
        let query = DownloadQuery { limit: Some(2), before, ..DownloadQuery::default() };
        let page = fixture.app.intake.list(query).await.unwrap();
        pages += 1;
        seen.extend(page.items.iter().map(|view| view.id));
        let Some(next) = page.next else { break };
        assert_eq!(page.items.len(), 2);
        assert_eq!(next, page.items.last().unwrap().id.any());
        before = Some(next.typed());
    }
    assert_eq!((seen, pages), (expected, 3));
    // A page that is exactly full is the last one all the same.
    let query = DownloadQuery { limit: Some(5), ..DownloadQuery::default() };
    assert_eq!(fixture.app.intake.list(query).await.unwrap().next, None);
}

#[tokio::test]
async fn filters_narrow_the_list() {
    let fixture = Fixture::new();
    let queued = fixture.accept(1).await;
    let marked = fixture.accept(2).await;
    fixture.mark(marked, Attention::DiskFull).await;
    let gone = fixture.accept(3).await;
    fixture.app.intake.cancel(gone, NO_WISH, None, &actor()).await.unwrap();
    let by = |query: DownloadQuery| ids(&fixture, query);
    let all = || DownloadQuery::default();
    assert_eq!(by(all()).await, [gone, marked, queued]);
    assert_eq!(by(DownloadQuery { active: Some(true), ..all() }).await, [marked, queued]);
    assert_eq!(by(DownloadQuery { active: Some(false), ..all() }).await, [gone]);
    let states = vec![DownloadState::Cancelled, DownloadState::Failed];
    assert_eq!(by(DownloadQuery { states: states.clone(), ..all() }).await, [gone]);
    let none = DownloadQuery { states, active: Some(true), ..all() };
    assert_eq!(by(none).await, []);
    let attention = |filter| DownloadQuery { attention: Some(filter), ..all() };
    assert_eq!(by(attention(AttentionFilter::Any)).await, [marked]);
    assert_eq!(by(attention(AttentionFilter::None)).await, [gone, queued]);
    assert_eq!(by(attention(AttentionFilter::Is(Attention::DiskFull))).await, [marked]);
    assert_eq!(by(attention(AttentionFilter::Is(Attention::Stalled))).await, []);
    assert_eq!(by(DownloadQuery { infohash: Some(v1(2)), ..all() }).await, [marked]);
    let text = |text: String| DownloadQuery { text: Some(text), ..all() };
    assert_eq!(by(text("film 2".to_owned())).await, [marked]);
    assert_eq!(by(text("  ".to_owned())).await.len(), 3);
    assert_eq!(by(text(queued.to_string().to_uppercase())).await, [queued]);
    assert_eq!(by(text(v1(3).to_string())).await, [gone]);
    // A whole hash beside another hash matches nothing.
    let both = DownloadQuery { infohash: Some(v1(2)), ..text(v1(3).to_string()) };
    assert_eq!(by(both).await, []);
}

#[tokio::test]
async fn events_by_type_entity_and_cursor() {
    let fixture = Fixture::new();
    let first = fixture.accept(1).await;
    let second = fixture.accept(2).await;
    fixture.mark(first, Attention::DiskFull).await;
    let events = |query: EventQuery| fixture.app.journal.events(query);
    let types = vec![EventType::DownloadCreated];
    let created = events(EventQuery { types: types.clone(), ..EventQuery::default() });
    let created = created.await.unwrap().items;
    let about: Vec<_> = created.iter().map(|event| event.entity_id.unwrap()).collect();
    assert_eq!(about, [second.any(), first.any()]);
    assert!(created.iter().all(|event| event.actor == "api:tests"));
    let of_first = EventQuery { download_id: Some(first), ..EventQuery::default() };
    assert_eq!(events(of_first).await.unwrap().items.len(), 2);
    let of_entity = EventQuery { entity_id: Some(second.any()), ..EventQuery::default() };
    assert_eq!(events(of_entity).await.unwrap().items.len(), 1);
    let one = EventQuery { limit: Some(1), ..EventQuery::default() };
    let page = events(one.clone()).await.unwrap();
    let next = events(EventQuery { before: page.next, ..one }).await.unwrap();
    assert!(next.items[0].id < page.items[0].id);
}
