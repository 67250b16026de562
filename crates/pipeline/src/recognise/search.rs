//! The works that the sources have for what was recognised.

use std::sync::Arc;

use tracker_domain::metadata::{MetadataQuery, Work, WorkId};
use tracker_domain::ports::MetadataSource;
use tracker_domain::recognised::Recognised;
use tracker_recognize::matching::{Scored, queries, score};
use tracker_store::StoreError;

use super::ask::{Request, Round};
use super::wait::Causes;
use crate::Policy;

/// So many of the best are asked for in full: names in every language, seasons.
const IN_FULL: usize = 3;

/// What asking came to.
#[derive(Default)]
pub(super) struct Search {
    /// The works, the best first.
    pub scored: Vec<Scored>,
    /// Which sources gave no answer.
    pub causes: Causes,
    /// Whether there was a source for what is asked.
    pub asked: bool,
}

/// Asks by the plan of queries, and for the best works in full.
pub(super) async fn search(
    policy: &Policy,
    round: &mut Round<'_>,
    said: &Recognised,
) -> Result<Search, StoreError> {
    let plan = queries(said, &policy.languages);
    let mut asking = Asking { policy, round, found: Vec::new(), search: Search::default() };
    asking.all(&plan.first).await?;
    let mut scored = score(said, asking.found.clone());
    if !scored.iter().any(Scored::is_candidate) && !plan.then.is_empty() {
        asking.all(&plan.then).await?;
        scored = score(said, asking.found.clone());
    }
    for id in worth_in_full(&scored) {
        asking.in_full(id).await?;
    }
    let Asking { found, search, .. } = asking;
    Ok(Search { scored: score(said, found), ..search })
}

/// The best; where there is none, those that may have the name among their
/// further ones, which a search does not tell.
fn worth_in_full(scored: &[Scored]) -> Vec<WorkId> {
    let any = scored.iter().any(Scored::is_candidate);
    let worth = scored.iter().filter(|scored| match any {
        true => scored.is_candidate(),
        false => only_title_differs(scored),
    });
    worth.take(IN_FULL).map(|scored| scored.work.id).collect()
}

fn only_title_differs(scored: &Scored) -> bool {
    let mut against = scored.parts.iter().filter(|part| part.points <= -1.0);
    against.all(|part| part.name == "title")
}

/// The language in which works are described.
pub(super) fn language(policy: &Policy) -> &str {
    policy.languages.first().map_or("en", String::as_str)
}

struct Asking<'a, 'b> {
    policy: &'a Policy,
    round: &'a mut Round<'b>,
    found: Vec<Work>,
    search: Search,
}

impl Asking<'_, '_> {
    async fn all(&mut self, queries: &[MetadataQuery]) -> Result<(), StoreError> {
        for query in queries {
            let covers = |source: &&Arc<dyn MetadataSource>| source.provider().covers(query.kind);
            let sources: Vec<_> = self.policy.sources.iter().filter(covers).cloned().collect();
            for source in sources {
                self.search.asked = true;
                let works = self.ask(&source, Request::Search(query)).await?;
                self.found.extend(works);
            }
        }
        Ok(())
    }

    async fn in_full(&mut self, id: WorkId) -> Result<(), StoreError> {
        let Some(source) = self.policy.sources.of(id.provider).cloned() else { return Ok(()) };
        let language = language(self.policy);
        for work in self.ask(&source, Request::Work(id, language)).await? {
            // A source that answers with another work is not believed.
            if work.id == id {
                self.take_in(work);
            }
        }
        Ok(())
    }

    /// Puts a work in the place of what the searches said of it; the names by
    /// which it was found stay.
    fn take_in(&mut self, mut work: Work) {
        for known in self.found.iter().filter(|known| known.id == work.id) {
            let named = std::iter::once(&known.title).chain(&known.original_title);
            for name in named.chain(&known.other_titles) {
                let has = work.title == *name
                    || work.original_title.as_ref() == Some(name)
                    || work.other_titles.contains(name);
                if !has {
                    work.other_titles.push(name.clone());
                }
            }
        }
        self.found.retain(|known| known.id != work.id);
        self.found.push(work);
    }

    async fn ask(
        &mut self,
        source: &Arc<dyn MetadataSource>,
        request: Request<'_>,
    ) -> Result<Vec<Work>, StoreError> {
        match self.round.ask(source, request).await? {
            Ok(works) => Ok(works),
            Err(error) => {
                self.search.causes.add_failure(source.provider(), &error);
                Ok(Vec::new())
            }
        }
    }
}
