//! The SQL functions that migration V6 calls: what former versions wrote, read
//! with the parsers of the domain.
//!
//! Each is deterministic and keeps nothing between calls: SQLite promises no
//! order of calls, so a counter would number rows at random.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use tracker_domain::{Infohash, InfohashV1, Magnet, Timestamp};

/// The largest time part of an id, in milliseconds.
const MAX_MS: i64 = (1 << 48) - 1;
/// The largest former key that fits into an id.
const MAX_NUMBER: i64 = (1 << 40) - 1;

/// A former value for which no id or time can be made.
#[derive(Debug, thiserror::Error)]
enum LegacyError {
    #[error("the key {number} of {table} does not fit into an id")]
    Number { table: String, number: i64 },
    #[error("the time {0} ms cannot be written")]
    Time(i64),
}

/// Registers the functions on a connection that is going to migrate.
pub(crate) fn register(conn: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_DIRECTONLY;
    conn.create_scalar_function(c"ulid_at", 3, flags, |ctx| {
        id_at(ctx.get(0)?, ctx.get(1)?, &ctx.get::<String>(2)?).map_err(user)
    })?;
    conn.create_scalar_function(c"rfc3339", 1, flags, |ctx| {
        ctx.get::<Option<i64>>(0)?.map(|ms| written(ms).map_err(user)).transpose()
    })?;
    conn.create_scalar_function(c"legacy_ms", 1, flags, |ctx| {
        Ok(argument(ctx, 0).and_then(|text| ms_of(&text)))
    })?;
    conn.create_scalar_function(c"legacy_infohash", 2, flags, |ctx| {
        let magnet = argument(ctx, 1).unwrap_or_default();
        Ok(argument(ctx, 0)
            .and_then(|stored| infohash_of(&stored, &magnet))
            .map(|hash| hash.to_string()))
    })?;
    conn.create_scalar_function(c"legacy_text", 1, flags, |ctx| Ok(argument(ctx, 0)))?;
    conn.create_scalar_function(c"legacy_integer", 1, flags, |ctx| Ok(integer_of(ctx.get_raw(0))))?;
    conn.create_scalar_function(c"legacy_real", 1, flags, |ctx| Ok(real_of(ctx.get_raw(0))))
}

fn user(error: LegacyError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(Box::new(error))
}

fn argument(ctx: &Context<'_>, index: usize) -> Option<String> {
    text_of(ctx.get_raw(index))
}

/// The id of the row with this time and former key.
fn id_at(ms: i64, number: i64, table: &str) -> Result<String, LegacyError> {
    let time = u64::try_from(ms).ok().filter(|_| ms <= MAX_MS).ok_or(LegacyError::Time(ms))?;
    let key = u64::try_from(number).ok().filter(|_| number <= MAX_NUMBER);
    let key = key.ok_or_else(|| LegacyError::Number { table: table.to_owned(), number })?;
    Ok(tracker_ident::derived(time, key, table).to_string())
}

fn written(ms: i64) -> Result<String, LegacyError> {
    let moment = Timestamp::from_unix(ms.div_euclid(1000)).ok_or(LegacyError::Time(ms))?;
    Ok(moment.to_string())
}

/// Milliseconds since the epoch, or `None` where the text is no time that an id
/// can carry. Fractions are left out, so that ids sort as the stored times do.
pub(crate) fn ms_of(text: &str) -> Option<i64> {
    let moment = Timestamp::from_legacy(text)?;
    (moment.unix() >= 0).then(|| moment.unix() * 1000)
}

/// The text of a column that was not STRICT: numbers as they print, bytes that
/// are no UTF-8 replaced.
pub(crate) fn text_of(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

fn integer_of(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Text(_) | ValueRef::Blob(_) => text_of(value)?.trim().parse().ok(),
        ValueRef::Null | ValueRef::Real(_) => None,
    }
}

fn real_of(value: ValueRef<'_>) -> Option<Value> {
    let number = match value {
        ValueRef::Real(number) => Some(number),
        ValueRef::Integer(_) | ValueRef::Text(_) | ValueRef::Blob(_) => {
            text_of(value)?.trim().parse::<f64>().ok()
        }
        ValueRef::Null => None,
    };
    number.filter(|number| !number.is_nan()).map(Value::Real)
}

