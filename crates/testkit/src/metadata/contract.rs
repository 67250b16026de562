//! What every source of titles has to do, adapter or fake: one test for all.
//!
//! The source knows the works of the catalogue.

use tracker_domain::metadata::{MetadataQuery, Pin, Provider, Work, WorkId, WorkKind};
use tracker_domain::ports::{MetadataError, MetadataSource};

use super::catalogue::{self, Entry, FERRY, FERRY_FILM, HARBOUR, LANTERNS};

/// Runs the contract: about fifteen calls.
///
/// # Panics
/// When the source breaks it.
pub async fn metadata_source_contract(source: &dyn MetadataSource) {
    let provider = source.provider();
    finds_what_is_there(source).await;
    finds_films_where_it_knows_them(source).await;
    describes_a_work_in_full(source).await;
    knows_nothing_of_others(source).await;
    tells_what_a_pin_means(source).await;
    lists_the_episodes_of_a_season(source).await;
    assert_eq!(source.provider(), provider, "it stays the source that it is");
}

async fn finds_what_is_there(source: &dyn MetadataSource) {
    let found = search(source, "lanterns of kesh", WorkKind::Series, None).await;
    let ids: Vec<WorkId> = found.iter().map(|work| work.id).collect();
    assert_eq!(ids, [id(source, LANTERNS)], "it is found whatever the case");
    let work = &found[0];
    assert_eq!(work.title, "Lanterns of Kesh");
    assert_eq!(work.year, Some(2016));
    assert!(work.seasons.is_empty(), "a search tells no seasons");
    assert!((0.0..=1.0).contains(&work.popularity));
    let found = search(source, "Zzyzx Qwv", WorkKind::Series, None).await;
    assert_eq!(found, [], "what is not there is none");
}

async fn finds_films_where_it_knows_them(source: &dyn MetadataSource) {
    let known = source.provider().covers(WorkKind::Movie);
    let found = search(source, "Iron Orchard", WorkKind::Movie, Some(2014)).await;
    assert_eq!(found.len(), if known { 2 } else { 0 }, "films of one name and year");
    let found = search(source, "Iron Orchard", WorkKind::Movie, None).await;
    assert_eq!(found.len(), if known { 3 } else { 0 }, "and one of another year");
    assert!(found.iter().all(|work| work.id.kind == WorkKind::Movie));
}

async fn describes_a_work_in_full(source: &dyn MetadataSource) {
    let wanted = LANTERNS.work(source.provider(), "en").expect("every source has it");
    let work = source.work(wanted.id, "en").await.expect("it is described");
    assert_eq!((work.id, &work.title), (wanted.id, &wanted.title));
    assert_eq!((&work.imdb, work.year), (&wanted.imdb, wanted.year));
    assert_eq!((&work.language, work.animated), (&wanted.language, wanted.animated));
    assert_eq!(work.seasons, wanted.seasons, "its seasons ascend");
    for name in &wanted.other_titles {
        assert!(work.other_titles.contains(name), "{name:?} in {:?}", work.other_titles);
    }
    assert_eq!(work.overview, wanted.overview, "its description is plain text");
    let animated = source.work(id(source, catalogue::COURIER), "en").await.expect("described");
    assert!(animated.animated);
    let episodes: u32 = animated.seasons.iter().map(|season| season.episodes).sum();
    assert_eq!(episodes, 50, "every season tells how long it is: {:?}", animated.seasons);
}

async fn knows_nothing_of_others(source: &dyn MetadataSource) {
    let (provider, kind) = (source.provider(), WorkKind::Series);
    let nobody = WorkId { provider, kind, number: 987_654 };
    assert_eq!(source.work(nobody, "en").await, Err(MetadataError::NotFound));
    for other in Provider::ALL.iter().filter(|other| **other != provider) {
        let foreign = LANTERNS.id(*other).expect("every source has it");
        assert_eq!(source.work(foreign, "en").await, Err(MetadataError::NotFound));
        let episodes = source.episodes(foreign, 1, "en").await;
        assert_eq!(episodes, Err(MetadataError::NotFound));
        assert_eq!(resolve(source, Pin::Work(foreign)).await, []);
    }
}

async fn tells_what_a_pin_means(source: &dyn MetadataSource) {
    let lanterns = id(source, LANTERNS);
    let found = resolve(source, Pin::Work(lanterns)).await;
    assert_eq!(ids(&found), [lanterns]);
    assert!(!found[0].seasons.is_empty(), "it is told in full");
    assert_eq!(ids(&resolve(source, Pin::Imdb(LANTERNS.imdb.into())).await), [lanterns]);
    assert_eq!(resolve(source, Pin::Imdb("tt0000001".into())).await, []);
    let film = resolve(source, Pin::Imdb(HARBOUR.imdb.into())).await;
    let by_number = resolve(source, Pin::Tmdb(FERRY.tmdb)).await;
    if source.provider() == Provider::Tmdb {
        assert_eq!(ids(&film), [id(source, HARBOUR)]);
        assert_eq!(ids(&by_number), [id(source, FERRY_FILM), id(source, FERRY)], "both");
    } else {
        assert_eq!((film, by_number), (Vec::new(), Vec::new()), "it knows no such number");
    }
}

async fn lists_the_episodes_of_a_season(source: &dyn MetadataSource) {
    let lanterns = id(source, LANTERNS);
    for season in [0, 2] {
        let wanted: Vec<_> =
            LANTERNS.episodes().into_iter().filter(|one| one.season == season).collect();
        let listed = source.episodes(lanterns, season, "en").await;
        assert_eq!(listed, Ok(wanted), "season {season}");
    }
    assert_eq!(source.episodes(lanterns, 9, "en").await, Err(MetadataError::NotFound));
}

async fn search(
    source: &dyn MetadataSource,
    title: &str,
    kind: WorkKind,
    year: Option<i32>,
) -> Vec<Work> {
    let query = MetadataQuery { title: title.into(), kind, year, language: "en".into() };
    source.search(&query).await.expect("a source that is up answers")
}

async fn resolve(source: &dyn MetadataSource, pin: Pin) -> Vec<Work> {
    source.resolve(&pin, "en").await.expect("a source that is up answers")
}

fn id(source: &dyn MetadataSource, entry: &Entry) -> WorkId {
    entry.id(source.provider()).expect("the source has it")
}

fn ids(works: &[Work]) -> Vec<WorkId> {
    works.iter().map(|work| work.id).collect()
}
