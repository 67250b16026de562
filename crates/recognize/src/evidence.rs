//! Which words of which name led to a field.

use tracker_domain::recognised::{Evidence, Fields};

use crate::name::Reading;

pub fn evidence(field: &str, value: &str, from: &str, text: &str, rule: &str) -> Evidence {
    Evidence {
        field: field.to_owned(),
        value: value.to_owned(),
        from: from.to_owned(),
        text: text.to_owned(),
        rule: rule.to_owned(),
    }
}

pub fn hint_evidence(hint: &str) -> Evidence {
    evidence("hint", hint, "hint", hint, "said by a person")
}

pub fn evidence_of(reading: &Reading, fields: &Fields, from: &str) -> Vec<Evidence> {
    let mut list = Vec::new();
    let marker = reading.marker.as_deref().unwrap_or("");
    if let Some(title) = &fields.title {
        list.push(evidence("title", title, from, &reading.title, "words before year or episode"));
    }
    if let Some(year) = fields.year {
        let place = if reading.year.is_some() { from } else { "folder" };
        list.push(evidence("year", &year.to_string(), place, &year.to_string(), "year"));
    }
    if !reading.seasons.is_empty() {
        list.push(evidence("seasons", &joined(&fields.seasons), from, marker, "SxxEyy"));
    }
    if !reading.episodes.is_empty() {
        list.push(evidence("episodes", &joined(&fields.episodes), from, marker, "SxxEyy"));
    }
    if let Some(resolution) = &fields.resolution {
        list.push(evidence("resolution", resolution, from, resolution, "lines"));
    }
    if let Some(container) = &fields.container {
        list.push(evidence("container", container, from, container, "extension"));
    }
    list
}

fn joined(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}
