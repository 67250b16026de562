//! The numbers by which Telegram knows chats, people and messages, each a type of
//! its own.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! number {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number!(ChatId, "A chat: that of a person has the number of the person, a group a negative one.");
number!(UserId, "A person or a bot.");
number!(MessageId, "A message, within its chat alone.");
number!(ThreadId, "A topic of a group that has topics.");
number!(UpdateId, "An update; they grow by one.");

impl ChatId {
    /// Whether several may read along: a group, a supergroup or a channel.
    #[must_use]
    pub const fn is_group(self) -> bool {
        self.0 < 0
    }
}
