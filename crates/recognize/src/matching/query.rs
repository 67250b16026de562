//! What to ask the metadata sources.

use tracker_domain::metadata::{MetadataQuery, WorkKind};
use tracker_domain::recognised::{Recognised, TitleKind};

use super::fold::is_cyrillic;
use super::titles::our_names;

/// The most queries of a plan, both rounds together.
pub const MOST_QUERIES: usize = 6;

/// The most queries of the first round where there is a second one.
const MOST_FIRST: usize = 4;

/// The longest name that is sent, in characters.
const LONGEST_NAME: usize = 120;

/// The queries for one recognition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryPlan {
    /// Asked at once.
    pub first: Vec<MetadataQuery>,
    /// Asked where nothing that the first round found survives its scoring: the
    /// same names without the year, which a source may have otherwise.
    pub then: Vec<MetadataQuery>,
}

/// Plans the queries: the original name first, then the others, each with the
/// year. `languages` are those of the configuration, ISO 639-1, best first;
/// where there is none it is English.
#[must_use]
pub fn queries(recognised: &Recognised, languages: &[String]) -> QueryPlan {
    let fields = &recognised.fields;
    let kinds: &[WorkKind] = match fields.kind {
        Some(TitleKind::Movie) => &[WorkKind::Movie],
        Some(TitleKind::Series | TitleKind::Anime) => &[WorkKind::Series],
        Some(TitleKind::Other) => &[],
        None => &[WorkKind::Movie, WorkKind::Series],
    };
    let names = our_names(fields);
    let pairs = names.iter().flat_map(|(name, _)| kinds.iter().map(move |kind| (*name, *kind)));
    let ask = |year: Option<i32>, most: usize| -> Vec<MetadataQuery> {
        let query = |(name, kind): (&str, WorkKind)| MetadataQuery {
            title: name.chars().take(LONGEST_NAME).collect(),
            kind,
            year,
            language: language(name, languages),
        };
        pairs.clone().take(most).map(query).collect()
    };
    match fields.year {
        None => QueryPlan { first: ask(None, MOST_QUERIES), then: Vec::new() },
        Some(year) => {
            let first = ask(Some(year), MOST_FIRST);
            let then = ask(None, MOST_QUERIES - first.len());
            QueryPlan { first, then }
        }
    }
}

/// A source finds a Russian name, and answers with one, only when asked in Russian.
fn language(name: &str, languages: &[String]) -> String {
    let russian = languages.iter().find(|language| *language == "ru");
    let found = russian.filter(|_| is_cyrillic(name)).or_else(|| languages.first());
    found.cloned().unwrap_or_else(|| "en".to_owned())
}
