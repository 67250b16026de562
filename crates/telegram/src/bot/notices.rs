//! Messages that nobody asked for: the port `Notifier` through the bot.
//!
//! What is told, and when, is decided by the rules of the receiver; here is only where.
//! A notice goes to the chats that follow its download, or to everybody who may do
//! everything and has opened a chat with the bot.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{Mutex, oneshot};
use tokio::time::{Instant, timeout_at};
use tracing::debug;
use tracker_app::{AppError, DownloadView, TelegramRole};
use tracker_domain::ports::{Notice, Notifier, NotifyError};
use tracker_domain::{EventId, Timestamp};

use super::Shared;
use super::outbox::{About, Letter, Shown};
use super::reply::Spot;
use crate::api::Sent;
use crate::chat::{ChatId, MessageId, ThreadId};
use crate::screens::{is_settled, notice};

/// A little less than what the port allows.
const PATIENCE: Duration = Duration::from_secs(7);

/// The receiver of notices that tells them in chats, once a bot runs.
#[derive(Default)]
pub struct Notices {
    bot: OnceLock<Weak<Shared>>,
    /// Messages on their way, by the notice. A notice that comes again waits for these.
    on_their_way: Mutex<HashMap<EventId, Vec<OnItsWay>>>,
}

/// A message that was ordered.
struct OnItsWay {
    chat: ChatId,
    gone: oneshot::Receiver<Sent>,
}

impl Notices {
    /// The name that the journal knows this receiver by.
    pub const NAME: &'static str = "telegram";

    /// From now on they go through this bot.
    pub(super) fn go_through(&self, shared: &Arc<Shared>) {
        // There is one bot in a process.
        let _ = self.bot.set(Arc::downgrade(shared));
    }

    async fn tell(&self, notice: &Notice) -> Result<(), NotifyError> {
        let bot = self.bot.get().and_then(Weak::upgrade);
        let Some(shared) = bot else {
            return Err(NotifyError::Unreachable("the bot does not run".to_owned()));
        };
        let until = Instant::now() + PATIENCE;
        let mut all = self.on_their_way.lock().await;
        let mut ordered = match all.remove(&notice.first) {
            Some(ordered) => ordered,
            None => shared.order(notice).await.map_err(ours)?,
        };
        let mut refused = None;
        while let Some(mut message) = ordered.pop() {
            match timeout_at(until, &mut message.gone).await {
                Ok(Ok(_)) => {}
                // A chat that is closed to the bot wants to hear nothing.
                Ok(Err(_)) if shared.is_closed(message.chat).await.map_err(ours)? => {}
                Ok(Err(_)) => refused = Some(message.chat),
                Err(_) => {
                    ordered.push(message);
                    all.insert(notice.first, ordered);
                    let why = "a message waits for its turn".to_owned();
                    return Err(NotifyError::Unreachable(why));
                }
            }
        }
        match refused {
            Some(chat) => {
                let why = format!("a message to {chat} was dropped; the log says why");
                Err(NotifyError::Refused(why))
            }
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Notifier for Notices {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn kind(&self) -> &'static str {
        "telegram"
    }

    async fn send(&self, notice: &Notice, _: Timestamp) -> Result<(), NotifyError> {
        self.tell(notice).await
    }
}

impl std::fmt::Debug for Notices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Notices").finish_non_exhaustive()
    }
}

impl Shared {
    /// Orders one message for each chat that is told.
    async fn order(&self, about: &Notice) -> Result<Vec<OnItsWay>, AppError> {
        let download = match about.download_id {
            Some(id) => match self.app.intake.show(id).await {
                Ok(download) => Some(download),
                // It was removed meanwhile, and what it is called is in the notice.
                Err(AppError::NotFound { .. }) => None,
                Err(error) => return Err(error),
            },
            None => None,
        };
        if is_settled(about, download.as_ref()) {
            debug!(event_id = %about.first, "nobody is told of what is settled by now");
            return Ok(Vec::new());
        }
        let mut ordered = Vec::new();
        for spot in self.listeners(download.as_ref()).await? {
            let voice = self.voice_in(spot.chat).await?;
            let shown = Shown::of(&notice(&voice, about, download.as_ref()));
            let about = download.as_ref().map(|download| About {
                download: download.id,
                revision: download.revision,
                role: TelegramRole::Notice,
            });
            let Spot { chat, thread, answers } = spot;
            let gone = self.outbox.send(Letter { chat, thread, answers, shown, about });
            ordered.push(OnItsWay { chat, gone });
        }
        Ok(ordered)
    }

    /// The open chats that follow a download, or those of all who may do everything.
    async fn listeners(&self, download: Option<&DownloadView>) -> Result<Vec<Spot>, AppError> {
        let mut spots = Vec::new();
        if let Some(download) = download {
            for shown in self.app.chats.messages_of(download.id).await? {
                let chat = ChatId(shown.chat_id);
                if !self.is_closed(chat).await? {
                    spots.push(Spot {
                        chat,
                        thread: shown.thread_id.map(ThreadId),
                        answers: Some(MessageId(shown.message_id)),
                    });
                }
            }
        }
        if spots.is_empty() {
            // The chat with a person has the number of the person.
            let people: BTreeSet<i64> = self.rights.operators.iter().map(|user| user.0).collect();
            for chat in people {
                let known = self.app.chats.chat(chat).await?;
                if known.is_some_and(|known| known.closed_at.is_none()) {
                    spots.push(Spot { chat: ChatId(chat), thread: None, answers: None });
                }
            }
        }
        Ok(spots)
    }

    async fn is_closed(&self, chat: ChatId) -> Result<bool, AppError> {
        let known = self.app.chats.chat(chat.0).await?;
        Ok(known.is_some_and(|known| known.closed_at.is_some()))
    }
}

fn ours(error: AppError) -> NotifyError {
    NotifyError::Unreachable(error.to_string())
}
