//! What is said in one sentence: as the answer to a press, or as a message.

use super::voice::Voice;
use super::{Screen, plain};

/// Declares each phrase once, with its key.
macro_rules! phrases {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)+) => {
        /// A sentence that needs no view.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Phrase {
            $($(#[$doc])* $name,)+
        }

        impl Phrase {
            /// Every phrase there is.
            pub const ALL: &'static [Phrase] = &[$(Phrase::$name,)+];

            const fn key(self) -> &'static str {
                match self {
                    $(Phrase::$name => $key,)+
                }
            }
        }
    };
}

phrases! {
    /// The button is of an older revision.
    Changed = "bot-changed";
    /// What the button is about is not there.
    Gone = "bot-gone";
    /// The button is of another version of the program.
    OtherVersion = "bot-other-version";
    /// The button makes no sense.
    BadButton = "bot-bad-button";
    /// Somebody who may only look wants to change something.
    ViewerRefused = "bot-viewer-refused";
    /// Somebody writes whom nobody knows.
    Stranger = "bot-stranger";
    /// A match was accepted.
    Accepted = "bot-did-accept";
    /// What a person has said was kept.
    Said = "bot-did-say";
    /// A plan is being carried out.
    Applied = "bot-did-apply";
    /// Links were removed.
    Undone = "bot-did-undo";
    /// It is tried again.
    Retried = "bot-did-retry";
    /// It was given up.
    Cancelled = "bot-did-cancel";
    /// A message has nothing in it that can be downloaded.
    NothingFound = "bot-nothing-found";
    /// A file is larger than any `.torrent`.
    FileTooLarge = "bot-file-too-large";
    /// `/search` without a text.
    AskSearch = "bot-search-ask";
    /// `/show` without an id.
    AskShow = "bot-show-ask";
    /// `/show` with an id of no download.
    NoDownload = "bot-not-found";
    /// `/lang` without a language, or with one that is not there.
    AskLanguage = "bot-lang-ask";
    /// The language was changed.
    LanguageSet = "bot-lang-set";
}

impl Phrase {
    /// As a text.
    #[must_use]
    pub fn text(self, voice: &Voice<'_>) -> String {
        voice.say(self.key())
    }

    /// As a message.
    #[must_use]
    pub fn screen(self, voice: &Voice<'_>) -> Screen {
        let mut screen = Screen::new(voice, "/", plain(&self.text(voice)), Vec::new());
        // A sentence needs no page.
        screen.keyboard.rows.clear();
        screen
    }
}
