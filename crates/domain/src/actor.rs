//! Who caused a change: travels with every call, from the transport to the row.

use std::fmt;
use std::str::FromStr;

/// The cause of a change, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A person on the web pages, by account name.
    Web(String),
    /// A program with an API token, by the token's name.
    Api(String),
    /// A person in a chat, by Telegram user id.
    Telegram(i64),
    /// A person at the command line, by login name.
    Cli(String),
    /// The comparison of what clients show with what is known.
    Reconciler,
    /// A background worker without a person behind it.
    Worker,
    /// The program itself: start, migration.
    System,
}

/// The text names no actor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no actor")]
pub struct ParseActorError(String);

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Web(user) => write!(f, "web:{user}"),
            Actor::Api(token) => write!(f, "api:{token}"),
            Actor::Telegram(user) => write!(f, "telegram:{user}"),
            Actor::Cli(login) => write!(f, "cli:{login}"),
            Actor::Reconciler => f.write_str("reconciler"),
            Actor::Worker => f.write_str("worker"),
            Actor::System => f.write_str("system"),
        }
    }
}

impl FromStr for Actor {
    type Err = ParseActorError;

    fn from_str(text: &str) -> Result<Self, ParseActorError> {
        let refused = || ParseActorError(text.to_owned());
        match text.split_once(':') {
            Some(("web", user)) => Ok(Actor::Web(user.to_owned())),
            Some(("api", token)) => Ok(Actor::Api(token.to_owned())),
            Some(("telegram", user)) => user.parse().map(Actor::Telegram).map_err(|_| refused()),
            Some(("cli", login)) => Ok(Actor::Cli(login.to_owned())),
            Some(_) => Err(refused()),
            None => match text {
                "reconciler" => Ok(Actor::Reconciler),
                "worker" => Ok(Actor::Worker),
                "system" => Ok(Actor::System),
                _ => Err(refused()),
            },
        }
    }
}

#[cfg(test)]
mod tests;
