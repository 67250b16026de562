//! The OpenAPI document: made from the handlers, served without a token.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use tracker_wire::{PROBLEM_JSON, Problem, words};
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Ref, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi as Document, RefOr, Required, Server};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi, PartialSchema};

use crate::api::{
    backups, discovered, downloads, entities, events, files, health, jobs, library, metrics,
    notify, parse, probes, recognition, said, search, seeding, stream, tokens,
};
use crate::auth::API_KEY;
use crate::pages;
use crate::shared::Shared;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "tracker",
        description = "From a magnet link to a link in the media library.",
        license(name = "MIT OR Apache-2.0")
    ),
    paths(
        downloads::ingest,
        downloads::list,
        downloads::show,
        downloads::retry,
        downloads::move_to,
        downloads::cancel,
        downloads::remove,
        downloads::pause,
        downloads::prioritise,
        downloads::resume,
        files::list,
        files::choose,
        recognition::show,
        recognition::accept,
        recognition::reject,
        recognition::rerun,
        recognition::candidates,
        recognition::choose,
        said::hints,
        said::hint,
        said::overrides,
        said::set_override,
        said::remove_override,
        said::ask,
        said::ask_no_more,
        said::remembered,
        said::forget,
        library::plan,
        library::apply,
        library::relink,
        library::verify,
        library::verify_all,
        library::batch,
        library::undo,
        parse::parse,
        search::search,
        seeding::list,
        discovered::list,
        discovered::adopt,
        discovered::adopt_many,
        discovered::clients,
        events::list,
        events::show,
        stream::stream,
        entities::show,
        jobs::list,
        jobs::show,
        jobs::cancel,
        backups::list,
        backups::make,
        backups::show,
        backups::delete,
        backups::verify,
        backups::verify_newest,
        backups::reconcile,
        health::show,
        health::examine,
        notify::list,
        notify::dead_letters,
        notify::test,
        notify::retry,
        tokens::list,
        tokens::make,
        tokens::revoke,
        tokens::sessions,
        tokens::end,
        metrics::show,
        serve,
        probes::healthz,
        probes::ping,
        probes::readyz,
        pages::problem::page,
    ),
    components(schemas(Problem)),
    security(("bearer" = []), ("api_key" = [])),
    modifiers(&Access)
)]
struct Api;

/// The document, for a program that is reached below `base_path`.
#[must_use]
pub fn document(base_path: &str) -> Document {
    let mut document = Api::openapi();
    if !base_path.is_empty() {
        document.servers = Some(vec![Server::new(base_path)]);
    }
    document
}

/// This document.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    operation_id = "openapi_document",
    tag = "openapi",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1.", body = Object))
)]
pub(crate) async fn serve(State(shared): State<Shared>) -> Response {
    Json(document(shared.base())).into_response()
}

/// Adds how a token is sent, and what any call that needs one may answer.
struct Access;

impl Modify for Access {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        let key = ApiKey::Header(ApiKeyValue::new("X-Api-Key"));
        debug_assert!("X-Api-Key".eq_ignore_ascii_case(API_KEY));
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(key));
        for item in document.paths.paths.values_mut() {
            let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
            for operation in operations.into_iter().flatten() {
                complete(operation);
            }
        }
    }
}

fn complete(operation: &mut Operation) {
    let open = operation.security.is_some();
    let statuses: &[u16] = if open { &[421, 500] } else { &[401, 403, 421, 500, 503, 507] };
    operation.responses.responses.extend(refusals(statuses));
    if open {
        // An empty list, where the macro writes a list with one empty entry.
        operation.security = Some(Vec::new());
    }
}

/// One refusal for each status, all of one shape.
fn refusals(statuses: &[u16]) -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
    statuses.iter().map(|status| (status.to_string(), RefOr::T(refusal(*status)))).collect()
}

fn refusal(status: u16) -> utoipa::openapi::Response {
    let schema = Ref::from_schema_name("Problem");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let response =
        ResponseBuilder::new().description(meaning(status)).content(PROBLEM_JSON, content);
    let text = || ObjectBuilder::new().schema_type(Type::String);
    match status {
        401 => {
            response.header("WWW-Authenticate", HeaderBuilder::new().schema(Some(text())).build())
        }
        503 => response.header("Retry-After", HeaderBuilder::new().schema(Some(text())).build()),
        _ => response,
    }
    .build()
}

const fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The body is not JSON: `invalid-request`.",
        401 => "No token and no login, or not a good one: `unauthorised`.",
        403 => "Not with this token, or not from that site: `forbidden`, `cross-site`.",
        404 => "No such thing: `not-found`, `wrong-entity-kind`.",
        409 => {
            "Not now: `infohash-owned`, `illegal-transition`, `stale`, `superseded`, `plan-changed`, `conflict`."
        }
        413 => "The body is too large: `payload-too-large`.",
        415 => "The body has another media type: `unsupported-media-type`.",
        421 => "A browser came under a name that is not known: `unknown-host`.",
        422 => "It cannot be used: `invalid-request` and the codes of single fields.",
        503 => "Not now: `client-unreachable`, `backup-target-unreachable`, `not-ready`.",
        507 => "Nothing can be written down: `data-dir-full`.",
        _ => "A fault of the program: `internal-error`.",
    }
}

/// Declares groups of refusals that handlers name.
macro_rules! refusal_groups {
    ($($(#[$doc:meta])* $name:ident = $statuses:expr;)+) => {
        $(
            $(#[$doc])*
            pub(crate) enum $name {}

            impl IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
                    refusals(&$statuses)
                }
            }
        )+
    };
}

refusal_groups! {
    /// Of a call that looks up one id.
    IdRefusals = [404];
    /// Of a list.
    ListRefusals = [422];
    /// Of the stream.
    StreamRefusals = [422];
    /// Of an intake.
    IntakeRefusals = [400, 409, 413, 415, 422];
    /// Of a change.
    ChangeRefusals = [400, 404, 409, 413, 415, 422];
    /// Of a change without a body.
    DecisionRefusals = [404, 409, 422];
    /// Of a call that plans or links.
    ApplyRefusals = [400, 404, 409, 413, 415, 422, 503];
    /// Of a change of a field without a body.
    FieldRefusals = [404, 409, 422];
    /// Of a call that asks the clients.
    ClientRefusals = [503];
    /// Of adopting.
    AdoptRefusals = [400, 404, 409, 413, 415, 422, 503];
    /// Of a call that ends something.
    EndRefusals = [404, 409];
    /// Of a new token.
    TokenRefusals = [400, 413, 415, 422];
    /// Of a call that asks the backup target.
    TargetRefusals = [503];
    /// Of a call that asks the backup target about one backup.
    TargetsRefusals = [404, 409, 503];
    /// Of the page about a code.
    NoSuchCode = [404];
    /// Of the probe.
    NotReady = [503];
}

/// The header that guards a change.
pub(crate) enum IfMatch {}

impl IntoParams for IfMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^(\\*|(W/)?\"[0-9]{1,19}\")$"));
        let about = "The revision the change is made for, in double quotes; another one now is 409 `stale`.";
        vec![header("If-Match", about, schema.into())]
    }
}

/// The header that resumes a stream.
pub(crate) enum LastEventId {}

impl IntoParams for LastEventId {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let about = "The id of the last entry that was read.";
        vec![header("Last-Event-ID", about, words::AnyCaseUlid::schema())]
    }
}

fn header(name: &str, about: &str, schema: RefOr<utoipa::openapi::Schema>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(about))
        .schema(Some(schema))
        .build()
}
