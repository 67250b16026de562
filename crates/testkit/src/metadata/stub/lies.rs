//! Answers that no source should give.

use serde_json::{Value, json};

use super::wire::StubAnswer;

/// Answers with status 200 that are none, each with a word for it. An adapter
/// makes an error of it or leaves the entries out; it never breaks or hangs.
#[must_use]
pub fn lies() -> Vec<(&'static str, StubAnswer)> {
    let json = |body: Value| StubAnswer::json(200, body.to_string());
    let entry = json!({"id": 1, "title": "A", "name": "A"});
    let of_ids = |ids: &[Value]| -> Value {
        ids.iter()
            .map(|id| json!({"id": id, "title": "A", "show": {"id": id, "name": "A"}}))
            .collect()
    };
    let odd =
        of_ids(&[json!(-1), json!(0), json!(1e300), json!(u64::MAX), json!("1"), json!(null)]);
    let page = json!({"page": 1, "results": [entry], "id": 1, "title": "A"}).to_string();
    let many = format!("{{\"results\":[{}{{}}]}}", "{},".repeat(600_000));
    let many_at_top = format!("[{}0]", "0,".repeat(1_000_000));
    let deep = "[".repeat(100_000);
    let utf16: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("a page of another server", StubAnswer::of_kind(200, "text/html", "<html>Log in")),
        ("a page that says it is JSON", StubAnswer::json(200, "<!DOCTYPE html><p>Log in")),
        ("nothing", StubAnswer::json(200, "")),
        ("JSON that ends early", StubAnswer::json(200, &page.as_bytes()[..page.len() / 2])),
        ("JSON with something behind it", StubAnswer::json(200, format!("{page}{page}"))),
        ("a number", json(json!(7))),
        ("a text", json(json!("results"))),
        ("null", json(Value::Null)),
        ("an empty object", json(json!({}))),
        (
            "an object of nulls",
            json(json!({"id": null, "name": null, "title": null,
            "results": null, "seasons": null, "episodes": null, "_embedded": null})),
        ),
        (
            "lists of nulls",
            json(json!({"id": null, "results": [null, null],
            "movie_results": [null], "tv_results": [null], "episodes": [null, null]})),
        ),
        ("a list of nulls", json(json!([null, null]))),
        ("a list of lists", json(json!([[], [[]], {}]))),
        (
            "wrong types",
            json(json!({"id": "one", "results": {"a": 1}, "title": 7,
            "seasons": "none", "genres": 3, "popularity": "high", "episodes": 5})),
        ),
        ("odd numbers on a page", json(json!({"results": odd.clone()}))),
        ("odd numbers in a list", json(odd)),
        ("millions of entries on a page", StubAnswer::json(200, many)),
        ("millions of entries in a list", StubAnswer::json(200, many_at_top)),
        ("a deep nest", StubAnswer::json(200, deep)),
        ("another charset", StubAnswer::json(200, utf16)),
        ("no text at all", StubAnswer::json(200, vec![0xFF, 0xFE, 0x00, 0x80])),
        ("endless text", StubAnswer::json(200, "[1,2,3,4],".repeat(1000)).endless()),
        ("endless spaces", StubAnswer::json(200, " ".repeat(10_000)).endless()),
        ("no gzip", StubAnswer::json(200, page).header("Content-Encoding", "gzip")),
    ]
}
