//! A download with what belongs to it, and what follows from that for a person.

use tracker_app::{BatchView, CandidateView, DownloadView, RecognitionView};
use tracker_domain::recognised::RecognitionState;

use super::voice::{BETWEEN, Voice, score, titled};

/// One download as the services tell of it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The download.
    pub download: &'a DownloadView,
    /// What it is taken for.
    pub recognition: &'a RecognitionView,
    /// The works that may be meant, the best first.
    pub candidates: &'a [CandidateView],
    /// Its batches, the newest first.
    pub batches: &'a [BatchView],
    /// Whether there is a source of titles to ask.
    pub has_sources: bool,
}

impl<'a> Subject<'a> {
    /// The candidate that counts: the one that was taken, else the best.
    pub(super) fn best(&self) -> Option<&'a CandidateView> {
        match self.recognition.candidate_id {
            Some(id) => self.candidates.iter().find(|candidate| candidate.id == id),
            None => self.candidates.first(),
        }
    }

    pub(super) fn needs_review(&self) -> bool {
        self.download.may_be_said() && (self.download.is_for_review() || self.is_proposed())
    }

    pub(super) fn is_proposed(&self) -> bool {
        self.recognition.state == RecognitionState::Proposed
    }

    /// The newest batch whose links stand.
    pub(super) fn standing(&self) -> Option<&'a BatchView> {
        self.batches.iter().find(|batch| batch.stands())
    }

    /// What it is taken for, in one line.
    pub(super) fn matched(&self, voice: &Voice<'_>) -> Option<String> {
        match self.recognition.state {
            RecognitionState::Accepted => {
                Some(voice.with("bot-taken-for", "what", &self.read(voice)?))
            }
            RecognitionState::Proposed => {
                let guess = match self.best() {
                    Some(candidate) => fit(voice, candidate),
                    None => self.read(voice)?,
                };
                Some(voice.with("bot-best-guess", "what", &guess))
            }
            RecognitionState::Pending
            | RecognitionState::Waiting
            | RecognitionState::Rejected
            | RecognitionState::Superseded => None,
        }
    }

    /// What the names say, with the words of people and the work that was chosen.
    fn read(&self, voice: &Voice<'_>) -> Option<String> {
        let fields = &self.recognition.fields;
        let mut parts = vec![titled(fields.title.as_deref()?, fields.year)];
        parts.extend(fields.kind.map(|kind| voice.word("work", kind.as_str())));
        if let [season] = *fields.seasons {
            parts.push(voice.with("bot-season", "n", &season.to_string()));
        }
        Some(parts.join(BETWEEN))
    }
}

/// A candidate in one line: title, year, kind.
pub(super) fn named(voice: &Voice<'_>, candidate: &CandidateView) -> String {
    let title = titled(&candidate.title, candidate.year);
    match candidate.kind {
        Some(kind) => format!("{title}{BETWEEN}{}", voice.kind(kind)),
        None => title,
    }
}

/// The same with its score.
pub(super) fn fit(voice: &Voice<'_>, candidate: &CandidateView) -> String {
    let named = named(voice, candidate);
    voice.with_two("bot-fits", ("what", &named), ("score", &score(candidate.score)))
}
