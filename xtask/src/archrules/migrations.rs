//! What a migration above V5 may not contain. Those up to V5 are history.
//!
//! A scan of tokens always runs. Where sqlparser understands a statement too,
//! its tree is asked as a second opinion; that it fails hides nothing.

use sqlparser::ast::{ColumnOption, CreateTable, Statement, TableConstraint};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

use crate::violation::Violation;

use super::sql::{SqlKind, SqlToken, tokenize};

const AUTOINCREMENT: &str = "migration-autoincrement";
const TIME: &str = "migration-server-time";
const KEY: &str = "migration-numeric-key";
const DEFAULT: &str = "migration-default";
const NAME: &str = "migration-name";

/// The last version that the rules do not look at.
const HISTORY: u32 = 5;
const CLOCK_WORDS: [&str; 3] = ["CURRENT_TIMESTAMP", "CURRENT_TIME", "CURRENT_DATE"];
const TIME_FUNCTIONS: [&str; 7] =
    ["datetime", "date", "time", "julianday", "strftime", "unixepoch", "timediff"];

/// What is wrong with a migration; `path` tells its version.
pub fn check(path: &str, text: &str) -> Vec<Violation> {
    let Some(version) = version(path) else {
        return vec![Violation::new(path, 1, NAME, "a migration is named `V<number>__<name>.sql`")];
    };
    if version <= HISTORY {
        return Vec::new();
    }
    let tokens = tokenize(text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        found.extend(server_time(path, &tokens, at));
        if tokens[at].is_word("AUTOINCREMENT") {
            found.push(Violation::new(
                path,
                tokens[at].line,
                AUTOINCREMENT,
                "`AUTOINCREMENT`: an id is a ULID",
            ));
        }
        if tokens[at].is_word("DEFAULT") && default_calls(&tokens[at + 1..]) {
            found.push(Violation::new(
                path,
                tokens[at].line,
                DEFAULT,
                "a default that is computed by the database",
            ));
        }
        if tokens[at].is_word("CREATE") {
            found.extend(numeric_key(path, &tokens[at..]));
        }
    }
    for violation in second_opinion(path, text, &tokens) {
        let known = found
            .iter()
            .any(|other| other.rule == violation.rule && other.message == violation.message);
        if !known {
            found.push(violation);
        }
    }
    found
}

fn version(path: &str) -> Option<u32> {
    let name = path.rsplit('/').next()?.strip_prefix('V')?;
    let (number, rest) = name.split_once("__")?;
    rest.ends_with(".sql").then(|| number.parse().ok())?
}

fn server_time(path: &str, tokens: &[SqlToken], at: usize) -> Option<Violation> {
    let token = &tokens[at];
    if CLOCK_WORDS.iter().any(|word| token.is_word(word)) {
        let message = format!("`{}`: time comes from the program", token.text);
        return Some(Violation::new(path, token.line, TIME, message));
    }
    let function = TIME_FUNCTIONS.iter().find(|name| token.is_name(name))?;
    if !tokens.get(at + 1)?.is_sign("(") {
        return None;
    }
    let inside = parenthesised(&tokens[at + 1..]);
    let reads_clock = inside.is_empty()
        || inside.iter().any(|token| {
            matches!(token.kind, SqlKind::Text | SqlKind::Quoted) && token.text.trim().eq_ignore_ascii_case("now")
        })
        // With a format alone, or with `subsec` alone, the time is the present one.
        || *function == "strftime" && split(inside).len() == 1
        || inside.first().is_some_and(|first| {
            first.kind == SqlKind::Text && first.text.to_ascii_lowercase().starts_with("subsec")
        });
    reads_clock.then(|| {
        let message = format!("`{function}(…)` of the present: time comes from the program");
        Violation::new(path, token.line, TIME, message)
    })
}

/// Whether what follows `DEFAULT` calls a function or reads the clock.
fn default_calls(rest: &[SqlToken]) -> bool {
    let Some(first) = rest.first() else {
        return false;
    };
    let expression =
        if first.is_sign("(") { parenthesised(rest) } else { &rest[..rest.len().min(2)] };
    expression.windows(2).any(|pair| pair[0].kind == SqlKind::Word && pair[1].is_sign("("))
        || expression.iter().take(1).any(|token| CLOCK_WORDS.iter().any(|word| token.is_word(word)))
        || first.is_sign("(")
            && expression.iter().any(|token| CLOCK_WORDS.iter().any(|word| token.is_word(word)))
}

/// The tokens between the parenthesis that `tokens` begins with and its other half.
fn parenthesised(tokens: &[SqlToken]) -> &[SqlToken] {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.is_sign("(") {
            depth += 1;
        } else if token.is_sign(")") {
            depth -= 1;
            if depth == 0 {
                return &tokens[1..at];
            }
        }
    }
    tokens.get(1..).unwrap_or_default()
}

/// Splits at the commas outside parentheses.
fn split(tokens: &[SqlToken]) -> Vec<&[SqlToken]> {
    let mut depth = 0;
    tokens
        .split(|token| {
            depth += i32::from(token.is_sign("(")) - i32::from(token.is_sign(")"));
            depth == 0 && token.is_sign(",")
        })
        .collect()
}

