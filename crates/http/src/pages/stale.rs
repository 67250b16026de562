//! What is different from the page that a form was sent from.

use std::collections::HashSet;

use tracker_app::{EventQuery, EventView, PlanView};
use tracker_domain::DownloadId;
use tracker_ident::AnyId;

use crate::pages::form::Posted;
use crate::problem::Problem;
use crate::shared::Shared;

/// More is not read by anybody; the journal has it.
const EVENTS: u32 = 20;

/// The difference, for the person who sent the form.
pub(crate) struct Stale {
    /// What was written down since, newest first.
    pub(crate) events: Vec<EventView>,
    /// Links that were shown, and would be made no longer.
    pub(crate) gone: Vec<String>,
    /// Links that would be made, and were not shown.
    pub(crate) fresh: Vec<String>,
    /// Fields of the form with what the person wrote into them, which is not kept.
    pub(crate) unsaved: Vec<(String, String)>,
}

impl Stale {
    pub(crate) async fn since(
        shared: &Shared,
        id: DownloadId,
        form: &Posted,
        plan: Option<&PlanView>,
    ) -> Result<Stale, Problem> {
        let events = match form.id::<AnyId>("seen")? {
            Some(seen) => events_after(shared, id, seen).await?,
            None => Vec::new(),
        };
        // Only the form of the plan says what was shown of it.
        let (gone, fresh) = match form.get("plan") {
            Some(_) => compared(form, plan),
            None => Default::default(),
        };
        Ok(Stale { events, gone, fresh, unsaved: unsaved(form) })
    }
}

async fn events_after(
    shared: &Shared,
    id: DownloadId,
    seen: AnyId,
) -> Result<Vec<EventView>, Problem> {
    let query = EventQuery { download_id: Some(id), limit: Some(EVENTS), ..EventQuery::default() };
    let newest = shared.app.journal.events(query).await?.items;
    Ok(newest.into_iter().take_while(|event| event.id.any() > seen).collect())
}

/// The links that are gone, and those that are new.
fn compared(form: &Posted, plan: Option<&PlanView>) -> (Vec<String>, Vec<String>) {
    let shown: Vec<&str> = form.all("shown").collect();
    let links = plan.map(|plan| plan.links.as_slice()).unwrap_or_default();
    let now: Vec<String> = links.iter().map(|link| link.target.display().to_string()).collect();
    let (had, has): (HashSet<&str>, HashSet<&str>) =
        (shown.iter().copied().collect(), now.iter().map(String::as_str).collect());
    let gone =
        shown.iter().filter(|target| !has.contains(*target)).map(|&target| target.to_owned());
    let fresh = now.iter().filter(|target| !had.contains(target.as_str())).cloned();
    (gone.collect(), fresh.collect())
}

/// What the person changed on the form.
fn unsaved(form: &Posted) -> Vec<(String, String)> {
    let shown = form.pairs().filter_map(|(name, was)| Some((name.strip_prefix("was.")?, was)));
    let changed = shown.filter_map(|(field, was)| {
        let value = form.get(&format!("field.{field}")).unwrap_or_default();
        (value != was.trim()).then(|| (field.to_owned(), value.to_owned()))
    });
    changed.collect()
}
