//! One request as the Bot API takes it: fields from a query, a form, JSON or parts.

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use super::Refusal;
use crate::query::pairs;

/// One request that came in.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) fields: BTreeMap<String, Value>,
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Request {
    /// A text; a number where a text is wanted is one as well.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.fields.get(name)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        }
    }

    /// A whole number; what is none counts as not given, as it does there.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        match self.fields.get(name)? {
            Value::String(text) => text.trim().parse().ok(),
            other => other.as_i64(),
        }
    }

    /// An object or a list, which is a text of JSON in a form.
    pub(super) fn json(&self, name: &str) -> Result<Option<Value>, Refusal> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text)
                .map(Some)
                .map_err(|_| Refusal::bad("object expected as reply markup")),
            Some(other) => Ok(Some(other.clone())),
        }
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        match self.fields.get(name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text == "true" || text == "True" || text == "1",
            _ => false,
        }
    }
}

pub(super) async fn read(stream: &mut TcpStream) -> io::Result<Option<Request>> {
    let mut raw = Vec::new();
    let end = loop {
        if let Some(at) = find(&raw, b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut raw).await? == 0 {
            return Ok(None);
        }
    };
    let mut body = raw.split_off(end);
    let head = String::from_utf8_lossy(&raw).into_owned();
    let mut lines = head.split("\r\n");
    let target = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers: BTreeMap<String, &str> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim()))
        .collect();
    let length = headers.get("content-length").and_then(|text| text.parse::<usize>().ok());
    while body.len() < length.unwrap_or_default() {
        if stream.read_buf(&mut body).await? == 0 {
            return Ok(None);
        }
    }
    let mut request = Request { path: path.to_owned(), ..Request::default() };
    let texts = |pairs: Vec<(String, String)>| {
        pairs.into_iter().map(|(name, value)| (name, Value::String(value)))
    };
    request.fields.extend(texts(pairs(query)));
    let kind = headers.get("content-type").copied().unwrap_or_default();
    if kind.starts_with("application/json") {
        if let Ok(Value::Object(fields)) = serde_json::from_slice(&body) {
            request.fields.extend(fields);
        }
    } else if let Some(boundary) = kind.split("boundary=").nth(1) {
        parts(&mut request, &body, boundary.trim_matches('"'));
    } else {
        request.fields.extend(texts(pairs(&String::from_utf8_lossy(&body))));
    }
    Ok(Some(request))
}

fn parts(request: &mut Request, body: &[u8], boundary: &str) {
    let mark = format!("--{boundary}");
    let mut rest = body;
    while let Some(at) = find(rest, mark.as_bytes()) {
        rest = &rest[at + mark.len()..];
        let Some(head_end) = find(rest, b"\r\n\r\n") else { return };
        let head = String::from_utf8_lossy(&rest[..head_end]).into_owned();
        let content = &rest[head_end + 4..];
        let close = format!("\r\n{mark}");
        let Some(end) = find(content, close.as_bytes()) else { return };
        let value = &content[..end];
        rest = &content[end + 2..];
        let named = |key: &str| {
            let from = head.split(&format!("{key}=\"")).nth(1)?;
            from.split('"').next().map(str::to_owned)
        };
        let Some(name) = named(" name") else { continue };
        if head.contains("filename=") {
            request.files.insert(name, value.to_vec());
        } else {
            let text = String::from_utf8_lossy(value).into_owned();
            request.fields.insert(name, Value::String(text));
        }
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