/// The numeric primary key of the `CREATE TABLE` that `tokens` begins with.
fn numeric_key(path: &str, tokens: &[SqlToken]) -> Option<Violation> {
    let table = tokens.iter().take(3).position(|token| token.is_word("TABLE"))?;
    let temporary = tokens[1].is_word("TEMP") || tokens[1].is_word("TEMPORARY");
    // What stands between the name and the parenthesis decides: `AS SELECT` has none of ours.
    let open = table + tokens[table..].iter().take(9).position(|token| token.is_sign("("))?;
    let names = &tokens[table + 1..open];
    if temporary || names.iter().any(|token| token.is_word("AS")) || names.first()?.is_name("temp")
    {
        return None;
    }
    let name = names.last()?;
    let parts = split(parenthesised(&tokens[open..]));
    let column_of =
        |wanted: &str| parts.iter().find(|part| part.first().is_some_and(|t| t.is_name(wanted)));
    for part in &parts {
        let (Some(first), Some(key)) = (part.first(), top_level_key(part)) else {
            continue;
        };
        let column = if is_constraint(first) {
            let columns = split(parenthesised(&part[key + 2..]));
            match columns.as_slice() {
                [only] => only.first().and_then(|name| column_of(&name.text)),
                _ => None,
            }
        } else {
            Some(part)
        };
        if let Some(column) = column.filter(|column| is_numeric(&declared_type(column))) {
            let line = column.first()?.line;
            return Some(Violation::new(
                path,
                line,
                KEY,
                key_message(&name.text, &column.first()?.text),
            ));
        }
    }
    None
}

/// Where `PRIMARY KEY` stands in a column or constraint, outside parentheses.
fn top_level_key(part: &[SqlToken]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in part.iter().enumerate() {
        depth += i32::from(token.is_sign("(")) - i32::from(token.is_sign(")"));
        if depth == 0
            && token.is_word("PRIMARY")
            && part.get(at + 1).is_some_and(|next| next.is_word("KEY"))
        {
            return Some(at);
        }
    }
    None
}

fn is_constraint(first: &SqlToken) -> bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].iter().any(|word| first.is_word(word))
}

/// The words of a column's type.
fn declared_type(column: &[SqlToken]) -> String {
    const ENDS: [&str; 11] = [
        "CONSTRAINT",
        "PRIMARY",
        "NOT",
        "NULL",
        "UNIQUE",
        "CHECK",
        "DEFAULT",
        "COLLATE",
        "REFERENCES",
        "GENERATED",
        "AS",
    ];
    column[1..]
        .iter()
        .take_while(|token| !ENDS.iter().any(|word| token.is_word(word)))
        .map(|token| token.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether SQLite gives a type of this name a numeric affinity.
fn is_numeric(declared: &str) -> bool {
    let declared = declared.to_ascii_uppercase();
    let texts = ["CHAR", "CLOB", "TEXT", "BLOB"];
    if declared.contains("INT") {
        return true;
    }
    !declared.is_empty() && declared != "ANY" && !texts.iter().any(|text| declared.contains(text))
}

fn key_message(table: &str, column: &str) -> String {
    format!("`{table}.{column}` is a numeric primary key: an id is a ULID")
}

/// What sqlparser says of the statements that it understands.
fn second_opinion(path: &str, text: &str, tokens: &[SqlToken]) -> Vec<Violation> {
    let mut found = Vec::new();
    for statement in tokens.split(|token| token.is_sign(";")) {
        let (Some(first), Some(last)) = (statement.first(), statement.last()) else {
            continue;
        };
        let Ok(parsed) = Parser::parse_sql(&SQLiteDialect {}, &text[first.span.0..last.span.1])
        else {
            continue;
        };
        for statement in parsed {
            if let Statement::CreateTable(table) = statement
                && !table.temporary
            {
                found.extend(key_of_tree(path, first.line, &table));
            }
        }
    }
    found
}

fn key_of_tree(path: &str, line: usize, table: &CreateTable) -> Option<Violation> {
    let parts = &table.name.0;
    let part =
        |at: usize| parts.get(at).and_then(|part| part.as_ident()).map(|ident| ident.value.clone());
    if parts.len() > 1 && part(0)?.eq_ignore_ascii_case("temp") {
        return None;
    }
    let inline = table.columns.iter().find(|column| {
        column.options.iter().any(|option| matches!(option.option, ColumnOption::PrimaryKey(_)))
    });
    let listed = table.constraints.iter().find_map(|constraint| match constraint {
        TableConstraint::PrimaryKey(key) if key.columns.len() == 1 => {
            let name = key.columns[0].column.expr.to_string();
            let name = name.trim_matches(['"', '`', '[', ']']).to_owned();
            table.columns.iter().find(|column| column.name.value.eq_ignore_ascii_case(&name))
        }
        _ => None,
    });
    let column = inline.or(listed)?;
    let message = key_message(&part(parts.len() - 1)?, &column.name.value);
    is_numeric(&column.data_type.to_string()).then(|| Violation::new(path, line, KEY, message))
}
