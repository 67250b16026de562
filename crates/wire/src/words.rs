//! Schemas of the closed vocabularies and of ids: made from the lists of
//! `domain`, so that the document cannot forget a word.
//!
//! The members themselves are plain strings: a reader that is older than the
//! daemon must not fail on a word it does not know.

use std::borrow::Cow;

use tracker_app::{Action, ConflictKind, SkipReason};
use tracker_domain::access::Scope;
use tracker_domain::ask::AskScope;
use tracker_domain::event::EventType;
use tracker_domain::recognised::{RecognitionState, Role, TitleKind, Verdict};
use tracker_domain::{Attention, DownloadState, EntityKind};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::recognition::role_word;

/// Any letter case of a ULID, as requests may write it.
pub const ANY_CASE_ID: &str = "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$";
/// A ULID as answers write it.
pub const LOWER_ID: &str = "^[0-7][0-9a-hjkmnp-tv-z]{25}$";
/// An infohash as requests may write it.
pub const ANY_FORM_INFOHASH: &str = "^([0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[a-zA-Z2-7]{32})$";
/// An infohash as answers write it.
pub const HEX_INFOHASH: &str = "^([0-9a-f]{40}|[0-9a-f]{64})$";

/// A field that a person can set.
pub const OVERRIDE_FIELD: &str = "^(title|year|kind|season|episode_offset|numbering|edition|library|candidate|file\\.(0|[1-9][0-9]{0,8})\\.(season|episodes|part|skip))$";

/// Declares a marker whose schema is built from an expression.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident => $schema:expr;)+) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    RefOr::T(Schema::Object($schema.build()))
                }
            }

            impl ToSchema for $name {
                fn name() -> Cow<'static, str> {
                    Cow::Borrowed(stringify!($name))
                }
            }
        )+
    };
}

words! {
    /// A ULID, lower case.
    Ulid => string().pattern(Some(LOWER_ID)).description(Some("A ULID in lower case."));
    /// The name of a token.
    TokenName => string().pattern(Some("^[A-Za-z0-9._-]{1,64}$"));
    /// How far a token reaches.
    TokenScope => string().enum_values(Some(Scope::ALL.iter().map(|word| word.as_str())));
    /// A ULID in any letter case.
    AnyCaseUlid => string()
        .pattern(Some(ANY_CASE_ID))
        .description(Some("A ULID in any letter case."));
    /// An infohash in hex, lower case.
    InfohashHex => string()
        .pattern(Some(HEX_INFOHASH))
        .description(Some("40 (v1) or 64 (v2) hex digits in lower case."));
    /// An infohash in any of its written forms.
    InfohashText => string()
        .pattern(Some(ANY_FORM_INFOHASH))
        .description(Some("40 or 64 hex digits or 32 base32 characters, in any letter case."));
    /// The bytes of a `.torrent` file.
    TorrentFile => string()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .description(Some("The bytes of a `.torrent` file."));
    /// Where a batch is.
    BatchWord => string()
        .enum_values(Some(["planned", "applied", "undone", "failed"]))
        .description(Some("Where a batch of links is."));
    /// Why a file gets no link.
    SkipWord => string()
        .enum_values(Some(SkipReason::ALL.iter().map(|reason| reason.as_str())))
        .description(Some("Why a file gets no link."));
    /// What is in the way of a link.
    ConflictWord => string()
        .enum_values(Some(ConflictKind::ALL.iter().map(|kind| kind.as_str())))
        .description(Some("What is in the way of a link."));
    /// What to do about it.
    ActionWord => string()
        .enum_values(Some(Action::ALL.iter().map(|action| action.as_str())))
        .description(Some("What to do about something in the way."));
    /// A moment.
    Moment => string()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .description(Some("RFC 3339, UTC, whole seconds: `2006-01-02T15:04:05Z`."));
    /// Where a download is.
    State => string()
        .enum_values(Some(DownloadState::ALL.iter().map(|state| state.as_str())))
        .description(Some("Where a download is."));
    /// Why a person should look.
    AttentionCode => string()
        .enum_values(Some(Attention::ALL.iter().map(|code| code.as_str())))
        .description(Some("Why a person should look. Each has a page `/problems/{code}`."));
    /// A filter by attention.
    AttentionWord => string()
        .enum_values(Some(
            ["any", "none", "true", "false"]
                .into_iter()
                .chain(Attention::ALL.iter().map(|code| code.as_str())),
        ))
        .description(Some("A code, `any` or `true` for each one, `none` or `false` for none."));
    /// A type of event.
    EventWord => string()
        .enum_values(Some(EventType::ALL.iter().map(|word| word.as_str())))
        .description(Some("What an entry of the journal tells of."));
    /// A kind of entity.
    Kind => string()
        .enum_values(Some(EntityKind::ALL.iter().map(|kind| kind.as_str())))
        .description(Some("The kind of an entity: the name of its table."));
    /// Where a recognition is.
    RecognitionWord => string()
        .enum_values(Some(
            RecognitionState::ALL
                .iter()
                .filter(|state| **state != RecognitionState::Superseded)
                .map(|state| state.as_str()),
        ))
        .description(Some("Where a recognition is."));
    /// How sure a recognition is.
    VerdictWord => string()
        .enum_values(Some(
            [Verdict::Sure, Verdict::Doubt, Verdict::Unknown].map(Verdict::as_str),
        ))
        .description(Some("How sure it is."));
    /// What kind of title.
    TitleKindWord => string()
        .enum_values(Some(
            [TitleKind::Movie, TitleKind::Series, TitleKind::Anime, TitleKind::Other]
                .map(TitleKind::as_str),
        ))
        .description(Some("What kind of title it is."));
    /// What a file is for.
    RoleWord => string()
        .enum_values(Some(
            Role::ALL.iter().copied().map(role_word),
        ))
        .description(Some("What a file is for."));
    /// The text of a hint.
    HintText => string()
        .min_length(Some(1))
        .max_length(Some(2000))
        .pattern(Some("\\S"))
        .description(Some("1 to 2000 characters, of which one is no space."));
    /// A field that can be set.
    OverrideField => string()
        .pattern(Some(OVERRIDE_FIELD))
        .description(Some("The field; `file.<index>.…` is about one file."));
    /// What a field is set to.
    OverrideValue => ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]))
        .description(Some("The value; which one fits depends on the field."));
    /// What a person wants to be asked about, if anything.
    AsksWord => string()
        .enum_values(Some(["none"].into_iter().chain(AskScope::ALL.map(AskScope::as_str))))
        .description(Some("What a person wants to be asked about, if anything."));
    /// How bad it is.
    Level => string()
        .enum_values(Some(["ok", "notice", "warning", "error"]))
        .description(Some("How bad the answer of a check is."));
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}
