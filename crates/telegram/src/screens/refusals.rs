//! Why something was not done, in the words of the person.

use tracker_app::AppError;
use tracker_domain::{MagnetError, TorrentError};

use super::voice::{DETAIL, Voice, line};
use super::{Screen, plain, stacked};
use crate::text::Draft;

/// So many reasons are told of one message.
const MOST_REASONS: usize = 10;

/// Why something in a message was not accepted.
#[derive(Clone, Copy, Debug)]
pub enum Refusal<'a> {
    /// It is written like a link and is none that can be used.
    Link(&'a MagnetError),
    /// Its file is no `.torrent`.
    File(&'a TorrentError),
    /// Its file is larger than any `.torrent`.
    FileTooLarge,
    /// Telegram does not give its file.
    FileNotFetched,
    /// The service does not take it.
    Service(&'a AppError),
}

/// The answer to a message of which something was not accepted.
#[must_use]
pub fn not_accepted(voice: &Voice<'_>, refusals: &[Refusal<'_>]) -> Screen {
    let mut lines = vec![Draft::new().bold(&voice.say("bot-not-accepted"))];
    for refusal in refusals.iter().take(MOST_REASONS) {
        lines.push(plain(&match refusal {
            Refusal::Link(error) => voice.say(of_link(error)),
            Refusal::File(error) => voice.say(of_file(error)),
            Refusal::FileTooLarge => voice.say("bot-file-too-large"),
            Refusal::FileNotFetched => voice.say("bot-file-not-fetched"),
            Refusal::Service(error) => refused(voice, error),
        }));
    }
    Screen::new(voice, "/add", stacked(lines), Vec::new())
}

/// Why a service did not do what it was asked for: what it is in the language of the
/// person, and behind that what was said of it, where that names anything.
#[must_use]
pub fn refused(voice: &Voice<'_>, error: &AppError) -> String {
    let (key, says_more) = meaning(error);
    let title = voice.say(key);
    if !says_more {
        return title;
    }
    let detail = match error {
        AppError::InvalidRequest(fields) => {
            fields.iter().map(|field| field.detail.as_str()).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    };
    if detail.is_empty() {
        title
    } else {
        format!("{title} {}", line(&voice.detail(&detail), DETAIL))
    }
}

/// The key of a refusal, and whether its own words say more. Without `_`: a new one
/// needs its text first.
const fn meaning(error: &AppError) -> (&'static str, bool) {
    match error {
        AppError::InvalidRequest(_) => ("bot-refused-request", true),
        AppError::InvalidMagnet(error) => (of_link(error), false),
        AppError::InvalidTorrent(error) => (of_file(error), false),
        AppError::InvalidPin(_) => ("bot-refused-pin", false),
        AppError::UnknownField(_) => ("bot-refused-field", true),
        AppError::UnknownLibrary { .. } => ("bot-refused-library", true),
        AppError::UnknownClient { .. } => ("bot-refused-client", true),
        AppError::NotFound { .. }
        | AppError::NoEntity(_)
        | AppError::TokenNotFound { .. }
        | AppError::UserNotFound { .. }
        | AppError::ReceiverNotFound { .. }
        | AppError::WrongEntityKind { .. } => ("bot-refused-not-found", false),
        AppError::NoClient => ("bot-refused-no-client", false),
        AppError::WrongLogin | AppError::WrongLink | AppError::TooManyAttempts { .. } => {
            ("bot-refused-log-in", false)
        }
        AppError::TorrentNotFound { .. } => ("bot-refused-not-in-client", false),
        AppError::InfohashOwned { .. } => ("bot-refused-owned", true),
        AppError::IllegalTransition { .. } | AppError::Refused { .. } => {
            ("bot-refused-state", true)
        }
        AppError::BackupTarget { .. } => ("bot-refused-backups", true),
        AppError::Stale(_) => ("bot-changed", false),
        AppError::Superseded | AppError::SupersededBatch(_) => ("bot-refused-superseded", false),
        AppError::PlanChanged(_) => ("bot-refused-plan", false),
        AppError::Conflict(_) => ("bot-refused-conflict", true),
        AppError::ClientUnreachable { .. } => ("bot-refused-client-away", false),
        AppError::DiskFull => ("bot-refused-disk-full", false),
        AppError::Busy => ("bot-refused-busy", false),
        AppError::Internal(_) => ("bot-refused-fault", false),
    }
}

const fn of_link(error: &MagnetError) -> &'static str {
    match error {
        MagnetError::Empty | MagnetError::NotMagnet => "bot-link-none",
        MagnetError::TooLong(_) => "bot-link-too-long",
        MagnetError::ControlCharacter => "bot-link-broken",
        MagnetError::NoInfohash => "bot-link-without-hash",
        MagnetError::Infohash(_) | MagnetError::Escape | MagnetError::Multihash => {
            "bot-link-bad-hash"
        }
        MagnetError::TwoTorrents(_) => "bot-link-of-two",
    }
}

const fn of_file(error: &TorrentError) -> &'static str {
    match error {
        TorrentError::Html | TorrentError::Json => "bot-file-page",
        TorrentError::Link => "bot-file-link",
        TorrentError::Packed(_) => "bot-file-packed",
        TorrentError::Resume | TorrentError::Answer => "bot-file-other",
        TorrentError::TooLarge(_) => "bot-file-too-large",
        TorrentError::Empty
        | TorrentError::CutOff(_)
        | TorrentError::Hollow(_)
        | TorrentError::Bencode(_)
        | TorrentError::Missing(_)
        | TorrentError::Size => "bot-file-damaged",
    }
}
