//! One update: who says it, whether they may, and whose it is.

use tracing::{debug, info, warn};
use tracker_app::AppError;

use super::Shared;
use super::reply::{Spot, gone};
use super::rights::Role;
use crate::chat::ThreadId;
use crate::screens::Phrase;
use crate::update::{Chat, ChatKind, EntityKind, Message, Press, Update, UpdateKind, User};

impl Shared {
    /// Handles an update; it may be one that was begun before.
    pub(super) async fn handle(&self, update: Update) -> Result<(), AppError> {
        match update.kind {
            UpdateKind::Message(message) => self.handle_message(&message).await,
            UpdateKind::Press(press) => self.handle_press(&press).await,
            UpdateKind::Ignored => Ok(()),
            UpdateKind::Unknown => {
                warn!(update = update.id.0, "an update is of unknown kind or shape");
                Ok(())
            }
        }
    }

    async fn handle_message(&self, message: &Message) -> Result<(), AppError> {
        let chat = &message.chat;
        if let Some(to) = message.migrated_to {
            info!(chat = chat.id.0, became = to.0, "a group became another chat");
            return self.app.chats.became(chat.id.0, to.0).await;
        }
        let Some(user) = message.from.as_ref().filter(|user| !user.is_bot) else { return Ok(()) };
        if !self.works_in(chat, message.thread).await? {
            debug!(chat = chat.id.0, "a message is in a chat that is not allowed");
            return Ok(());
        }
        let role = self.rights.role(user.id);
        let spot = Spot { chat: chat.id, thread: message.thread, answers: Some(message.id) };
        if role == Role::Stranger {
            return self.refuse(spot, chat, user).await;
        }
        self.app.chats.meet(chat.id.0, kind_word(chat.kind), chat.title.clone()).await?;
        self.learn_language(user).await?;
        let may_change = role == Role::Operator;
        let voice = self.voice_for(user.id, may_change).await?;
        let is_command = |kind: &EntityKind| *kind == EntityKind::Command;
        let first = message.entities.iter().find(|entity| entity.offset == 0);
        if first.is_some_and(|entity| is_command(&entity.kind))
            && self.command(message, user, spot, voice).await?
        {
            return Ok(());
        }
        self.hand_over(message, user, spot, voice).await
    }

    async fn handle_press(&self, press: &Press) -> Result<(), AppError> {
        let role = self.rights.role(press.from.id);
        let works = match &press.chat {
            Some(chat) => self.works_in(chat, press.thread).await?,
            None => true,
        };
        if !works || role == Role::Stranger {
            let name = name_of(&press.from);
            let first = self.app.chats.refuse_once(press.from.id.0, name).await?;
            let voice = self.voice_for(press.from.id, false).await?;
            let text = first.then(|| Phrase::Stranger.text(&voice));
            if first {
                warn!(user = press.from.id.0, "a stranger pressed a button and is refused");
            }
            self.answer_press(&press.id, text.as_deref(), true).await;
            return Ok(());
        }
        let voice = self.voice_for(press.from.id, role == Role::Operator).await?;
        self.pressed(press, voice).await
    }

    /// Whether the bot works in a chat, or in the one that became it.
    async fn works_in(&self, chat: &Chat, thread: Option<ThreadId>) -> Result<bool, AppError> {
        let former = match chat.kind {
            ChatKind::Private => Vec::new(),
            _ => self.app.chats.former(chat.id.0).await?,
        };
        Ok(self.rights.works_in(chat, thread, &former))
    }

    /// People in a group speak with each other as well; to those alone it is said.
    async fn refuse(&self, spot: Spot, chat: &Chat, user: &User) -> Result<(), AppError> {
        if chat.kind != ChatKind::Private
            || !self.app.chats.refuse_once(user.id.0, name_of(user)).await?
        {
            return Ok(());
        }
        warn!(user = user.id.0, "a stranger wrote to the bot and is refused");
        let voice = self.voice_for(user.id, false).await?;
        gone([self.say(spot, &Phrase::Stranger.screen(&voice))]).await;
        Ok(())
    }

    /// The language of a person's program is theirs until they choose another one.
    async fn learn_language(&self, user: &User) -> Result<(), AppError> {
        let chats = &self.app.chats;
        let code = user.language_code.as_deref().unwrap_or_default();
        let spoken = code.split('-').next().unwrap_or_default();
        match spoken.parse() {
            Ok(language) if chats.language(user.id.0).await?.is_none() => {
                chats.set_language(user.id.0, name_of(user), language).await
            }
            _ => Ok(()),
        }
    }
}

/// What a person calls themselves.
pub(super) fn name_of(user: &User) -> String {
    match &user.last_name {
        Some(last) => format!("{} {last}", user.first_name),
        None => user.first_name.clone(),
    }
}

const fn kind_word(kind: ChatKind) -> &'static str {
    match kind {
        ChatKind::Private => "private",
        ChatKind::Group => "group",
        ChatKind::Supergroup => "supergroup",
        ChatKind::Channel => "channel",
        ChatKind::Other => "other",
    }
}
