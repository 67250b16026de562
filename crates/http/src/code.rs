//! The codes of refusals: one status, one title and one page each.

mod health;

use std::fmt;

use tracker_domain::Attention;

/// Declares each code once, with all that is fixed about it.
macro_rules! codes {
    ($($name:ident, $status:literal, $word:literal, $title:literal, $meaning:literal, $remedy:literal;)+) => {
        /// Why a request was refused. Each code has a page `/problems/{code}`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each variant is its word")]
        pub enum Code {
            $($name,)+
        }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Code] = &[$(Code::$name,)+];

            /// The word of the member `code`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $word,)+
                }
            }

            /// The status it is answered with.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self {
                    $(Code::$name => $status,)+
                }
            }

            /// What it is, the same each time.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $(Code::$name => $title,)+
                }
            }

            /// The text of its page.
            pub(crate) const fn text(self) -> Text {
                match self {
                    $(Code::$name => Text { title: $title, meaning: $meaning, remedy: $remedy },)+
                }
            }
        }
    };
}

codes! {
    InvalidRequest, 422, "invalid-request", "The request cannot be used",
        "The body is not JSON (400), or a member, parameter or header is missing, of another type or out of its range (422). The member errors of the answer names each one.",
        "Correct what errors names and send it again.";
    InvalidMagnet, 422, "invalid-magnet", "This is no usable magnet link",
        "The text is neither a magnet link with a BitTorrent infohash nor a bare infohash, or it contradicts itself.",
        "Copy the link again, whole: magnet:?xt=urn:btih:… or urn:btmh:…, or 40 or 64 hex digits, or 32 base32 characters.";
    InvalidTorrent, 422, "invalid-torrent", "This is no usable .torrent file",
        "The bytes are not a .torrent file. Often a site answered with its login page instead.",
        "Log in at the site, download the file again and hand it over unchanged.";
    InvalidPin, 422, "invalid-pin", "The pin names no title",
        "A pin says which title of a metadata source it is. This one has none of the known forms.",
        "Write tmdb:603, tmdb:tv/1399, tvmaze:82 or tt0133093, or the address of a page of TMDB, TVmaze or IMDb.";
    UnknownLibrary, 422, "unknown-library", "There is no library of that name",
        "The request names a library that is not in the configuration.",
        "Use one of the names that the answer lists, or add a [[library]] to the configuration.";
    UnknownClient, 422, "unknown-client", "There is no client of that name",
        "The request names a torrent client that is not in the configuration.",
        "Use one of the names that the answer lists, or add a [[client]] to the configuration.";
    UnknownField, 422, "unknown-field", "There is no field of that name",
        "The request sets a field of a download that cannot be set.",
        "Use title, year, kind, season, episode_offset, numbering, edition, library or candidate, or file.<index>. with season, episodes, part or skip.";
    Unauthorised, 401, "unauthorised", "A login or a token is needed",
        "The request has no token and no session, or one that is unknown, revoked or over. A token in the query is never read.",
        "In a browser log in at /login. A program sends Authorization: Bearer … or X-Api-Key; the first token is in the file api-token of the data directory, and tracker token new makes another.";
    Forbidden, 403, "forbidden", "The token does not reach that far",
        "The token is good, but its scope does not allow this: read only looks, write works with downloads as well, and tokens, sessions, the deletion of backups and messages to receivers need admin.",
        "Use a token of a wider scope; tracker token new NAME --scope makes one, and tracker token list shows the scopes.";
    CrossSite, 403, "cross-site", "The request comes from another site",
        "A change that a browser sends with its session must come from a page of this very address, so that no other site can act in a person's name. The headers Origin, Sec-Fetch-Site and Referer say where it comes from; a program without a browser sends none of them and uses a token.",
        "Open the page here and send the form again. Behind a proxy let it pass the header Host on unchanged with its port, or set X-Forwarded-Host and name the proxy in http.trusted_proxies.";
    UnknownHost, 421, "unknown-host", "This is not known as a name of this machine",
        "Browsers are answered at an IP address, at localhost and at the names in http.hosts only. Otherwise a foreign site could let its own name point here and read what it likes.",
        "Add the name to http.hosts in the configuration and restart, or use the IP address.";
    TooManyAttempts, 429, "too-many-attempts", "Too many logins were tried",
        "Logins are counted for each account and for each address. The header Retry-After says when the next one is possible.",
        "Wait that long. Where somebody else tries passwords, tracker user login-link on the machine itself lets you in.";
    NotFound, 404, "not-found", "There is no such thing",
        "Nothing has that id or address. An id has 26 letters and digits; a text that is no id is answered in the same way.",
        "Look whether the id was copied whole. The search and tracker show find an entity of any kind.";
    WrongEntityKind, 404, "wrong-entity-kind", "The id belongs to something else",
        "The id exists, but it is that of another kind of entity. The members kind and url say which and where.",
        "Go to the address in url.";
    MethodNotAllowed, 405, "method-not-allowed", "The method is not possible here",
        "The address exists, but not with this method.",
        "Use a method that the header Allow lists; /api/v1/openapi.json describes each.";
    InfohashOwned, 409, "infohash-owned", "Another active download has this infohash",
        "At most one active download may own an infohash. The download was not started again, or was stopped, since another one that is active owns one of its infohashes.",
        "Look at the other download (owner_id). Cancel it, or wait until it is done, and retry.";
    IllegalTransition, 409, "illegal-transition", "Not possible in this state",
        "The state that the download, the job or the backup is in does not allow what was asked. Nothing was changed.",
        "Look at its state; the answer says what is possible.";
    Stale, 409, "stale", "It changed meanwhile",
        "The request says which revision it was made for (If-Match), and the download has another one now. Nothing was changed.",
        "Look at the member download, which is how it is now, and send the request again if it still holds.";
    PlanChanged, 409, "plan-changed", "The plan is another one by now",
        "The files, the match or the library changed since the plan was shown. Nothing was changed. The member plan is how it is now.",
        "Look at the new plan and send the request again with its id.";
    Conflict, 409, "conflict", "Something is in the way",
        "A name in the library is taken by another file, or two files of the torrent would get one name. Nothing was changed. The member conflicts of a refusal lists each one; its review and tracker plan show them as well.",
        "Say on its review for each target: keep what is there, replace it (it goes to the trash of the batch, and Undo brings it back), or other-name; tracker apply takes one of these with --on-conflict. Or correct the match, and retry.";
    Superseded, 409, "superseded", "A newer one took its place",
        "The files were recognised again, or linked again, so the match or the batch that the request speaks of does not count any more. Nothing was changed.",
        "Look at the recognition or the batches of the download as they are now, and decide on that. Of a batch, the member batch_id names the newer one.";
    PayloadTooLarge, 413, "payload-too-large", "The body is too large",
        "A .torrent file may have 10 MiB, a JSON body 128 KiB.",
        "Hand over a magnet link instead of a file that large.";
    UnsupportedMediaType, 415, "unsupported-media-type", "The body has another media type",
        "The header Content-Type is missing or names a type that this address does not take.",
        "Send Content-Type: application/json, or application/x-bittorrent for a .torrent file.";
    InternalError, 500, "internal-error", "Something went wrong here",
        "The fault is not in the request. The log has the whole story under the id in the member instance.",
        "Try again. If it stays, look for the request id in the log.";
    ClientUnreachable, 503, "client-unreachable", "The torrent client does not answer",
        "The torrent client cannot be asked now. Downloads that were accepted are kept and go on by themselves when it is back.",
        "Start the client, and look at address, user and password in the configuration. /api/v1/health says what was tried.";
    BackupTarget, 503, "backup-target-unreachable", "The place of the backups does not do it",
        "The folder or the object store that backups are put to cannot be reached, refuses access, or is full. The check backup-target of health and the log say which. Nothing else waits for it.",
        "Mount the disk, make room, or correct target and keys of [backup], and try again.";
    DiskFull, 507, "data-dir-full", "The disk of the data directory is full",
        "Nothing can be written down, so nothing was done; what was accepted before is kept.",
        "Make room on the disk of the data directory, and send the request again.";
    NotReady, 503, "not-ready", "Not ready yet",
        "The database is not open yet, is being migrated, or the workers have not started; or another program keeps it for longer than 10 seconds, so that nothing could be written down. Nothing was changed.",
        "Wait a moment and try again. Where it stays, look for what works on the database, such as a copy or a check by hand.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a page says about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) title: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) remedy: &'static str,
}

