//! Who may use the bot, and where: what the configuration says, and nothing else.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::chat::{ChatId, ThreadId, UserId};
use crate::update::{Chat, ChatKind};

/// A group in which the bot works, or one topic of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedChat {
    /// The group.
    pub chat: ChatId,
    /// The topic; nothing where all of the group is meant.
    pub thread: Option<ThreadId>,
}

/// The text names no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write the number of a group, such as -1001234567890, or of a topic in it, such as -1001234567890/7"
)]
pub struct ParseAllowedChatError;

/// Who may use the bot, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Those who may do everything.
    pub operators: BTreeSet<UserId>,
    /// Those who may only look.
    pub viewers: BTreeSet<UserId>,
    /// The groups; with people it speaks anyway.
    pub chats: Vec<AllowedChat>,
}

/// What somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Operator,
    Viewer,
    Stranger,
}

impl Rights {
    pub(super) fn role(&self, user: UserId) -> Role {
        if self.operators.contains(&user) {
            Role::Operator
        } else if self.viewers.contains(&user) {
            Role::Viewer
        } else {
            Role::Stranger
        }
    }

    pub(super) fn may_change(&self, user: UserId) -> bool {
        self.role(user) == Role::Operator
    }

    /// Whether the bot works there. `former` are the chats that became this one.
    pub(super) fn works_in(&self, chat: &Chat, thread: Option<ThreadId>, former: &[i64]) -> bool {
        if chat.kind == ChatKind::Private {
            return true;
        }
        let same =
            |allowed: &AllowedChat| allowed.chat == chat.id || former.contains(&allowed.chat.0);
        let within = |allowed: &AllowedChat| allowed.thread.is_none() || allowed.thread == thread;
        self.chats.iter().any(|allowed| same(allowed) && within(allowed))
    }
}

impl fmt::Display for AllowedChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.thread {
            Some(thread) => write!(f, "{}/{thread}", self.chat),
            None => self.chat.fmt(f),
        }
    }
}

impl FromStr for AllowedChat {
    type Err = ParseAllowedChatError;

    fn from_str(text: &str) -> Result<Self, ParseAllowedChatError> {
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| ParseAllowedChatError);
        let (chat, thread) = match text.split_once('/') {
            Some((chat, thread)) => (number(chat)?, Some(ThreadId(number(thread)?))),
            None => (number(text)?, None),
        };
        // A positive number is that of a person, who stands elsewhere.
        if chat >= 0 {
            return Err(ParseAllowedChatError);
        }
        Ok(AllowedChat { chat: ChatId(chat), thread })
    }
}
