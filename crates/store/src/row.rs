//! From columns to domain types and back. A value that does not parse is
//! `StoreError::Corrupt`: nothing is guessed.

use std::cell::RefCell;
use std::fmt::Display;
use std::str::FromStr;

use rusqlite::Row;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracker_domain::{DownloadId, Timestamp};
use tracker_ident::Id;

use crate::StoreError;

/// Parses the text of a column.
pub(crate) fn parse<T>(
    table: &'static str,
    column: &'static str,
    text: &str,
) -> Result<T, StoreError>
where
    T: FromStr,
    T::Err: Display,
{
    text.parse().map_err(|error: T::Err| StoreError::Corrupt {
        table,
        column,
        found: text.to_owned(),
        detail: error.to_string(),
    })
}

/// Where the columns of one statement are. SQLite tells only their names in order, and
/// to compare all of them for each column of each row costs more than to read it.
#[derive(Default)]
pub(crate) struct Places(RefCell<Vec<(&'static str, usize)>>);

impl Places {
    fn of(&self, row: &Row<'_>, column: &'static str) -> Result<usize, StoreError> {
        let mut known = self.0.borrow_mut();
        // The same place of the code asks with the same text, so its address is enough.
        if let Some((_, place)) = known.iter().find(|(name, _)| std::ptr::eq(*name, column)) {
            return Ok(*place);
        }
        let place = row.as_ref().column_index(column)?;
        known.push((column, place));
        Ok(place)
    }
}

/// Reads one row of one table, column by name.
pub(crate) struct Columns<'r, 's> {
    row: &'r Row<'s>,
    table: &'static str,
    places: &'r Places,
}

impl<'r, 's> Columns<'r, 's> {
    /// `places` are those of the statement that the row is of, and of no other.
    pub(crate) fn new(table: &'static str, row: &'r Row<'s>, places: &'r Places) -> Self {
        Columns { row, table, places }
    }

    fn get<T: rusqlite::types::FromSql>(&self, column: &'static str) -> Result<T, StoreError> {
        Ok(self.row.get(self.places.of(self.row, column)?)?)
    }

    pub(crate) fn plain<T: rusqlite::types::FromSql>(
        &self,
        column: &'static str,
    ) -> Result<T, StoreError> {
        self.get(column)
    }

    pub(crate) fn parsed<T>(&self, column: &'static str) -> Result<T, StoreError>
    where
        T: FromStr,
        T::Err: Display,
    {
        let text: String = self.get(column)?;
        parse(self.table, column, &text)
    }

    pub(crate) fn maybe<T>(&self, column: &'static str) -> Result<Option<T>, StoreError>
    where
        T: FromStr,
        T::Err: Display,
    {
        let text: Option<String> = self.get(column)?;
        text.map(|text| parse(self.table, column, &text)).transpose()
    }

    /// A count or size; negative values are corrupt.
    pub(crate) fn unsigned(&self, column: &'static str) -> Result<u64, StoreError> {
        let value: i64 = self.get(column)?;
        self.to_unsigned(column, value)
    }

    pub(crate) fn maybe_unsigned(&self, column: &'static str) -> Result<Option<u64>, StoreError> {
        let value: Option<i64> = self.get(column)?;
        value.map(|value| self.to_unsigned(column, value)).transpose()
    }

    fn to_unsigned(&self, column: &'static str, value: i64) -> Result<u64, StoreError> {
        u64::try_from(value).map_err(|_| StoreError::Corrupt {
            table: self.table,
            column,
            found: value.to_string(),
            detail: "negative".to_owned(),
        })
    }

    pub(crate) fn json<T: DeserializeOwned + Default>(
        &self,
        column: &'static str,
    ) -> Result<T, StoreError> {
        let text: Option<String> = self.get(column)?;
        text.map_or_else(
            || Ok(T::default()),
            |text| {
                serde_json::from_str(&text).map_err(|source| StoreError::Json { column, source })
            },
        )
    }
}

/// Runs `read` over every row.
pub(crate) fn collect<T>(
    table: &'static str,
    rows: rusqlite::Rows<'_>,
    read: impl Fn(&Columns<'_, '_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    collect_at(&Places::default(), table, rows, read)
}

/// The same for a statement that is asked again and again.
pub(crate) fn collect_at<T>(
    places: &Places,
    table: &'static str,
    mut rows: rusqlite::Rows<'_>,
    read: impl Fn(&Columns<'_, '_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(&Columns::new(table, row, places))?);
    }
    Ok(found)
}

pub(crate) fn to_json<T: Serialize>(column: &'static str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|source| StoreError::Json { column, source })
}

/// SQLite integers are signed; sizes beyond them are held at the largest.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(crate) fn text<E>(id: Id<E>) -> String {
    id.to_string()
}

pub(crate) fn maybe_text(id: Option<DownloadId>) -> Option<String> {
    id.map(|id| id.to_string())
}

pub(crate) fn maybe_time(time: Option<Timestamp>) -> Option<String> {
    time.map(|time| time.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rusqlite::Connection;

    use super::*;

    #[test]
    fn columns_are_found_by_name_in_whatever_order_rows_ask() {
        let conn = Connection::open_in_memory().unwrap();
        let mut statement = conn
            .prepare("SELECT 1 AS turn, 'a' AS first, 'b' AS second UNION ALL SELECT 2, 'c', 'd'")
            .unwrap();
        let read = |row: &Columns<'_, '_>| {
            let text = |column| row.plain::<String>(column);
            // The second row asks for what the first one left out, in another order.
            match row.unsigned("turn")? {
                1 => Ok((text("second")?, text("second")?)),
                _ => Ok((text("first")?, text("second")?)),
            }
        };
        let found = collect("made-up", statement.query([]).unwrap(), read).unwrap();
        let found: Vec<_> = found.iter().map(|(one, two)| (&**one, &**two)).collect();
        assert_eq!(found, [("b", "b"), ("c", "d")]);
        let missing = collect("made-up", statement.query([]).unwrap(), |row| {
            row.plain::<Option<String>>("third")
        });
        assert!(matches!(missing, Err(StoreError::Sqlite(_))), "{missing:?}");
    }
}