/// The text of any code that may stand in an answer: of a refusal, of an
/// attention, of a failed download, of a health check.
pub(crate) fn text_of(code: &str) -> Option<Text> {
    if let Some(code) = Code::ALL.iter().find(|known| known.as_str() == code) {
        return Some(code.text());
    }
    if let Ok(attention) = code.parse::<Attention>() {
        return Some(attention_text(attention));
    }
    refusal_to_come(code).or_else(|| health::text_of(code))
}

/// Refusals of parts that come later. Their pages are there already, since a
/// program may meet the code at a newer daemon and look it up here.
fn refusal_to_come(code: &str) -> Option<Text> {
    Some(match code {
        "legacy-state" => text(
            "A state of a former version",
            "The download comes from a former version and was in a state that does not exist any more. Its old word stands in the detail.",
            "Retry it, or leave it as it is.",
        ),
        _ => return None,
    })
}

const fn text(title: &'static str, meaning: &'static str, remedy: &'static str) -> Text {
    Text { title, meaning, remedy }
}

/// The text about an attention. Without `_`: a new one needs its text first.
#[expect(clippy::too_many_lines, reason = "a table of texts, one arm a code")]
const fn attention_text(attention: Attention) -> Text {
    match attention {
        Attention::NeedsReview => text(
            "A person should say what it is",
            "The names do not say plainly enough what this is, so nothing was linked.",
            "Press Review beside it and choose what it is; where nothing fits, name the title or correct the fields there. On the command line tracker review with the id shows the choice, and tracker hint, tracker override or tracker ingest --pin say it. It is recognised again by itself.",
        ),
        Attention::NoMetadata => text(
            "Nobody has sent the file list",
            "A magnet link has only a hash. Nobody who has the rest answered for long.",
            "Wait for a seed, or cancel it and hand over the .torrent file, or a link with more trackers.",
        ),
        Attention::MetadataUnavailable => text(
            "The metadata source cannot be asked",
            "The service that knows titles does not answer, or refuses the token.",
            "Look at its address and token in the configuration. It goes on by itself when the source answers; meanwhile its review, or tracker accept, takes what the names say.",
        ),
        Attention::Stalled => text(
            "No bytes have come for long",
            "The client wants data and nobody sends any.",
            "Wait for a seed, or cancel it and take another release.",
        ),
        Attention::ClientUnknown => text(
            "Its client is not in the configuration",
            "The download belongs to a client whose name is not in the configuration any more.",
            "Add the [[client]] again under its old name, or retry with another client.",
        ),
        Attention::ClientError => text(
            "The client reports an error",
            "The torrent client shows this torrent as broken. The detail has its words.",
            "Look at the torrent in the client, mend it there, then retry.",
        ),
        Attention::ClientRejected => text(
            "The client refuses it",
            "The torrent client does not take this torrent, and would not take it the next time.",
            "Read the detail. Hand over the .torrent file instead of the link, or use another client.",
        ),
        Attention::ClientCannotV2 => text(
            "The client cannot do BitTorrent v2",
            "The link has a v2 infohash only, and this version of the client knows v1 only.",
            "Update the client, or use a link with a v1 infohash.",
        ),
        Attention::ClientMissing => text(
            "It is gone from the client",
            "The torrent was removed from the client before it was complete.",
            "Retry adds it again. If it was removed on purpose, leave it as it is.",
        ),
        Attention::GoneFromClient => text(
            "It is gone from the client after it was complete",
            "The torrent was removed from the client. Links in the library stay as they are.",
            "Nothing has to be done, unless it should go on seeding: then add it again.",
        ),
        Attention::DiskFull => text(
            "There is too little space",
            "The disk has less free space than this needs.",
            "Free some space, then retry.",
        ),
        Attention::PathUnmapped => text(
            "The client's path cannot be found here",
            "The client says where the files are, but under a path that does not exist on this side.",
            "Add a path_map to the [[client]], from the client's path to the one here, then retry.",
        ),
        Attention::SourceMissing => text(
            "A file is not where the client says",
            "A file of the download was not found at its place.",
            "Look whether the disk is mounted and the file was moved; let the client check the torrent, then retry.",
        ),
        Attention::SourceChanged => text(
            "A file changed after it was linked",
            "A file of the download is not the one that was linked.",
            "Let the client check the torrent, then link it again.",
        ),
        Attention::LinkFailed => text(
            "A link could not be made",
            "The detail names the system's error, the source and the target. EXDEV means that both are on different file systems, which a hard link cannot cross. It is also told where the root of the library is missing, which may be a disk that is not mounted.",
            "Mount the disk or make the root of the library, put downloads and library on one file system and under one mount, look at the rights of the target folder. It is tried again by itself when the library is well; after another mending press Retry beside it, or run tracker retry with the id. Where a link that stood is missing or another file by now, apply the plan again, or undo the batch.",
        ),
        Attention::Conflict => Code::Conflict.text(),
        Attention::Archive => text(
            "The media is packed",
            "The download has archives and no media file that could be linked.",
            "Unpack it yourself, or take a release that is not packed.",
        ),
        Attention::UnsafeContent => text(
            "It carries a program",
            "Beside or instead of media there is a program or a shortcut, which is how malware is spread.",
            "Do not open it. Cancel the download and take another release.",
        ),
        Attention::NotMedia => text(
            "There is no media in it",
            "None of the files is a film, an episode or another medium that the library takes.",
            "Nothing has to be done if that was meant. Else look whether the link is the right one.",
        ),
        Attention::InfohashOwned => Code::InfohashOwned.text(),
        Attention::MergeDiffers => text(
            "Two downloads were one torrent",
            "Two downloads turned out to be the same torrent and were merged. A person had said different things about them; the older one's word was kept.",
            "Look at the detail and correct what should be different.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use tracker_domain::Attention;
    use tracker_domain::health::CHECKS;

    use super::{Code, text_of};

    const LATER: &[&str] = &["legacy-state"];

    #[test]
    fn every_code_has_a_text_of_its_own() {
        let mut titles = std::collections::BTreeSet::new();
        for code in Code::ALL {
            let text = text_of(code.as_str()).expect("a code has a text");
            assert_eq!(text.title, code.title());
            assert!(titles.insert(text.title), "{code} shares its title");
        }
        for attention in Attention::ALL {
            let text = text_of(attention.as_str()).expect("an attention has a text");
            let one_page = matches!(attention, Attention::InfohashOwned | Attention::Conflict);
            let own = titles.insert(text.title) || one_page;
            assert!(own, "{attention} shares its title");
        }
        for code in LATER.iter().chain(CHECKS) {
            let text = text_of(code).expect("it has a text");
            // A check and a refusal may be one matter, with one page.
            let one_page = Code::ALL.iter().any(|known| known.as_str() == *code);
            let own = titles.insert(text.title) || one_page;
            assert!(own, "{code} shares its title");
        }
        assert_eq!(text_of("no-such-code"), None);
    }
}
