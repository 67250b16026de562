//! One download on one plain page: where it is, its infohashes, its story.

use axum::extract::State;
use axum::response::Html;
use tracker_app::{DownloadView, EventQuery, EventView};
use tracker_domain::{DownloadId, DownloadState};

use crate::extract::Parsed;
use crate::html::{document, escaped};
use crate::openapi::IdRefusals;
use crate::problem::Problem;
use crate::shared::Shared;

/// How many events the page shows.
const EVENTS: u32 = 100;

/// One download as a page.
#[utoipa::path(
    get,
    path = "/download/{id}",
    operation_id = "download_page",
    tag = "pages",
    params(("id" = inline(tracker_wire::words::AnyCaseUlid), Path, description = "Its id.")),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html"),
        IdRefusals
    )
)]
pub(crate) async fn page(
    State(shared): State<Shared>,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Html<String>, Problem> {
    let view = shared.app.intake.show(id).await?;
    let query = EventQuery { download_id: Some(id), limit: Some(EVENTS), ..EventQuery::default() };
    let events = shared.app.journal.events(query).await?;
    Ok(Html(rendered(&view, &events.items, shared.base())))
}

fn rendered(view: &DownloadView, events: &[EventView], base: &str) -> String {
    let mut body = format!("<p>{}</p>\n", sentence(view.state));
    if view.paused {
        body.push_str("<p>It is paused.</p>\n");
    }
    if let Some(attention) = view.attention {
        let detail = escaped(view.attention_detail.as_deref().unwrap_or_default());
        body.push_str(&format!(
            "<p>It needs a look: <a href=\"{base}/problems/{attention}\">{attention}</a> {detail}</p>\n",
            base = escaped(base)
        ));
    }
    if let Some(error) = &view.error {
        let (code, detail) = (escaped(&error.code), escaped(&error.detail));
        body.push_str(&format!("<p>It failed: {code} {detail}</p>\n"));
    }
    if let Some(winner) = view.merged_into {
        let base = escaped(base);
        body.push_str(&format!("<p>See <a href=\"{base}/download/{winner}\">{winner}</a></p>\n"));
    }
    body.push_str(&facts(view));
    body.push_str(&story(events));
    document(&view.name, &body)
}

/// Where it is, as a person would say it.
const fn sentence(state: DownloadState) -> &'static str {
    match state {
        DownloadState::Queued => "Accepted; the torrent client has not shown it yet.",
        DownloadState::Downloading => "The torrent client has it, and it is not complete yet.",
        DownloadState::Downloaded => "It is complete, and not in the library yet.",
        DownloadState::Linking => "Its links are being made.",
        DownloadState::Done => "It is in the library.",
        DownloadState::Failed => "It cannot go on by itself.",
        DownloadState::Cancelled => "It was given up.",
        DownloadState::Merged => "It turned out to be the same torrent as another download.",
    }
}

fn facts(view: &DownloadView) -> String {
    let mut hashes = String::new();
    for hash in &view.infohashes {
        hashes.push_str(&format!("<dd><code>{hash}</code></dd>\n"));
    }
    let client = escaped(view.client.as_deref().unwrap_or("none"));
    format!(
        "<dl>\n<dt>Id</dt>\n<dd><code>{}</code></dd>\n<dt>State</dt>\n<dd>{}</dd>\n\
         <dt>Client</dt>\n<dd>{client}</dd>\n<dt>Infohashes</dt>\n{hashes}\
         <dt>Accepted</dt>\n<dd>{}</dd>\n<dt>Last change</dt>\n<dd>{}</dd>\n</dl>\n",
        view.id, view.state, view.created_at, view.updated_at
    )
}

fn story(events: &[EventView]) -> String {
    let mut rows = String::new();
    for event in events {
        let id = event.id.to_string();
        rows.push_str(&format!(
            "<tr><td>{}</td><td><code title=\"{id}\">{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            event.created_at,
            short(&id),
            event.event_type,
            escaped(&event.actor),
            escaped(&event.message)
        ));
    }
    format!(
        "<h2>Events</h2>\n<table>\n<thead><tr><th scope=\"col\">Time</th><th scope=\"col\">Id</th>\
         <th scope=\"col\">Type</th><th scope=\"col\">By</th><th scope=\"col\">What</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n"
    )
}

/// The last eight letters, which differ where ids of one moment do.
fn short(id: &str) -> &str {
    id.get(id.len().saturating_sub(8)..).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tracker_app::{DownloadView, EventView};
    use tracker_domain::event::EventType;
    use tracker_domain::{Attention, DownloadState, Infohash};

    use super::rendered;

    const ID: &str = "01jzabcdefghjkmnpqrstvwxyz";
    const EVENT: &str = "01jzabcdefghjkmnpq00000042";

    fn view() -> DownloadView {
        DownloadView {
            id: ID.parse().unwrap(),
            state: DownloadState::Downloading,
            attention: Some(Attention::Stalled),
            attention_detail: Some("<b>since noon".to_owned()),
            name: "<script>alert(1)</script>".to_owned(),
            infohashes: vec![Infohash::from_any_form(&"ab".repeat(20)).unwrap()],
            client: Some("\"qb\"".to_owned()),
            progress: None,
            paused: true,
            error: None,
            merged_into: None,
            revision: 1,
            created_at: "2026-01-02T03:04:05Z".parse().unwrap(),
            updated_at: "2026-01-02T03:04:05Z".parse().unwrap(),
        }
    }

    fn event() -> EventView {
        EventView {
            id: EVENT.parse().unwrap(),
            created_at: "2026-01-02T03:04:05Z".parse().unwrap(),
            event_type: EventType::DownloadCreated,
            entity_kind: None,
            entity_id: None,
            entity_name: None,
            download_id: None,
            job_id: None,
            actor: "cli:<i>".to_owned(),
            message: "a <b>".to_owned(),
            data: serde_json::json!({}),
        }
    }

    #[test]
    fn the_page_says_where_it_is_and_escapes_what_others_wrote() {
        tracker_testkit::spec!("http-api#the-page-of-a-download/foreign-text");
        let page = rendered(&view(), &[event()], "/base");
        assert!(page.contains("not complete yet"));
        assert!(page.contains("href=\"/base/problems/stalled\""));
        assert!(page.contains(&"ab".repeat(20)));
        for markup in ["<script", "<b>", "<i>", "\"qb\""] {
            assert!(!page.contains(markup), "{markup}");
        }
    }

    #[test]
    fn ids_are_short_in_the_table_and_whole_elsewhere() {
        tracker_testkit::spec!("http-api#the-page-of-a-download/ids-in-its-table");
        let page = rendered(&view(), &[event()], "");
        assert!(page.contains(&format!("<dd><code>{ID}</code></dd>")));
        assert!(page.contains(&format!("<code title=\"{EVENT}\">00000042</code>")));
    }
}
