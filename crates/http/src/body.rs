//! Bodies: JSON whose members are named when they are wrong, and `.torrent` files.

use std::fmt::Display;
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use futures::StreamExt;
use serde_json::{Map, Value};
use tracker_app::{AppError, FieldError, IngestOptions, IngestRequest, Source};
use tracker_domain::access::Scope;
use tracker_domain::ask::AskScope;
use tracker_domain::queue::QueueEnd;
use tracker_domain::torrent::MAX_TORRENT_BYTES;
use tracker_domain::{Magnet, Torrent};
use tracker_wire::{
    AdoptBody, AdoptManyBody, ApplyBody, AskBody, CancelBody, ChooseBody, HintBody, IngestBody,
    MoveBody, OverrideBody, PriorityBody, RemoveBody, ResolveBody, RetryBody, TokenBody,
};

use crate::code::Code;
use crate::params::{FromParams, Reader};
use crate::problem::Problem;

/// The largest JSON body: a magnet of the largest size with each byte escaped
/// would be larger, but nobody writes one.
const MAX_JSON_BYTES: usize = 128 * 1024;

/// What a body is by its `Content-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Media {
    Json,
    Torrent,
    Missing,
    Other,
}

impl Media {
    fn of(headers: &HeaderMap) -> Self {
        let Some(value) = headers.get(header::CONTENT_TYPE) else { return Media::Missing };
        let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
        match essence.trim().to_ascii_lowercase().as_str() {
            "application/json" => Media::Json,
            "application/x-bittorrent" => Media::Torrent,
            _ => Media::Other,
        }
    }
}

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

/// Read from the members of a JSON object.
pub(crate) trait FromBody: Sized {
    /// Whether it may be left out, since nothing in it has to be there.
    const OPTIONAL: bool;

    fn read(fields: &mut Fields) -> Self;
}

impl<S: Send + Sync, T: FromBody> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let media = Media::of(request.headers());
        let bytes = read(request, MAX_JSON_BYTES).await?;
        let left_out = T::OPTIONAL && bytes.is_empty();
        match media {
            Media::Json | Media::Missing if left_out => from_json(b"null").map(Body),
            Media::Json => from_json(&bytes).map(Body),
            Media::Torrent | Media::Missing | Media::Other => {
                Err(unsupported("send Content-Type: application/json"))
            }
        }
    }
}

/// An intake in either of its forms.
pub(crate) struct Intake(pub(crate) IngestRequest);

impl<S: Send + Sync> FromRequest<S> for Intake {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let media = Media::of(request.headers());
        let beside =
            Reader::read(request.uri().query(), IngestOptions::PARAMS, IngestOptions::read)?;
        match media {
            Media::Json => {
                let body: IngestBody = from_json(&read(request, MAX_JSON_BYTES).await?)?;
                from_link(body, beside).map(Intake).map_err(Into::into)
            }
            Media::Torrent => {
                let bytes = read(request, MAX_TORRENT_BYTES).await?;
                let torrent = Torrent::parse(&bytes).map_err(AppError::from)?;
                let source = Source::Torrent(Box::new(torrent));
                Ok(Intake(IngestRequest { source, options: beside }))
            }
            Media::Missing | Media::Other => {
                Err(unsupported("send Content-Type: application/json or application/x-bittorrent"))
            }
        }
    }
}

/// What stands in the body wins over what stands in the query.
fn from_link(body: IngestBody, beside: IngestOptions) -> Result<IngestRequest, AppError> {
    let source = Source::Magnet(Box::new(Magnet::parse(&body.magnet)?));
    let options = IngestOptions {
        hint: body.hint.or(beside.hint),
        pin: body.pin.or(beside.pin),
        library: body.library.or(beside.library),
        client: body.client.or(beside.client),
    };
    Ok(IngestRequest { source, options })
}

fn unsupported(detail: &str) -> Problem {
    Problem::new(Code::UnsupportedMediaType).detail(detail)
}

