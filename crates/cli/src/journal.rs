//! Entries of the journal in words: what happened, and what their data says.

use serde_json::Value;
use tracker_wire::EventDto;

use crate::render::{Overflow, count, table};
use crate::terminal::{Stop, Terminal, clean};

/// Whether an entry says what it is about. Below its download it need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It does.
    Named,
    /// It is clear from where it stands.
    Unnamed,
}

/// What the data of an entry says.
pub(crate) struct Words {
    /// What fits beside the message.
    pub(crate) beside: String,
    /// A line for each file.
    pub(crate) below: Vec<String>,
}

/// Entries as a table.
pub(crate) fn events<'a>(
    terminal: &mut Terminal<'_>,
    events: impl IntoIterator<Item = &'a EventDto>,
    naming: Naming,
) -> Result<(), Stop> {
    let rows = events
        .into_iter()
        .map(|event| {
            let words = words(&event.data);
            let mut lines = vec![clean(&message(event, &words, naming))];
            lines.extend(words.below.iter().map(|line| clean(line)));
            vec![
                event.created_at.clone(),
                about(event).to_owned(),
                event.event_type.clone(),
                event.actor.clone(),
                lines.join("\n"),
            ]
        })
        .collect();
    table(terminal, &["TIME", "ABOUT", "TYPE", "ACTOR", "MESSAGE"], rows, Overflow::Wrap)
}

/// The header of a list that has no end.
pub(crate) fn header(terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    line(terminal, ["TIME", "ABOUT", "TYPE", "ACTOR", "MESSAGE"])
}

/// One entry of such a list: its columns have fixed widths, since nobody knows
/// what will come.
pub(crate) fn event_line(terminal: &mut Terminal<'_>, event: &EventDto) -> Result<(), Stop> {
    let words = words(&event.data);
    let message = message(event, &words, Naming::Named);
    line(terminal, [&event.created_at, about(event), &event.event_type, &event.actor, &message])?;
    for below in &words.below {
        writeln!(terminal.out, "    {}", clean(below))?;
    }
    terminal.out.flush()?;
    Ok(())
}

fn line(terminal: &mut Terminal<'_>, columns: [&str; 5]) -> Result<(), Stop> {
    let [time, about, kind, actor, message] = columns.map(clean);
    writeln!(terminal.out, "{time:20}  {about:26}  {kind:24}  {actor:12}  {message}")?;
    Ok(())
}

/// The download, or what else it is about.
fn about(event: &EventDto) -> &str {
    event.download_id.as_ref().or(event.entity_id.as_ref()).map_or("", String::as_str)
}

fn message(event: &EventDto, words: &Words, naming: Naming) -> String {
    let name = event.entity_name.as_deref().filter(|name| !name.is_empty());
    let mut text = match name {
        Some(name) if naming == Naming::Named => format!("{name}: {}", event.message),
        _ => event.message.clone(),
    };
    if !words.beside.is_empty() {
        text.push_str(": ");
        text.push_str(&words.beside);
    }
    // What `undo` asks for.
    if let (Some("apply_batch"), Some(id)) = (event.entity_kind.as_deref(), &event.entity_id) {
        text.push_str(&format!(" (batch {id})"));
    }
    text
}

/// What the data of an entry says. Members that are not known here are left
/// out; `--json` has them all.
pub(crate) fn words(data: &Value) -> Words {
    let text = |name: &str| plain(&data[name]);
    let labelled = |label: &str, name: &str| text(name).map(|value| format!("{label} {value}"));
    let mut parts = Vec::new();
    if let (Some(from), Some(to)) = (text("from"), text("to")) {
        parts.push(format!("{from} → {to}"));
    }
    parts.extend(match (text("attention"), text("detail")) {
        (Some(attention), Some(detail)) => Some(format!("{attention}: {detail}")),
        (attention, detail) => attention.or(detail),
    });
    parts.extend(text("why"));
    // A value may be empty: `edition` without one is no special edition.
    if let (Some(field), Value::String(value)) = (text("field"), &data["value"]) {
        parts.push(if value.is_empty() {
            format!("{field} = \"\"")
        } else {
            format!("{field} = {value}")
        });
    }
    parts.extend(text("text").map(|said| said.split_whitespace().collect::<Vec<_>>().join(" ")));
    parts.extend(text("title").map(|title| match text("year") {
        Some(year) => format!("{title} ({year})"),
        None => title,
    }));
    parts.extend(labelled("infohash", "infohash"));
    for infohash in data["infohashes"].as_array().into_iter().flatten() {
        parts.extend(plain(infohash).map(|value| format!("infohash {value}")));
    }
    parts.extend(labelled("client", "client"));
    parts.extend(labelled("merged into", "merged_into"));
    parts.extend(labelled("took in", "merged_id"));
    let targets: Vec<String> =
        data["targets"].as_array().into_iter().flatten().filter_map(plain).collect();
    let links = data["links"].as_u64();
    parts.extend(links.map(|links| count(links, "link")));
    let told = u64::try_from(targets.len()).unwrap_or(u64::MAX);
    let untold = links.unwrap_or(0).saturating_sub(told);
    let mut below = targets;
    if told > 0 && untold > 0 {
        below.push(format!("and {untold} more"));
    }
    Words { beside: parts.join(", "), below }
}

/// A text or a number; everything else is nothing to print.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::words;

    #[test]
    fn data_is_told_in_words() {
        let cases = [
            (json!({}), ""),
            (json!(null), ""),
            (
                json!({"from": "queued", "to": "downloading", "attention": null}),
                "queued → downloading",
            ),
            (
                json!({"from": "linking", "to": "downloaded", "attention": "link-failed", "detail": "EXDEV"}),
                "linking → downloaded, link-failed: EXDEV",
            ),
            (json!({"from": 5, "to": 6}), "5 → 6"),
            (json!({"detail": "no space"}), "no space"),
            (json!({"title": "Some Film", "year": 2001}), "Some Film (2001)"),
            (json!({"title": "Some Film", "year": null}), "Some Film"),
            (
                json!({"infohashes": ["aa", "bb"], "why": "stated"}),
                "stated, infohash aa, infohash bb",
            ),
            (json!({"infohash": "aa", "kind": "v1"}), "infohash aa"),
            (json!({"client": "home", "merged_into": "x"}), "client home, merged into x"),
            (json!({"links": 1}), "1 link"),
            (json!({"field": "year", "value": "1999", "author": "cli:me"}), "year = 1999"),
            (json!({"field": "edition", "value": ""}), "edition = \"\""),
            (json!({"text": "the first\none", "author": "cli:me"}), "the first one"),
        ];
        for (data, wanted) in cases {
            let found = words(&data);
            assert_eq!((found.beside.as_str(), found.below.len()), (wanted, 0), "{data}");
        }
        let found = words(&json!({"links": 4, "targets": ["/a", "/b"]}));
        assert_eq!(
            (found.beside.as_str(), found.below.join("|").as_str()),
            ("4 links", "/a|/b|and 2 more")
        );
    }
}
