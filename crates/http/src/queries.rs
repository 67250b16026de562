//! The queries of the lists, and the options of an intake beside a file.

use tracker_app::{AttentionFilter, DownloadQuery, EventQuery, IngestOptions, PageQuery};
use tracker_domain::Infohash;
use tracker_wire::words;
use utoipa::PartialSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::params::{FromParams, Param, Reader};

const fn one(name: &'static str, about: &'static str, schema: fn() -> RefOr<Schema>) -> Param {
    Param { name, about, many: false, needed: false, schema }
}

const fn many(name: &'static str, about: &'static str, schema: fn() -> RefOr<Schema>) -> Param {
    Param { name, about, many: true, needed: false, schema }
}

/// Nothing: whatever is asked for beyond the address is refused by name.
pub(crate) struct NoQuery;

impl FromParams for NoQuery {
    const PARAMS: &'static [Param] = &[];

    fn read(_: &mut Reader) -> Self {
        NoQuery
    }
}

/// The name to read.
#[derive(Debug)]
pub(crate) struct NameQuery {
    pub(crate) name: String,
}

impl FromParams for NameQuery {
    const PARAMS: &'static [Param] = &[Param {
        name: "name",
        about: "The name of a release, a file or a folder, or a path of them.",
        many: false,
        needed: true,
        schema: release_name,
    }];

    fn read(reader: &mut Reader) -> Self {
        NameQuery { name: reader.needed("name") }
    }
}

/// The text to look for.
pub(crate) struct SearchQuery {
    pub(crate) text: String,
}

impl FromParams for SearchQuery {
    const PARAMS: &'static [Param] = &[Param {
        name: "q",
        about: "What to look for.",
        many: false,
        needed: true,
        schema: search_text,
    }];

    fn read(reader: &mut Reader) -> Self {
        SearchQuery { text: reader.needed("q") }
    }
}

fn search_text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).max_length(Some(500)).into()
}

fn release_name() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(4096))
        .pattern(Some("\\S"))
        .into()
}

fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

fn flag() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).into()
}

fn page_size() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(200))
        .default(Some(50.into()))
        .into()
}

fn limit(reader: &mut Reader) -> Option<u32> {
    reader.with("limit", |text| text.parse().map_err(|_| "write a number from 1 to 200".to_owned()))
}

impl FromParams for DownloadQuery {
    const PARAMS: &'static [Param] = &[
        many("state", "Only these states; may repeat.", words::State::schema),
        one("active", "Only active ones, or only ended ones.", flag),
        one("attention", "Only those with this attention.", words::AttentionWord::schema),
        one("q", "A part of the name, or a whole id or infohash.", text),
        one("infohash", "Only those with this infohash.", words::InfohashText::schema),
        one("hidden", "Also those that were removed from view.", flag),
        one("limit", "How many.", page_size),
        one(
            "before",
            "Only those before this id: `next` of the page before.",
            words::AnyCaseUlid::schema,
        ),
    ];

    fn read(reader: &mut Reader) -> Self {
        DownloadQuery {
            states: reader.many("state"),
            active: reader.flag("active"),
            attention: reader.with("attention", attention),
            text: reader.text("q"),
            infohash: reader.with("infohash", |text| {
                Infohash::from_any_form(text).map_err(|error| error.to_string())
            }),
            hidden: reader.flag("hidden").unwrap_or(false),
            limit: limit(reader),
            before: reader.parsed("before"),
        }
    }
}

fn attention(word: &str) -> Result<AttentionFilter, String> {
    match word {
        "any" | "true" => Ok(AttentionFilter::Any),
        "none" | "false" => Ok(AttentionFilter::None),
        _ => word
            .parse()
            .map(AttentionFilter::Is)
            .map_err(|error| format!("{error}; any and none are possible too")),
    }
}

impl FromParams for PageQuery {
    const PARAMS: &'static [Param] = &[
        one("limit", "How many.", page_size),
        one(
            "before",
            "Only those before this id: `next` of the page before.",
            words::AnyCaseUlid::schema,
        ),
    ];

    fn read(reader: &mut Reader) -> Self {
        PageQuery { limit: limit(reader), before: reader.parsed("before") }
    }
}

impl FromParams for EventQuery {
    const PARAMS: &'static [Param] = &[
        one("entity_id", "Only about this entity.", words::AnyCaseUlid::schema),
        many("type", "Only of these types; may repeat.", words::EventWord::schema),
        one("download_id", "Only of this download.", words::AnyCaseUlid::schema),
        one("job_id", "Only of this job.", words::AnyCaseUlid::schema),
        one("limit", "How many.", page_size),
        one(
            "before",
            "Only those before this id: `next` of the page before.",
            words::AnyCaseUlid::schema,
        ),
    ];

    fn read(reader: &mut Reader) -> Self {
        EventQuery {
            entity_id: reader.parsed("entity_id"),
            types: reader.many("type"),
            download_id: reader.parsed("download_id"),
            job_id: reader.parsed("job_id"),
            limit: limit(reader),
            before: reader.parsed("before"),
        }
    }
}

/// Which client is asked.
#[derive(Debug)]
pub(crate) struct ClientQuery {
    pub(crate) client: Option<String>,
}

impl FromParams for ClientQuery {
    const PARAMS: &'static [Param] = &[one("client", "Only this client.", text)];

    fn read(reader: &mut Reader) -> Self {
        ClientQuery { client: reader.text("client") }
    }
}

impl FromParams for IngestOptions {
    const PARAMS: &'static [Param] = &[
        one("hint", "Free text that steers recognition.", text),
        one("pin", "A title of a metadata source, such as `tmdb:603`.", text),
        one("library", "The name of a library.", text),
        one("client", "The name of a client.", text),
    ];

    fn read(reader: &mut Reader) -> Self {
        IngestOptions {
            hint: reader.text("hint"),
            pin: reader.text("pin"),
            library: reader.text("library"),
            client: reader.text("client"),
        }
    }
}
