//! Each rule with examples that it catches and examples that it lets pass.

use super::*;
use crate::spec;
use crate::violation::render;
use crate::workspace::{Edge, EdgeKind, Layer, Package};

mod layers;
mod migrations;

/// The lines on which a rule finds something in a production file of that layer.
fn lines(rule: FileRule, layer: Layer, text: &str) -> Vec<usize> {
    lines_at(rule, "crates/fixture/src/thing.rs", layer, text)
}

fn lines_at(rule: FileRule, path: &str, layer: Layer, text: &str) -> Vec<usize> {
    let mut lines: Vec<usize> =
        rule(&RustFile::fixture(path, layer, text)).into_iter().map(|found| found.line).collect();
    lines.dedup();
    lines
}

/// Every text, alone in a function, is caught.
fn catches(rule: FileRule, layer: Layer, texts: &[&str]) {
    for text in texts {
        let inside = format!("fn f() {{\n{text}\n}}");
        assert_eq!(lines(rule, layer, &inside), [2], "not caught: {text}");
        let in_macro = format!("fn f() {{ select! {{\n{text}\n}} }}");
        assert_eq!(lines(rule, layer, &in_macro), [2], "not caught in a macro: {text}");
        let in_test = format!("#[cfg(test)] mod tests {{ fn f() {{\n{text}\n}} }}");
        assert!(
            lines(rule, layer, &in_test).is_empty() || exempts_no_test(text),
            "caught in a test: {text}"
        );
    }
}

/// Ids are made by one maker in tests too.
fn exempts_no_test(text: &str) -> bool {
    text.contains("Ulid") || text.contains("alphabet")
}

/// None of the texts is caught.
fn passes(rule: FileRule, layer: Layer, texts: &[&str]) {
    for text in texts {
        let inside = format!("fn f() {{ {text} }}");
        assert!(lines(rule, layer, &inside).is_empty(), "caught: {text}");
    }
}

fn package(name: &str, layer: &str, edges: &[(&str, EdgeKind)]) -> Package {
    Package {
        name: name.to_owned(),
        layer: Layer::parse(layer),
        dir: format!("crates/{}", name.trim_start_matches("tracker-")),
        edges: edges.iter().map(|(to, kind)| Edge { to: (*to).to_owned(), kind: *kind }).collect(),
    }
}

#[test]
fn foreign_error_crates_are_caught() {
    spec!("architecture-rules#two-error-crates/another-error-crate");
    let rules = |package| {
        dependencies::check(&[package]).into_iter().map(|found| found.rule).collect::<Vec<_>>()
    };
    assert_eq!(
        rules(package("tracker-app", "app", &[("snafu", EdgeKind::Normal)])),
        ["error-crate"]
    );
    assert_eq!(rules(package("tracker", "bin", &[("color-eyre", EdgeKind::Dev)])), ["error-crate"]);
    assert_eq!(
        rules(package("tracker-app", "app", &[("anyhow", EdgeKind::Normal)])),
        ["error-crate"]
    );
    assert_eq!(rules(package("tracker-app", "app", &[("anyhow", EdgeKind::Dev)])), [""; 0]);
    assert_eq!(rules(package("tracker", "bin", &[("anyhow", EdgeKind::Normal)])), [""; 0]);
    assert_eq!(rules(package("tracker-app", "app", &[("thiserror", EdgeKind::Normal)])), [""; 0]);
}

