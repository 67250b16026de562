//! Commands: each asks a service and shows what comes back.

use tracing::{debug, warn};
use tracker_app::{AppError, EventQuery};
use tracker_domain::DownloadId;
use tracker_domain::access::Language;

use super::Shared;
use super::handle::name_of;
use super::reply::{Spot, gone};
use crate::api::Command;
use crate::screens::{self, Phrase, Refusal, Screen, Voice};
use crate::update::{Message, User};

/// So many entries of the journal are told.
const EVENTS: u32 = 20;

/// A command, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written<'a> {
    pub name: &'a str,
    /// The bot that is meant, where one is named.
    pub bot: Option<&'a str>,
    pub rest: &'a str,
}

impl<'a> Written<'a> {
    /// The command at the front of a text.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let text = text.strip_prefix('/')?;
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let (name, bot) = match word.split_once('@') {
            Some((name, bot)) => (name, Some(bot)),
            None => (word, None),
        };
        Some(Written { name, bot, rest: rest.trim() })
    }
}

impl Shared {
    /// Does what a command asks for. Tells whether there is nothing more in the
    /// message: what is no command of ours may be in front of a link.
    pub(super) async fn command(
        &self,
        message: &Message,
        user: &User,
        spot: Spot,
        voice: Voice<'_>,
    ) -> Result<bool, AppError> {
        let Some(written) = Written::read(&message.text) else { return Ok(false) };
        let own = self.name().unwrap_or_default();
        if written.bot.is_some_and(|bot| !bot.eq_ignore_ascii_case(&own)) {
            debug!("a command is for another bot");
            return Ok(true);
        }
        let screen = match written.name {
            "start" | "help" => screens::help(&voice),
            "list" => screens::list(&voice, &self.app.inbox.overview().await?),
            "show" => return self.show(written.rest, spot, voice).await.map(|()| true),
            "search" => self.search(written.rest, &voice).await?,
            "health" => screens::health(&voice, &self.app.ops.health().await),
            "events" => {
                let query = EventQuery { limit: Some(EVENTS), ..EventQuery::default() };
                screens::events(&voice, &self.app.journal.events(query).await?.items)
            }
            "lang" => self.choose_language(written.rest, user, voice).await?,
            _ => return Ok(false),
        };
        gone([self.say(spot, &screen)]).await;
        Ok(true)
    }

    /// Offers the commands to people, in their language. That it fails keeps nobody from
    /// writing them.
    pub(super) async fn offer_commands(&self) {
        for language in [None, Some(Language::En), Some(Language::Ru)] {
            let voice = self.voice(language.unwrap_or(self.language), true);
            let told = screens::commands(&voice);
            let offered: Vec<Command<'_>> =
                told.iter().map(|(name, about)| Command { name, about }).collect();
            if let Err(error) =
                self.api.set_commands(&offered, language.map(Language::as_str)).await
            {
                warn!(%error, "the commands are not offered");
            }
        }
    }

    async fn show(&self, text: &str, spot: Spot, voice: Voice<'_>) -> Result<(), AppError> {
        let id: Option<DownloadId> = text.parse().ok();
        let phrase = match id {
            None if text.is_empty() => Phrase::AskShow,
            None => Phrase::NoDownload,
            Some(id) => match self.dossier(id).await {
                Ok(dossier) => return self.show_status(spot, &voice, &dossier).await,
                Err(AppError::NotFound { .. } | AppError::WrongEntityKind { .. }) => {
                    Phrase::NoDownload
                }
                Err(error) => return Err(error),
            },
        };
        gone([self.say(spot, &phrase.screen(&voice))]).await;
        Ok(())
    }

    async fn search(&self, text: &str, voice: &Voice<'_>) -> Result<Screen, AppError> {
        if text.is_empty() {
            return Ok(Phrase::AskSearch.screen(voice));
        }
        match self.app.search.find(text).await {
            Ok(found) => Ok(screens::search(voice, text, &found)),
            Err(error @ AppError::Internal(_)) => Err(error),
            Err(error) => Ok(screens::not_accepted(voice, &[Refusal::Service(&error)])),
        }
    }

    async fn choose_language(
        &self,
        text: &str,
        user: &User,
        voice: Voice<'_>,
    ) -> Result<Screen, AppError> {
        let Ok(language) = text.to_ascii_lowercase().parse::<Language>() else {
            return Ok(Phrase::AskLanguage.screen(&voice));
        };
        self.app.chats.set_language(user.id.0, name_of(user), language).await?;
        Ok(Phrase::LanguageSet.screen(&Voice { language, ..voice }))
    }
}
