//! Query parameters: declared once, for reading and for the OpenAPI document.

use std::fmt::Display;
use std::str::FromStr;

use axum::extract::Query;
use axum::http::Uri;
use tracker_app::FieldError;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{RefOr, Required};

use crate::extract::Params;
use crate::problem::Problem;

/// One query parameter.
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether it may stand more than once.
    pub(crate) many: bool,
    /// Whether it has to be there.
    pub(crate) needed: bool,
    pub(crate) schema: fn() -> RefOr<Schema>,
}

/// Read from a query.
pub(crate) trait FromParams: Sized {
    /// The parameters there are; any other is refused by name.
    const PARAMS: &'static [Param];

    fn read(reader: &mut Reader) -> Self;
}

impl<T: FromParams> IntoParams for Params<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        T::PARAMS.iter().map(documented).collect()
    }
}

fn documented(param: &Param) -> Parameter {
    let schema = if param.many {
        ArrayBuilder::new().items((param.schema)()).into()
    } else {
        (param.schema)()
    };
    ParameterBuilder::new()
        .name(param.name)
        .parameter_in(ParameterIn::Query)
        .required(if param.needed { Required::True } else { Required::False })
        .description(Some(param.about))
        .schema(Some(schema))
        .build()
}

/// The pairs of a query, and what is wrong with them.
pub(crate) struct Reader {
    pairs: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl Reader {
    /// Reads a query whole, so that all that is wrong is said at once.
    pub(crate) fn read<T>(
        query: Option<&str>,
        known: &[Param],
        read: impl FnOnce(&mut Reader) -> T,
    ) -> Result<T, Problem> {
        let mut reader = Reader { pairs: pairs(query), errors: Vec::new() };
        reader.refuse_unknown(known);
        let value = read(&mut reader);
        if reader.errors.is_empty() { Ok(value) } else { Err(Problem::fields(reader.errors)) }
    }

    fn refuse_unknown(&mut self, known: &[Param]) {
        let names: Vec<&str> = known.iter().map(|param| param.name).collect();
        for (name, _) in &self.pairs {
            let told = self.errors.iter().any(|error| error.parameter.as_deref() == Some(name));
            if !names.contains(&name.as_str()) && !told {
                let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                let detail = format!("there is no such parameter; there are: {known}");
                self.errors.push(FieldError::query(name, detail));
            }
        }
    }

    fn refuse(&mut self, name: &str, detail: impl Into<String>) {
        self.errors.push(FieldError::query(name, detail));
    }

    /// The text of a parameter; an empty one was not filled in.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        self.single(name).filter(|text| !text.is_empty())
    }

    /// The text of a parameter that has to be there.
    pub(crate) fn needed(&mut self, name: &str) -> String {
        if !self.pairs.iter().any(|(key, _)| key == name) {
            self.refuse(name, "is missing");
        }
        self.single(name).unwrap_or_default()
    }

    /// A parameter that parses.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<T> {
        self.with(name, |text| text.parse().map_err(|error: T::Err| error.to_string()))
    }

    /// A parameter that `parse` reads.
    pub(crate) fn with<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.single(name)?;
        parse(&text).map_err(|detail| self.refuse(name, detail)).ok()
    }

    /// Every value of a parameter that may stand more than once.
    pub(crate) fn many<T: FromStr<Err: Display>>(&mut self, name: &str) -> Vec<T> {
        let texts = self.all(name);
        let mut values = Vec::new();
        for text in texts {
            match text.parse() {
                Ok(value) => values.push(value),
                Err(error) => self.refuse(name, T::Err::to_string(&error)),
            }
        }
        values
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, name: &str) -> Option<bool> {
        self.with(name, |text| match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("write true or false".to_owned()),
        })
    }

    fn single(&mut self, name: &str) -> Option<String> {
        let mut values = self.all(name);
        let value = values.pop()?;
        if values.is_empty() {
            return Some(value);
        }
        self.refuse(name, "it may stand once only");
        None
    }

    fn all(&self, name: &str) -> Vec<String> {
        self.pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.clone()).collect()
    }
}

/// The pairs of a query. Escapes that are not UTF-8 become replacement
/// characters, which no parameter but a search text then takes.
fn pairs(query: Option<&str>) -> Vec<(String, String)> {
    let read = |query: &str| {
        let uri: Uri = format!("/?{query}").parse().ok()?;
        Query::<Vec<(String, String)>>::try_from_uri(&uri).ok()
    };
    query.and_then(read).map(|Query(pairs)| pairs).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use tracker_app::{AttentionFilter, DownloadQuery};
    use tracker_domain::{Attention, DownloadState};

    use super::{FromParams, Reader};
    use crate::problem::Problem;

    fn read(query: &str) -> Result<DownloadQuery, Problem> {
        Reader::read(Some(query), DownloadQuery::PARAMS, DownloadQuery::read)
    }

    fn refused(query: &str) -> Vec<String> {
        let problem = read(query).unwrap_err();
        assert_eq!(problem.body().status, 422);
        problem.body().errors.iter().map(|error| error.parameter.clone().unwrap()).collect()
    }

    #[test]
    fn a_query_is_read_whole() {
        let id = "01JZABCDEFGHJKMNPQRSTVWXYZ";
        let hash = "AB".repeat(20);
        let found = read(&format!(
            "state=queued&state=done&active=true&attention=stalled&q=a+b%26c&infohash={hash}\
             &hidden=false&limit=7&before={id}"
        ))
        .unwrap();
        assert_eq!(found.states, [DownloadState::Queued, DownloadState::Done]);
        assert_eq!(found.active, Some(true));
        assert_eq!(found.attention, Some(AttentionFilter::Is(Attention::Stalled)));
        assert_eq!(found.text.as_deref(), Some("a b&c"));
        assert_eq!(found.infohash.unwrap().to_string(), hash.to_lowercase());
        assert_eq!((found.hidden, found.limit), (false, Some(7)));
        assert_eq!(found.before.unwrap().to_string(), id.to_lowercase());
        assert_eq!(read("").unwrap(), DownloadQuery::default());
    }

    #[test]
    fn attention_has_words_for_any_and_none() {
        for (word, filter) in [
            ("any", AttentionFilter::Any),
            ("true", AttentionFilter::Any),
            ("none", AttentionFilter::None),
            ("false", AttentionFilter::None),
        ] {
            assert_eq!(read(&format!("attention={word}")).unwrap().attention, Some(filter));
        }
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        assert_eq!(
            refused("state=x&active=yes&limit=many&before=abc&token=t&token=u"),
            ["token", "state", "active", "limit", "before"]
        );
        assert_eq!(refused("limit=1&limit=2"), ["limit"]);
        assert_eq!(refused("infohash=12"), ["infohash"]);
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused_by_parameter(query in "[ -~]{0,60}") {
            if let Err(problem) = read(&query) {
                prop_assert_eq!(problem.body().status, 422);
                prop_assert!(!problem.body().errors.is_empty());
                for error in &problem.body().errors {
                    prop_assert!(error.parameter.is_some());
                }
            }
        }
    }
}