/// More was sent than is taken at once.
pub(crate) fn too_large(limit: usize) -> Problem {
    let detail = format!("the limit is {limit} bytes here");
    Problem::new(Code::PayloadTooLarge).detail(detail)
}

/// The whole body, up to a limit.
pub(crate) async fn read(request: Request, limit: usize) -> Result<Bytes, Problem> {
    let mut chunks = request.into_body().into_data_stream();
    let mut whole = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Problem::unreadable("the body broke off"))?;
        if whole.len() + chunk.len() > limit {
            return Err(too_large(limit));
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.into())
}

/// The members of the object in `bytes`; everything wrong is said at once.
fn from_json<T: FromBody>(bytes: &[u8]) -> Result<T, Problem> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Problem::unreadable(format!("the body is not JSON: {error}")))?;
    let members = match value {
        Value::Object(members) => members,
        Value::Null if T::OPTIONAL => Map::new(),
        _ => {
            return Err(Problem::fields(vec![FieldError::body(
                "",
                "the body has to be an object",
            )]));
        }
    };
    let mut fields = Fields { members, errors: Vec::new() };
    let body = T::read(&mut fields);
    if fields.errors.is_empty() { Ok(body) } else { Err(Problem::fields(fields.errors)) }
}

/// The members of a body, and what is wrong with them. Members that nobody
/// asks for are ignored: a client may be newer than its daemon.
pub(crate) struct Fields {
    members: Map<String, Value>,
    errors: Vec<FieldError>,
}

impl Fields {
    fn refuse(&mut self, name: &str, detail: &str) {
        self.errors.push(FieldError::body(&format!("/{name}"), detail));
    }

    /// A string that has to be there.
    fn needed(&mut self, name: &str) -> String {
        match self.members.remove(name) {
            Some(Value::String(text)) => text,
            Some(_) => {
                self.refuse(name, "has to be a string");
                String::new()
            }
            None => {
                self.refuse(name, "is missing");
                String::new()
            }
        }
    }

    /// A string that has to be there and be one of a few words.
    fn word<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<T> {
        let Some(Value::String(text)) = self.members.get(name) else {
            // Missing, or no string: told as that.
            self.needed(name);
            return None;
        };
        match text.parse() {
            Ok(word) => Some(word),
            Err(wrong) => {
                self.refuse(name, &wrong.to_string());
                None
            }
        }
    }

    /// A string that may be left out or null.
    fn text(&mut self, name: &str) -> Option<String> {
        match self.members.remove(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                self.refuse(name, "has to be a string");
                None
            }
        }
    }

    /// A string that has to be there; a number or a boolean counts as its text.
    fn written(&mut self, name: &str) -> String {
        match self.members.get(name) {
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(flag)) => flag.to_string(),
            Some(Value::String(_)) | None => self.needed(name),
            Some(_) => {
                self.refuse(name, "has to be a string, a number or a boolean");
                String::new()
            }
        }
    }

    /// A list of objects that may be left out.
    fn list<T>(&mut self, name: &str, read: impl Fn(&mut Fields) -> T) -> Vec<T> {
        let items = match self.members.remove(name) {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.refuse(name, "has to be a list");
                return Vec::new();
            }
        };
        let mut all = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            let place = format!("{name}/{at}");
            let Value::Object(members) = item else {
                self.refuse(&place, "has to be an object");
                continue;
            };
            let mut inner = Fields { members, errors: Vec::new() };
            all.push(read(&mut inner));
            self.errors.extend(inner.errors.into_iter().map(|error| FieldError {
                pointer: format!("/{place}{}", error.pointer),
                ..error
            }));
        }
        all
    }

    /// A list of strings that has to be there.
    fn texts(&mut self, name: &str) -> Vec<String> {
        self.each(name, "has to be a string", |item| item.as_str().map(str::to_owned))
    }

    /// A list of indexes that has to be there.
    fn indexes(&mut self, name: &str) -> Vec<u32> {
        let wrong = "has to be a whole number from 0";
        self.each(name, wrong, |item| item.as_u64().and_then(|number| number.try_into().ok()))
    }

    fn each<T>(&mut self, name: &str, wrong: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        match self.members.remove(name) {
            Some(Value::Array(items)) => {
                let found = items.iter().enumerate().filter_map(|(at, item)| {
                    let found = read(item);
                    if found.is_none() {
                        self.refuse(&format!("{name}/{at}"), wrong);
                    }
                    found
                });
                found.collect()
            }
            Some(_) => {
                self.refuse(name, "has to be a list");
                Vec::new()
            }
            None => {
                self.refuse(name, "is missing");
                Vec::new()
            }
        }
    }

    /// A boolean that may be left out.
    fn flag(&mut self, name: &str) -> bool {
        match self.members.remove(name) {
            None => false,
            Some(Value::Bool(flag)) => flag,
            Some(_) => {
                self.refuse(name, "has to be true or false");
                false
            }
        }
    }
}