/// What the stored text means: either letter case, hex or base32. A v1 that is
/// the front of a v2 in the row's own magnet is what a client called the
/// torrent, and stands for that v2.
fn infohash_of(stored: &str, magnet: &str) -> Option<Infohash> {
    let hash = Infohash::from_any_form(stored.trim()).ok()?;
    let whole = hash.v1().and_then(|front| v2_with_front(front, magnet));
    Some(whole.unwrap_or(hash))
}

fn v2_with_front(front: InfohashV1, magnet: &str) -> Option<Infohash> {
    if let Ok(parsed) = Magnet::parse(magnet) {
        let v2 = parsed.infohashes().v2().filter(|v2| v2.truncated() == front)?;
        return Some(v2.into());
    }
    // A link that today's parser refuses may still carry the hash in full.
    let lower = magnet.to_ascii_lowercase();
    let tagged = format!("1220{front}");
    lower.match_indices(&tagged).find_map(|(at, _)| {
        let whole = lower.get(at + 4..at + 68)?;
        whole.parse::<Infohash>().ok()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const V2: &str = "aa00bb11cc22dd33ee44ff5566778899aabbccdd0123456789abcdef01234567";

    fn hash(stored: &str, magnet: &str) -> Option<String> {
        infohash_of(stored, magnet).map(|hash| hash.to_string())
    }

    #[test]
    fn infohashes_are_lowered_and_base32_is_decoded() {
        let hex = "C12FE1C06BBA254A9DC9F519B335AA7C1367A88A";
        assert_eq!(hash(hex, "").unwrap(), hex.to_lowercase());
        assert_eq!(hash(" YEX6DQDLXISUVHOJ6UM3GNNKPQJWPKEK ", "").unwrap(), hex.to_lowercase());
        assert_eq!(hash(&V2.to_uppercase(), "").unwrap(), V2);
        assert_eq!(hash("", ""), None);
        assert_eq!(
            hash("zz", "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a"),
            None
        );
    }

    #[test]
    fn a_front_becomes_the_v2_of_its_own_magnet() {
        let front = &V2[..40];
        let magnet = format!("magnet:?xt=urn:btmh:1220{V2}");
        assert_eq!(hash(front, &magnet).unwrap(), V2);
        assert_eq!(hash(&front.to_uppercase(), &magnet.to_uppercase()).unwrap(), V2);
        // Two v1 hashes: refused as a link, but the v2 can be read.
        let odd =
            format!("magnet:?xt=urn:btih:{:040}&xt=urn:btih:{:039}1&xt=urn:btmh:1220{V2}", 0, 0);
        assert_eq!(hash(front, &odd).unwrap(), V2);
        // The v1 of a hybrid stays what it is.
        let v1 = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a";
        assert_eq!(hash(v1, &magnet).unwrap(), v1);
        assert_eq!(hash(front, "magnet:?xt=urn:btmh:1220").unwrap(), front);
    }

    #[test]
    fn times_before_the_epoch_and_garbage_are_unreadable() {
        assert_eq!(ms_of("2024-05-06 07:08:09"), Some(1_714_979_289_000));
        assert_eq!(ms_of("2024-05-06T07:08:09.999+02:00"), Some(1_714_972_089_000));
        for text in ["", "yesterday", "1969-12-31 23:59:59", "2024-13-01 00:00:00"] {
            assert_eq!(ms_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_key_that_does_not_fit_is_an_error() {
        assert!(id_at(0, MAX_NUMBER, "hint").is_ok());
        assert!(id_at(0, MAX_NUMBER + 1, "hint").is_err());
        assert!(id_at(0, -1, "hint").is_err());
        assert!(id_at(-1, 1, "hint").is_err());
        assert!(id_at(MAX_MS + 1, 1, "hint").is_err());
    }

    #[test]
    fn numbers_of_any_type_are_read_or_left_out() {
        assert_eq!(integer_of(ValueRef::Text(b" 2016 ")), Some(2016));
        assert_eq!(integer_of(ValueRef::Text(b"n/a")), None);
        assert_eq!(integer_of(ValueRef::Real(1.5)), None);
        assert_eq!(real_of(ValueRef::Text(b"0.5")), Some(Value::Real(0.5)));
        assert_eq!(real_of(ValueRef::Text(b"NaN")), None);
        assert_eq!(text_of(ValueRef::Blob(b"a\xff")).unwrap(), "a\u{fffd}");
    }
}
