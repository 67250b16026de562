//! The metrics, in the text format of Prometheus.

use std::fmt::Write;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tracker_app::Metric;

use crate::problem::Problem;
use crate::shared::Shared;

/// The version of the format stands in its type.
const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What a dashboard asks for.
///
/// In the text format of Prometheus. No label tells a title, a hash or a user.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "show_metrics",
    tag = "health",
    responses((status = 200, description = "Each metric.", body = String, content_type = "text/plain"))
)]
pub(crate) async fn show(State(shared): State<Shared>) -> Result<Response, Problem> {
    let metrics = shared.app.ops.metrics().await?;
    Ok(([(header::CONTENT_TYPE, FORMAT)], text(&metrics)).into_response())
}

/// All of them are gauges: they are read from what is, not counted since the start.
fn text(metrics: &[Metric]) -> String {
    let mut text = String::new();
    let version = [("version", env!("CARGO_PKG_VERSION").to_owned())];
    head(&mut text, "tracker_build_info", "The version that runs; always 1.");
    sample(&mut text, "tracker_build_info", &version, 1.0);
    for metric in metrics {
        head(&mut text, metric.name, metric.help);
        for (labels, value) in &metric.samples {
            sample(&mut text, metric.name, labels, *value);
        }
    }
    text
}

fn head(text: &mut String, name: &str, help: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
}

fn sample(text: &mut String, name: &str, labels: &[(&'static str, String)], value: f64) {
    text.push_str(name);
    for (at, (label, word)) in labels.iter().enumerate() {
        text.push(if at == 0 { '{' } else { ',' });
        let _ = write!(text, "{label}=\"{}\"", escaped(word));
    }
    if !labels.is_empty() {
        text.push('}');
    }
    let _ = writeln!(text, " {value}");
}

fn escaped(word: &str) -> String {
    word.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use tracker_testkit::spec;

    use super::*;

    #[test]
    fn the_format_is_that_of_prometheus() {
        spec!("health#metrics/the-format");
        let metric = Metric {
            name: "a_bytes",
            help: "Bytes.",
            samples: vec![
                (vec![("one", "a\"b\\c\nd".to_owned()), ("two", "x".to_owned())], 0.5),
                (Vec::new(), 12_345_678_901.0),
            ],
        };
        let written = text(&[metric]);
        let lines: Vec<&str> = written.lines().skip(3).collect();
        assert_eq!(
            lines,
            [
                "# HELP a_bytes Bytes.",
                "# TYPE a_bytes gauge",
                "a_bytes{one=\"a\\\"b\\\\c\\nd\",two=\"x\"} 0.5",
                "a_bytes 12345678901",
            ]
        );
        assert!(written.starts_with("# HELP tracker_build_info ") && written.ends_with('\n'));
    }
}
