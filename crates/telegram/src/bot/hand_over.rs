//! What a message hands over goes to the intake; each download is shown in a message
//! that answers it, and follows it from then on.

use std::time::Duration;

use tokio::time::sleep;
use tracing::{debug, warn};
use tracker_app::{AppError, IngestOptions, IngestRequest, MAX_HINT, Said, Source};
use tracker_domain::metadata::Pin;
use tracker_domain::torrent::{MAX_TORRENT_BYTES, Torrent, TorrentError};
use tracker_domain::{Actor, DownloadId, MagnetError};

use super::Shared;
use super::reply::{Spot, gone};
use crate::api::BotError;
use crate::intake::read_intake;
use crate::screens::{Phrase, Refusal, Voice, not_accepted, taken};
use crate::update::{ChatKind, Document, Message, User};

/// How often a file is asked for, and how long between.
const TRIES: u32 = 3;
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// Why something was not taken.
enum NotTaken {
    Link(MagnetError),
    File(TorrentError),
    FileTooLarge,
    FileNotFetched,
    Service(AppError),
}

impl NotTaken {
    fn refusal(&self) -> Refusal<'_> {
        match self {
            NotTaken::Link(error) => Refusal::Link(error),
            NotTaken::File(error) => Refusal::File(error),
            NotTaken::FileTooLarge => Refusal::FileTooLarge,
            NotTaken::FileNotFetched => Refusal::FileNotFetched,
            NotTaken::Service(error) => Refusal::Service(error),
        }
    }
}

impl Shared {
    /// Takes what a message hands over, or what it says of a download.
    pub(super) async fn hand_over(
        &self,
        message: &Message,
        user: &User,
        spot: Spot,
        voice: Voice<'_>,
    ) -> Result<(), AppError> {
        let found = read_intake(&message.text, &message.entities);
        let mut refused: Vec<NotTaken> = found.refused.into_iter().map(NotTaken::Link).collect();
        let magnets = found.found.into_iter().map(|magnet| Source::Magnet(Box::new(magnet)));
        let mut sources: Vec<Source> = magnets.collect();
        let file = message.document.as_ref().filter(|document| is_torrent(document));
        if sources.is_empty() && refused.is_empty() && file.is_none() {
            return self.said_or_nothing(message, user, spot, voice).await;
        }
        if !voice.may_change {
            gone([self.say(spot, &Phrase::ViewerRefused.screen(&voice))]).await;
            return Ok(());
        }
        if let Some(document) = file {
            match self.torrent(document).await {
                Ok(torrent) => sources.push(Source::Torrent(Box::new(torrent))),
                Err(why) => refused.push(why),
            }
        }
        let hint = found.hint.map(|hint| hint.chars().take(MAX_HINT).collect::<String>());
        let mut answers = Vec::new();
        for source in sources {
            let options = IngestOptions { hint: hint.clone(), ..IngestOptions::default() };
            let request = IngestRequest { source, options };
            let actor = Actor::Telegram(user.id.0);
            let ingested = match self.app.intake.ingest(request, &actor).await {
                Ok(ingested) => ingested,
                // Ours to mend: the update comes again.
                Err(error) if error.is_ours() => return Err(error),
                Err(error) => {
                    refused.push(NotTaken::Service(error));
                    continue;
                }
            };
            let dossier = self.dossier(ingested.download.id).await?;
            if !self.is_answered(spot, &dossier).await? {
                let hint = hint.as_deref();
                let screen = taken(&voice, &dossier.subject(), ingested.created, hint);
                answers.push(self.show_new(spot, &dossier, &screen));
            }
        }
        if !refused.is_empty() {
            let told: Vec<Refusal<'_>> = refused.iter().map(NotTaken::refusal).collect();
            answers.push(self.say(spot, &not_accepted(&voice, &told)));
        }
        gone(answers).await;
        Ok(())
    }

    async fn torrent(&self, document: &Document) -> Result<Torrent, NotTaken> {
        let size = document.file_size.and_then(|size| usize::try_from(size).ok());
        if size.is_some_and(|size| size > MAX_TORRENT_BYTES) {
            return Err(NotTaken::FileTooLarge);
        }
        let mut tries = 1;
        let bytes = loop {
            match self.api.fetch(&document.file_id, MAX_TORRENT_BYTES).await {
                Ok(bytes) => break bytes,
                Err(BotError::FileTooBig) => return Err(NotTaken::FileTooLarge),
                Err(error @ (BotError::Network(_) | BotError::Server(_))) if tries < TRIES => {
                    debug!(%error, "a file is asked for again");
                    tries += 1;
                    sleep(BETWEEN_TRIES).await;
                }
                Err(error) => {
                    warn!(%error, "a file cannot be fetched from Telegram");
                    return Err(NotTaken::FileNotFetched);
                }
            }
        };
        Torrent::parse(&bytes).map_err(NotTaken::File)
    }

    /// A message without a torrent: an answer to one of the bot says what its download
    /// is. What else people write in a group is not for the bot.
    async fn said_or_nothing(
        &self,
        message: &Message,
        user: &User,
        spot: Spot,
        voice: Voice<'_>,
    ) -> Result<(), AppError> {
        let answered = match message.reply_to {
            Some(to) => self.app.chats.message(message.chat.id.0, to.0).await?,
            None => None,
        };
        let phrase = match answered {
            Some(_) if !voice.may_change => Phrase::ViewerRefused,
            Some(shown) if !message.text.trim().is_empty() => {
                return self.say_of(shown.download_id, &message.text, user, spot, voice).await;
            }
            _ if message.chat.kind != ChatKind::Private => return Ok(()),
            _ => Phrase::NothingFound,
        };
        gone([self.say(spot, &phrase.screen(&voice))]).await;
        Ok(())
    }

    /// Keeps what a person says that a download is: a work, or anything in free text.
    async fn say_of(
        &self,
        id: DownloadId,
        text: &str,
        user: &User,
        spot: Spot,
        voice: Voice<'_>,
    ) -> Result<(), AppError> {
        // `it is this one: https://…`; what is beside a pin tells nothing more.
        let pin = text.split_whitespace().find_map(|word| word.parse::<Pin>().ok());
        let said = match pin {
            Some(pin) => Said {
                fields: vec![("candidate".to_owned(), Some(pin.to_string()))],
                ..Said::default()
            },
            None => {
                Said { hint: Some(text.trim().chars().take(MAX_HINT).collect()), ..Said::default() }
            }
        };
        let actor = Actor::Telegram(user.id.0);
        let screen = match self.app.review.say(id, said, None, &actor).await {
            Ok(()) => Phrase::Said.screen(&voice),
            Err(error) if error.is_ours() => return Err(error),
            Err(error) => not_accepted(&voice, &[Refusal::Service(&error)]),
        };
        gone([self.say(spot, &screen)]).await;
        Ok(())
    }
}

fn is_torrent(document: &Document) -> bool {
    let name = document.file_name.as_deref().unwrap_or_default().to_ascii_lowercase();
    name.ends_with(".torrent") || document.mime_type.as_deref() == Some("application/x-bittorrent")
}
