//! The OpenAPI document and `docs/API.md` say what is there.

use axum::http::Method;
use serde_json::Value;
use tracker_domain::Attention;
use tracker_http::Code;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon, NOBODY};
use crate::refusals::operations;

const GUIDE: &str = include_str!("../../../../docs/API.md");

#[tokio::test]
async fn every_operation_of_the_document_exists() {
    spec!("http-api#the-openapi-document/it-is-true");
    let daemon = Daemon::start().await;
    let routes = operations();
    assert!(routes.len() >= 30, "{}", routes.len());
    for (method, path) in routes {
        if path.ends_with("/stream") {
            continue;
        }
        let whole = path.replace("{id}", NOBODY).replace("{code}", "stale");
        let whole =
            whole.replace("{cid}", NOBODY).replace("{field}", "title").replace("{name}", "phone");
        let answer = daemon.ask(Ask { method, path: &whole, ..Ask::default() }).await;
        assert_ne!(answer.status.as_u16(), 405, "{path}");
        if answer.status.as_u16() == 404 {
            let detail = answer.json()["detail"].as_str().unwrap().to_owned();
            assert!(!detail.starts_with("there is nothing at"), "{path}");
        }
    }
}

#[tokio::test]
async fn the_document_is_served_below_the_base_path() {
    let daemon = Daemon::below("/tracker").await;
    let answer = daemon.raw(Ask { path: "/tracker/api/v1/openapi.json", ..Ask::default() }).await;
    let document = answer.json();
    assert_eq!(document["servers"][0]["url"], "/tracker");
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
}

fn document() -> Value {
    serde_json::to_value(tracker_http::document("")).unwrap()
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    fn walk(value: &Value, whole: &Value, count: &mut usize) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(target)) = members.get("$ref") {
                    let pointer = target.strip_prefix('#').unwrap();
                    assert!(whole.pointer(pointer).is_some(), "{target}");
                    *count += 1;
                }
                members.values().for_each(|inner| walk(inner, whole, count));
            }
            Value::Array(items) => items.iter().for_each(|inner| walk(inner, whole, count)),
            _ => {}
        }
    }
    let whole = document();
    let mut count = 0;
    walk(&whole, &whole, &mut count);
    assert!(count > 30, "{count}");
}

#[test]
fn every_operation_says_what_may_go_wrong_and_who_may_ask() {
    let whole = document();
    let mut names = std::collections::BTreeSet::new();
    for (path, item) in whole["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.contains_key("500"), "{method} {path}");
            let open = operation.get("security") == Some(&serde_json::json!([]));
            assert_eq!(open, !responses.contains_key("401"), "{method} {path}");
            for (status, response) in responses {
                if !status.starts_with('2') {
                    let problem = &response["content"]["application/problem+json"];
                    assert_eq!(problem["schema"]["$ref"], "#/components/schemas/Problem", "{path}");
                }
            }
            assert!(operation["summary"].is_string(), "{method} {path}");
            assert!(names.insert(operation["operationId"].to_string()), "{method} {path}");
        }
    }
    for scheme in ["bearer", "api_key"] {
        assert!(whole["components"]["securitySchemes"][scheme].is_object());
    }
}

#[test]
fn the_guide_lists_every_route_and_every_code() {
    spec!("http-api#the-openapi-document/the-guide-is-complete");
    for (method, path) in operations() {
        assert!(GUIDE.contains(&format!("`{method} {path}`")), "{method} {path}");
    }
    for code in Code::ALL {
        let row = format!("| `{code}` | {} |", code.status());
        assert!(GUIDE.contains(&row) || *code == Code::InvalidRequest, "{row}");
        assert!(GUIDE.contains(&format!("`{code}`")), "{code}");
    }
    for attention in Attention::ALL {
        assert!(GUIDE.contains(&format!("`{attention}`")), "{attention}");
    }
}

#[tokio::test]
async fn methods_without_a_meaning_are_refused_with_what_is_possible() {
    let daemon = Daemon::start().await;
    let method = Method::OPTIONS;
    let answer = daemon.ask(Ask { method, path: "/api/v1/downloads", ..Ask::default() }).await;
    assert_eq!(answer.code(), "method-not-allowed");
    assert_eq!(answer.header("access-control-allow-origin"), "");
    assert!(answer.header("allow").contains("POST"));
}
