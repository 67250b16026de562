//! The bot: it reads what people write and press, asks the services, and shows
//! downloads in chats.
//!
//! Whatever fails here ends here: nothing of the daemon waits for it or stops with it.
//! What it has to know after any end of the process is in rows; what it keeps in memory
//! is on its way to Telegram.

mod cards;
mod commands;
mod follow;
mod hand_over;
mod handle;
mod notices;
mod outbox;
mod poll;
mod press;
mod reply;
mod rights;
mod take;
mod trouble;
mod webhook;

use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::info;
use tracker_app::{App, AppError, BatchView, CandidateView, DownloadView, RecognitionView};
use tracker_domain::DownloadId;
use tracker_domain::access::Language;
use tracker_domain::health::Level;
use tracker_i18n::{Catalogue, Zone};
use url::Url;

use crate::api::{BotApi, BotApiConfig, BotApiConfigError, BotError};
use crate::chat::{ChatId, UserId};
use crate::screens::{Pages, Subject, Voice};
use outbox::Outbox;
use webhook::Webhook;

pub use notices::Notices;
pub use rights::{AllowedChat, ParseAllowedChatError, Rights};
pub use webhook::WebhookSettings;

/// Everything that the bot needs to know.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// How the Bot API is reached.
    pub api: BotApiConfig,
    /// Who may use it, and where.
    pub rights: Rights,
    /// All texts.
    pub texts: Arc<Catalogue>,
    /// The language of groups, and of people whose own is none of ours.
    pub language: Language,
    /// The time zone that moments are told in.
    pub zone: Zone,
    /// Where people open the pages, where that is known.
    pub page_url: Option<Url>,
    /// What is told in chats without being asked for.
    pub notices: Arc<Notices>,
    /// How updates are brought to it; without this it asks for them.
    pub webhook: Option<WebhookSettings>,
}

/// A bot that is set up and does not run yet.
pub struct Bot {
    shared: Arc<Shared>,
    orders: mpsc::UnboundedReceiver<outbox::Order>,
    webhook: Option<Webhook>,
}

/// What all parts of the bot use.
struct Shared {
    app: App,
    api: BotApi,
    rights: Rights,
    texts: Arc<Catalogue>,
    language: Language,
    zone: Zone,
    pages: Option<Pages>,
    outbox: Outbox,
    /// Its name after the `@`, once Telegram has told it.
    name: RwLock<Option<String>>,
}

/// A download with what belongs to it.
struct Dossier {
    download: DownloadView,
    recognition: RecognitionView,
    candidates: Vec<CandidateView>,
    batches: Vec<BatchView>,
    has_sources: bool,
}

impl Bot {
    /// Checks the settings; calls nobody yet. Where they cannot be used, health says so.
    ///
    /// # Errors
    /// When the address or the token cannot be used, or TLS cannot be set up.
    pub fn new(settings: &BotSettings, app: App) -> Result<Self, BotApiConfigError> {
        let api = BotApi::new(&settings.api).inspect_err(|error| {
            let remedy = "correct [telegram] in the configuration, then restart";
            app.chats.report("telegram-setup", Level::Error, error.to_string(), remedy);
        })?;
        let (sender, orders) = mpsc::unbounded_channel();
        let shared = Shared {
            app,
            api,
            rights: settings.rights.clone(),
            texts: Arc::clone(&settings.texts),
            language: settings.language,
            zone: settings.zone.clone(),
            pages: settings.page_url.as_ref().and_then(Pages::new),
            outbox: Outbox::new(sender),
            name: RwLock::default(),
        };
        let shared = Arc::new(shared);
        settings.notices.go_through(&shared);
        let webhook = settings.webhook.as_ref().map(Webhook::new);
        Ok(Bot { shared, orders, webhook })
    }

    /// Runs until `stop`. What is broken off then is found again at the next start.
    pub async fn run(self, stop: CancellationToken) {
        let Bot { shared, orders, webhook } = self;
        info!("the bot begins");
        let coming_in = async {
            match &webhook {
                Some(webhook) => webhook::receive(&shared, webhook, &stop).await,
                None => poll::read(&shared, &stop).await,
            }
        };
        tokio::join!(
            outbox::deliver(&shared, orders, &stop),
            coming_in,
            follow::follow(&shared, &stop),
        );
    }
}

impl std::fmt::Debug for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bot").finish_non_exhaustive()
    }
}

impl Shared {
    /// How somebody is spoken to who wrote or pressed.
    async fn voice_for(&self, user: UserId, may_change: bool) -> Result<Voice<'_>, AppError> {
        let language = self.app.chats.language(user.0).await?.unwrap_or(self.language);
        Ok(self.voice(language, may_change))
    }

    fn voice(&self, language: Language, may_change: bool) -> Voice<'_> {
        Voice {
            texts: &self.texts,
            language,
            zone: &self.zone,
            pages: self.pages.as_ref(),
            may_change,
            now: self.app.chats.now(),
        }
    }

    /// How is spoken in a chat, where nobody in particular has asked.
    async fn voice_in(&self, chat: ChatId) -> Result<Voice<'_>, AppError> {
        if chat.is_group() {
            return Ok(self.voice(self.language, true));
        }
        // The chat with a person has the number of the person.
        let user = UserId(chat.0);
        self.voice_for(user, self.rights.may_change(user)).await
    }

    async fn dossier(&self, id: DownloadId) -> Result<Dossier, AppError> {
        Ok(Dossier {
            download: self.app.intake.show(id).await?,
            recognition: self.app.review.recognition(id).await?,
            candidates: self.app.review.candidates(id).await?.items,
            batches: self.app.library.batches(id).await?,
            has_sources: self.app.search.has_sources(),
        })
    }

    /// Learns its own name, and offers its commands, once.
    async fn introduce(&self) -> Result<(), BotError> {
        if self.name().is_none() {
            let me = self.api.me().await?;
            info!(name = me.username, "the bot is known to Telegram");
            self.set_name(me.username);
            self.offer_commands().await;
        }
        Ok(())
    }

    fn name(&self) -> Option<String> {
        self.name.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_name(&self, name: Option<String>) {
        *self.name.write().unwrap_or_else(PoisonError::into_inner) = name;
    }
}

impl Dossier {
    fn subject(&self) -> Subject<'_> {
        Subject {
            download: &self.download,
            recognition: &self.recognition,
            candidates: &self.candidates,
            batches: &self.batches,
            has_sources: self.has_sources,
        }
    }
}

#[cfg(test)]
mod tests;