impl FromBody for IngestBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        IngestBody {
            magnet: fields.needed("magnet"),
            hint: fields.text("hint"),
            pin: fields.text("pin"),
            library: fields.text("library"),
            client: fields.text("client"),
        }
    }
}

impl FromBody for MoveBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        MoveBody { client: fields.needed("client") }
    }
}

impl FromBody for TokenBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        let name = fields.needed("name");
        let scope = fields.word("scope").unwrap_or(Scope::Read);
        TokenBody { name, scope: scope.as_str().to_owned() }
    }
}

impl FromBody for PriorityBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        let place = fields.word("place").unwrap_or(QueueEnd::First);
        PriorityBody { place: place.into() }
    }
}

impl FromBody for RetryBody {
    const OPTIONAL: bool = true;

    fn read(fields: &mut Fields) -> Self {
        RetryBody { client: fields.text("client") }
    }
}

impl FromBody for CancelBody {
    const OPTIONAL: bool = true;

    fn read(fields: &mut Fields) -> Self {
        CancelBody {
            remove_torrent: fields.flag("remove_torrent"),
            delete_data: fields.flag("delete_data"),
        }
    }
}

impl FromBody for RemoveBody {
    const OPTIONAL: bool = true;

    fn read(fields: &mut Fields) -> Self {
        RemoveBody {
            links: fields.flag("links"),
            remove_torrent: fields.flag("remove_torrent"),
            delete_data: fields.flag("delete_data"),
        }
    }
}

impl FromBody for ApplyBody {
    const OPTIONAL: bool = true;

    fn read(fields: &mut Fields) -> Self {
        let one = |inner: &mut Fields| ResolveBody {
            target: inner.needed("target"),
            action: inner.needed("action"),
        };
        ApplyBody { plan: fields.text("plan"), resolve: fields.list("resolve", one) }
    }
}

impl FromBody for AdoptBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        AdoptBody { client: fields.text("client"), infohash: fields.needed("infohash") }
    }
}

impl FromBody for AdoptManyBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        AdoptManyBody { client: fields.text("client"), infohashes: fields.texts("infohashes") }
    }
}

impl FromBody for ChooseBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        ChooseBody { skip: fields.indexes("skip") }
    }
}

impl FromBody for HintBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        HintBody { text: fields.needed("text") }
    }
}

impl FromBody for AskBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        let scope = fields.word("scope").unwrap_or(AskScope::Download);
        AskBody { scope: scope.into() }
    }
}

impl FromBody for OverrideBody {
    const OPTIONAL: bool = false;

