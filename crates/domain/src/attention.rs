//! What a person may have to look at: stands beside the state, never in it.

use std::fmt;
use std::str::FromStr;

/// Declares the codes once: variant, word, and whether it goes with `failed`.
macro_rules! attentions {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)+) => {
        /// Why a download needs a look. Each code has a page `/problems/{code}`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Attention {
            $($(#[$doc])* $name,)+
        }

        impl Attention {
            /// Every code there is.
            pub const ALL: &'static [Attention] = &[$(Attention::$name,)+];

            /// The word of the column and of REST.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Attention::$name => $word,)+
                }
            }
        }
    };
}

attentions! {
    /// A person should say what it is.
    NeedsReview = "needs-review";
    /// Nobody has sent the metadata for long.
    NoMetadata = "no-metadata";
    /// The metadata source cannot be asked.
    MetadataUnavailable = "metadata-unavailable";
    /// No bytes have come for long.
    Stalled = "stalled";
    /// Its client is not in the configuration.
    ClientUnknown = "client-unknown";
    /// The client reports an error for it.
    ClientError = "client-error";
    /// The client refuses it for good.
    ClientRejected = "client-rejected";
    /// The client cannot do BitTorrent v2.
    ClientCannotV2 = "client-cannot-v2";
    /// It vanished from the client before it was complete.
    ClientMissing = "client-missing";
    /// It vanished from the client after it was complete.
    GoneFromClient = "gone-from-client";
    /// There is less space than it needs.
    DiskFull = "disk-full";
    /// The client's path cannot be found here.
    PathUnmapped = "path-unmapped";
    /// A file of the payload is not where the client says.
    SourceMissing = "source-missing";
    /// The payload changed after it was linked.
    SourceChanged = "source-changed";
    /// A link could not be made.
    LinkFailed = "link-failed";
    /// Something stands where a link should go.
    Conflict = "conflict";
    /// The media is packed in an archive.
    Archive = "archive";
    /// It carries a program or bait.
    UnsafeContent = "unsafe-content";
    /// There is no media in it.
    NotMedia = "not-media";
    /// Another active download owns one of its hashes.
    InfohashOwned = "infohash-owned";
    /// Two downloads were merged and a person had said different things.
    MergeDiffers = "merge-differs";
}

impl Attention {
    /// Whether it stands with `failed`; the others stand beside other states.
    #[must_use]
    pub const fn fails(self) -> bool {
        matches!(
            self,
            Attention::ClientRejected | Attention::ClientMissing | Attention::InfohashOwned
        )
    }
}

impl fmt::Display for Attention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an attention code")]
pub struct ParseAttentionError(String);

impl FromStr for Attention {
    type Err = ParseAttentionError;

    fn from_str(text: &str) -> Result<Self, ParseAttentionError> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| ParseAttentionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