#[test]
fn http_and_sql_in_the_binary_are_caught() {
    spec!("architecture-rules#bins-are-wiring/http-or-sql-in-the-binary");
    let rules = |kind| {
        let edges = ["axum", "reqwest", "rusqlite"].map(|name| (name, kind));
        let package = package("tracker", "bin", &edges);
        dependencies::check(&[package]).into_iter().map(|found| found.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(EdgeKind::Normal), ["tests-only-in-bins"; 3]);
    assert_eq!(rules(EdgeKind::Dev), [""; 0]);
}

#[test]
fn the_ulid_crate_outside_ident_is_caught() {
    spec!("architecture-rules#ids-have-one-maker/a-ulid-made-elsewhere");
    let wrong =
        dependencies::check(&[package("tracker-store", "core", &[("ulid", EdgeKind::Normal)])]);
    assert_eq!(wrong.len(), 1);
    let right =
        dependencies::check(&[package("tracker-ident", "ident", &[("ulid", EdgeKind::Normal)])]);
    assert!(right.is_empty());
    catches(
        ulids::check,
        Layer::Core,
        &[
            "ulid::Ulid::new();",
            "let id = Ulid::from_string(text);",
            "use ulid::Ulid;",
            "text.parse::<Ulid>();",
            concat!("let alphabet = b\"0123456789abcdef", "ghjkmnpqrstvwxyz\";"),
        ],
    );
    let in_test = "#[cfg(test)] mod tests { fn f() {\nUlid::new(); } }";
    assert_eq!(lines(ulids::check, Layer::Core, in_test), [2], "tests are no exception");
    passes(
        ulids::check,
        Layer::Core,
        &[
            "let e: ParseUlidError = x; /* Ulid */",
            "\"ulid::Ulid\";",
            "let schema: words::Ulid = x;",
        ],
    );
    passes(ulids::check, Layer::Ident, &["ulid::Ulid::new();"]);
}

#[test]
fn errors_matched_by_text_are_caught() {
    spec!("architecture-rules#errors-are-told-by-variant/an-error-matched-by-text");
    catches(
        error_text::check,
        Layer::Core,
        &[
            "if err.to_string().contains(\"locked\") {}",
            "if error.to_string().to_lowercase().starts_with(\"no\") {}",
            "let x = e.to_string() == \"gone\";",
            "let x = \"gone\" == client_err.to_string();",
            "match err.to_string().as_str() { _ => () }",
            "if self.error.to_string().ends_with(\"x\") {}",
            "if call().unwrap_err().to_string().eq(\"x\") {}",
            "if err.source().to_string().contains(\"x\") {}",
            "if format!(\"{err:#}\").contains(\"x\") {}",
            "if format!(\"{}\", error).contains(\"x\") {}",
            "let text = err.to_string(); if ok && text.contains(\"x\") {}",
        ],
    );
    passes(
        error_text::check,
        Layer::Core,
        &[
            "let text = err.to_string(); show(text);",
            "warn!(error = %err, \"call failed\");",
            "if name.to_string().contains(\"x\") {}",
            "{ let text = err.to_string(); show(text); } let text = title(); if text.contains(\"x\") {}",
            "match err { Gone => err.to_string(), _ => x }",
        ],
    );
}

#[test]
fn clock_reads_are_caught() {
    spec!("architecture-rules#one-clock/a-clock-read-elsewhere");
    catches(
        clock::check,
        Layer::Core,
        &[
            "std::time::SystemTime::now();",
            "Instant::now();",
            "jiff::Timestamp::now();",
            "Zoned::now();",
            "chrono::Utc::now();",
            "OffsetDateTime::now_utc();",
            "list.map(SystemTime::now);",
            "use std::time::Instant as Watch;",
            "UNIX_EPOCH.elapsed();",
        ],
    );
    let shadowed = "use std::time::Instant; use tokio::time::sleep; fn f() {\nInstant::now(); }";
    assert_eq!(lines(clock::check, Layer::App, shadowed), [2]);
}

#[test]
fn the_homes_of_the_clock_pass() {
    spec!("architecture-rules#one-clock/time-where-it-belongs");
    passes(
        clock::check,
        Layer::App,
        &["tokio::time::Instant::now();", "clock.now_ms();", "sleep(POLL).await;"],
    );
    let imported = "use tokio::time::{Instant, sleep}; fn f() { Instant::now(); }";
    assert!(lines(clock::check, Layer::App, imported).is_empty());
    let read = "fn f() { SystemTime::now(); }";
    assert!(lines_at(clock::check, "crates/system/src/clock.rs", Layer::Adapter, read).is_empty());
    assert_eq!(lines_at(clock::check, "crates/system/src/disk.rs", Layer::Adapter, read), [1]);
    assert!(lines_at(clock::check, "crates/testkit/src/x.rs", Layer::Test, read).is_empty());
    assert!(lines_at(clock::check, "bins/tracker/tests/x.rs", Layer::Bin, read).is_empty());
    assert_eq!(lines_at(clock::check, "bins/tracker/src/main.rs", Layer::Bin, read), [1]);
}

#[test]
fn reads_of_the_environment_are_caught() {
    spec!("architecture-rules#the-environment-is-read-in-bins/a-read-elsewhere");
    catches(
        environment::check,
        Layer::Transport,
        &[
            "std::env::var(\"X\");",
            "env::var_os(\"X\");",
            "use std::env::{args, vars};",
            "use std::env::var;",
            "use std::env as settings;",
            "use std::env::*;",
        ],
    );
    passes(
        environment::check,
        Layer::Transport,
        &["env!(\"CARGO_PKG_VERSION\");", "std::env::args();", "option_env!(\"X\");"],
    );
    passes(environment::check, Layer::Bin, &["std::env::var(\"X\");"]);
}

#[test]
fn calls_around_the_wrapper_are_caught() {
    spec!("architecture-rules#outside-calls-are-timed/a-call-around-the-wrapper");
    catches(
        outside_calls::check,
        Layer::Adapter,
        &[
            "client.get(url).send().await;",
            "client.execute(request).await;",
            "reqwest::get(url).await;",
        ],
    );
    catches(outside_calls::check, Layer::Core, &["let c = reqwest::Client::new();"]);
    passes(
        outside_calls::check,
        Layer::Adapter,
        &["channel.send(message);", "call.run(request).await;"],
    );
    let sent = "fn f() { client.get(url).send().await; }";
    assert!(
        lines_at(outside_calls::check, "crates/qbittorrent/src/call.rs", Layer::Adapter, sent)
            .is_empty()
    );
    assert_eq!(lines_at(outside_calls::check, "crates/app/src/call.rs", Layer::App, sent), [1]);
}

#[test]
fn messages_that_vary_are_caught() {
    spec!("architecture-rules#log-messages-are-constant/a-message-that-varies");
    catches(
        logs::check,
        Layer::Core,
        &[
            "info!(\"accepted {id}\");",
            "tracing::warn!(\"accepted {}\", id);",
            "error!(download_id = %id, \"at {x:?}\");",
            "debug!(a = 1, \"plain\", x);",
            "trace!(concat!(\"a\", \"b\"));",
            "info!(download_id = %id);",
            "info!(a.b, %c);",
            "info!(target: \"x\", \"a {b}\");",
            "event!(Level::INFO, \"a {b}\");",
            "info!(message = text);",
            "info_span!(\"a {b}\");",
            "info_span!(NAME, x = 1);",
            "span!(Level::INFO, name);",
            "info!();",
            "info!(message = \"a {b}\");",
        ],
    );
}

#[test]
fn constant_messages_pass() {
    spec!("architecture-rules#log-messages-are-constant/a-constant-message");
    passes(
        logs::check,
        Layer::Core,
        &[
            "info!(\"accepted\");",
            "info!(download_id = %id, state = ?next, \"download state changed\",);",
            "warn!(target: \"x\", parent: &span, a.b = f(1, 2), %c, ?d, e, \"plain {{}}\");",
            "event!(Level::INFO, x = 1, \"plain\");",
            "info_span!(\"download\", download_id = %id);",
            "info_span!(parent: None, \"download\", x);",
            "tracing::span!(Level::INFO, \"download\", x);",
            "info!(message = \"plain\");",
            "info!({ a = 1 }, \"plain\");",
            "let error = 1; if error != 2 {}",
        ],
    );
}

#[test]
fn globals_are_caught() {
    spec!("architecture-rules#no-globals/a-static");
    catches(
        globals::check,
        Layer::Core,
        &[
            "static COUNT: AtomicU64 = AtomicU64::new(0);",
            "static CELL: OnceLock<Db> = OnceLock::new();",
            "thread_local! { }",
            "lazy_static! { }",
        ],
    );
    passes(
        globals::check,
        Layer::Core,
        &["const NAMES: &[&'static str] = &[];", "let once: OnceLock<u8> = x;"],
    );
}

#[test]
fn state_written_past_the_guards_is_caught() {
    spec!("architecture-rules#state-changes-behind-the-guards/a-state-written-elsewhere");
    catches(
        state_writes::check,
        Layer::Core,
        &[
            "c.execute(\"UPDATE download SET state = 'done' WHERE id = ?1\");",
            "c.execute(\"update  \\\"download\\\" set revision=1,state=?2\");",
            "c.execute(\"UPDATE OR IGNORE main.download SET (state, revision) = (1, 2)\");",
            "let sql = \"UPDATE download AS d SET state = ?\";",
            "let sql = format!(\"UPDATE download SET {columns} WHERE id = ?1\") + \"UPDATE download SET \";",
            "let sql = \"REPLACE INTO download (id) VALUES (1)\";",
        ],
    );
    passes(
        state_writes::check,
        Layer::Core,
        &[
            "c.execute(\"UPDATE download SET attention = NULL WHERE state = 'done'\");",
            "c.execute(\"UPDATE recognition SET state = 'accepted'\");",
            "c.execute(\"UPDATE download_infohash SET state = 1\");",
            "c.execute(\"INSERT INTO download (id, state) VALUES (1, 2)\");",
        ],
    );
    let home = "fn f() { x(\"UPDATE download SET state = 1\"); }";
    assert!(
        lines_at(state_writes::check, "crates/store/src/lifecycle.rs", Layer::Core, home)
            .is_empty()
    );
    assert_eq!(
        state_writes::check_sql("crates/store/src/q.sql", "UPDATE download SET state = 1;").len(),
        1
    );
}

#[test]
fn transactions_opened_elsewhere_are_caught() {
    spec!("architecture-rules#writes-pass-one-door/a-transaction-elsewhere");
    catches(
        write_door::check,
        Layer::Core,
        &[
            "conn.transaction_with_behavior(TransactionBehavior::Immediate);",
            "conn.transaction();",
            "conn.unchecked_transaction();",
            "conn.execute_batch(\"BEGIN IMMEDIATE\");",
            "conn.execute_batch(\"BEGIN; COMMIT\");",
        ],
    );
    passes(
        write_door::check,
        Layer::Core,
        &["conn.execute(\"INSERT INTO t VALUES ('BEGIN x')\");", "info!(\"begin\");"],
    );
    let door = "fn f() { conn.transaction_with_behavior(x); }";
    assert!(lines_at(write_door::check, "crates/store/src/db.rs", Layer::Core, door).is_empty());
}

#[test]
fn files_changed_inside_are_caught() {
    spec!("architecture-rules#files-change-through-the-port/a-file-moved-by-the-core");
    catches(
        file_changes::check,
        Layer::Core,
        &[
            "std::fs::rename(a, b);",
            "fs::hard_link(a, b);",
            "use std::fs::{read, remove_file};",
            "std::fs::write(a, b);",
        ],
    );
    catches(
        file_changes::check,
        Layer::Transport,
        &["std::fs::copy(a, b);", "tokio::fs::remove_file(a);"],
    );
    passes(file_changes::check, Layer::Transport, &["std::fs::read(a);", "std::fs::write(a, b);"]);
    passes(file_changes::check, Layer::Adapter, &["std::fs::hard_link(a, b);"]);
}

#[test]
fn the_workspace_keeps_the_rules() {
    spec!("architecture-rules#the-rules-hold-here/the-workspace-itself");
    let workspace = Workspace::load().expect("the workspace can be read");
    let found = check(&workspace).expect("the rules can be checked");
    assert!(found.is_empty(), "broken rules:\n{}", render(&found));
}