    fn read(fields: &mut Fields) -> Self {
        OverrideBody { value: fields.written("value"), remember: fields.flag("remember") }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use axum::extract::FromRequest;
    use axum::http::Request;
    use tracker_app::Source;
    use tracker_wire::{CancelBody, IngestBody, RetryBody};

    use super::{Body, FromBody, Intake, from_json};
    use crate::problem::Problem;

    fn refused<T: FromBody>(json: &str) -> (u16, Vec<String>) {
        let problem = from_json::<T>(json.as_bytes()).err().unwrap();
        let errors = &problem.body().errors;
        (problem.body().status, errors.iter().map(|error| error.pointer.clone()).collect())
    }

    #[test]
    fn wrong_members_are_named() {
        tracker_testkit::spec!("http-api#errors-are-problems/members-of-a-body-are-wrong");
        assert_eq!(refused::<IngestBody>("{}"), (422, vec!["/magnet".to_owned()]));
        assert_eq!(refused::<IngestBody>(r#"{"magnet":null}"#), (422, vec!["/magnet".to_owned()]));
        assert_eq!(
            refused::<IngestBody>(r#"{"magnet":1,"pin":[],"hint":null}"#),
            (422, vec!["/magnet".to_owned(), "/pin".to_owned()])
        );
        assert_eq!(refused::<IngestBody>("[]"), (422, vec![String::new()]));
        assert_eq!(refused::<IngestBody>("{"), (400, vec![]));
        assert_eq!(refused::<IngestBody>(""), (400, vec![]));
        assert_eq!(
            refused::<CancelBody>(r#"{"remove_torrent":"yes","delete_data":null}"#),
            (422, vec!["/remove_torrent".to_owned(), "/delete_data".to_owned()])
        );
    }

    #[test]
    fn unknown_members_are_ignored() {
        let body: CancelBody = from_json(br#"{"later":1,"delete_data":true}"#).unwrap();
        assert_eq!(body, CancelBody { remove_torrent: false, delete_data: true });
    }

    fn request(kind: Option<&str>, uri: &str, body: Vec<u8>) -> Request<axum::body::Body> {
        let mut request = Request::post(uri);
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        request.body(body.into()).unwrap()
    }

    async fn intake(kind: Option<&str>, uri: &str, body: Vec<u8>) -> Result<Intake, Problem> {
        Intake::from_request(request(kind, uri, body), &()).await
    }

    const JSON: Option<&str> = Some("application/json; charset=utf-8");

    #[tokio::test]
    async fn an_intake_takes_its_options_from_body_and_query() {
        let hash = "ab".repeat(20);
        let body = format!(r#"{{"magnet":" {hash} ","hint":"film"}}"#);
        let uri = "/downloads?hint=series&pin=tmdb:603";
        let Intake(request) = intake(JSON, uri, body.into_bytes()).await.unwrap();
        assert!(matches!(request.source, Source::Magnet(_)));
        assert_eq!(request.options.hint.as_deref(), Some("film"));
        assert_eq!(request.options.pin.as_deref(), Some("tmdb:603"));
    }

    #[tokio::test]
    async fn an_intake_is_refused_with_its_code() {
        let torrent = Some("application/x-bittorrent");
        for (kind, uri, body, status, code) in [
            (JSON, "/", r#"{"magnet":""}"#.into(), 422, "invalid-magnet"),
            (JSON, "/?later=1", r#"{"magnet":""}"#.into(), 422, "invalid-request"),
            (JSON, "/", vec![b' '; 128 * 1024 + 1], 413, "payload-too-large"),
            (torrent, "/", b"<html>".to_vec(), 422, "invalid-torrent"),
            (torrent, "/", vec![b'd'; 10 * 1024 * 1024 + 1], 413, "payload-too-large"),
            (None, "/", b"x".to_vec(), 415, "unsupported-media-type"),
            (Some("text/plain"), "/", b"x".to_vec(), 415, "unsupported-media-type"),
        ] {
            let problem = intake(kind, uri, body).await.err().unwrap();
            assert_eq!((problem.body().status, problem.body().code.as_str()), (status, code));
        }
    }

    #[tokio::test]
    async fn a_body_may_be_left_out_where_nothing_in_it_is_needed() {
        let none = request(None, "/", Vec::new());
        assert!(Body::<RetryBody>::from_request(none, &()).await.is_ok());
        assert!(from_json::<RetryBody>(b"null").is_ok());
        assert_eq!(refused::<IngestBody>("null").0, 422);
        let plain = request(Some("text/plain"), "/", Vec::new());
        let refused = Body::<RetryBody>::from_request(plain, &()).await.err().unwrap();
        assert_eq!(refused.body().status, 415);
    }
}
