//! A work that a person has named: the sources say what it is, and nobody
//! guesses another one.

use std::sync::Arc;

use tracker_domain::Remark;
use tracker_domain::metadata::{Pin, Provider, Work, WorkId, WorkKind};
use tracker_domain::ports::MetadataSource;
use tracker_domain::recognised::{Recognised, Role, TitleKind, Verdict};
use tracker_recognize::matching::{Scored, check_override, effective, judge, score};
use tracker_store::StoreError;

use super::ask::{Request, Round};
use super::search::language;
use super::wait::Causes;
use crate::{Policy, Sources};

/// What became of a pin.
pub(super) enum Pinned {
    /// It is this one.
    Found(Box<Named>),
    /// Several works are called that.
    Several { works: Vec<Scored>, doubt: Remark },
    /// It cannot be found now.
    Unknown(Causes),
}

/// The work, and the names as they are read by it: their doubts are what keeps
/// the files from being linked.
pub(super) struct Named {
    pub work: Scored,
    pub judged: Recognised,
}

/// Asks every source that can know the pin.
pub(super) async fn resolve(
    policy: &Policy,
    round: &mut Round<'_>,
    pin: &Pin,
    raw: &Recognised,
    said: &Recognised,
    overrides: &[(String, String)],
) -> Result<Pinned, StoreError> {
    let sources = that_can_know(&policy.sources, pin);
    let mut works = Vec::new();
    let mut causes = Causes::default();
    for source in &sources {
        match round.ask(source, Request::Resolve(pin, language(policy))).await? {
            Ok(found) if found.is_empty() => {
                let source = source.provider();
                let words = Remark::SourceLacksPin { source, pin: pin.clone() };
                causes.add_words(source.as_str(), "not-found", words);
            }
            Ok(found) => works.extend(found),
            Err(error) => causes.add_failure(source.provider(), &error),
        }
    }
    if works.is_empty() {
        if sources.is_empty() {
            let (source, words) = nobody_for(pin.clone());
            causes.add_words(source.as_str(), "off", words);
        }
        return Ok(Pinned::Unknown(causes));
    }
    let mut scored = fitting(said, score(said, works));
    match (scored.pop(), scored.is_empty()) {
        (Some(mut only), true) => {
            // A person has said that it is the one.
            only.excluded = None;
            let judged = judged(raw, overrides, &only.work, &policy.languages);
            Ok(Pinned::Found(Box::new(Named { work: only, judged })))
        }
        (last, _) => {
            scored.extend(last);
            let doubt = Remark::SeveralOfPin { pin: pin.clone() };
            Ok(Pinned::Several { works: scored, doubt })
        }
    }
}

fn that_can_know(sources: &Sources, pin: &Pin) -> Vec<Arc<dyn MetadataSource>> {
    let knows = |provider: Provider| match pin {
        Pin::Work(id) => id.provider == provider,
        Pin::Tmdb(_) => provider == Provider::Tmdb,
        Pin::Imdb(_) => true,
    };
    sources.iter().filter(|source| knows(source.provider())).cloned().collect()
}

/// The source that would know the pin, and how it is turned on.
fn nobody_for(pin: Pin) -> (Provider, Remark) {
    match pin {
        Pin::Work(WorkId { provider: Provider::Tvmaze, .. }) => {
            (Provider::Tvmaze, Remark::NoTvmazeFor { pin })
        }
        Pin::Work(_) | Pin::Tmdb(_) | Pin::Imdb(_) => (Provider::Tmdb, Remark::NoTmdbFor { pin }),
    }
}

/// A number without a kind may be a film and a series: the names tell which.
fn fitting(said: &Recognised, scored: Vec<Scored>) -> Vec<Scored> {
    let kind = match said.fields.kind {
        Some(TitleKind::Movie) => WorkKind::Movie,
        Some(TitleKind::Series | TitleKind::Anime) => WorkKind::Series,
        Some(TitleKind::Other) | None => return scored,
    };
    let fits = scored.iter().filter(|scored| scored.work.id.kind == kind).count();
    if fits == 0 {
        return scored;
    }
    scored.into_iter().filter(|scored| scored.work.id.kind == kind).collect()
}

/// What is left in doubt once the work is given: what the files hold, and
/// numbers that it has not. The doubts of the name are settled as if the person
/// had said title, year and kind.
fn judged(
    raw: &Recognised,
    overrides: &[(String, String)],
    work: &Work,
    languages: &[String],
) -> Recognised {
    let kind = match (work.id.kind, raw.fields.kind) {
        (WorkKind::Movie, _) => TitleKind::Movie,
        (WorkKind::Series, Some(TitleKind::Anime)) => TitleKind::Anime,
        (WorkKind::Series, _) => TitleKind::Series,
    };
    let year = work.year.map(|year| ("year", year.to_string()));
    let given = [("title", work.title.clone()), ("kind", kind.to_string())];
    let given = given.into_iter().chain(year);
    // Of two words for one field the later counts: the person's own.
    let given = given
        .filter(|(field, value)| check_override(field, value).is_ok())
        .map(|(field, value)| (field.to_owned(), value));
    let words: Vec<(String, String)> = given.chain(overrides.iter().cloned()).collect();
    let (mut judged, _problems) = effective(raw.clone(), &words, Some(work), languages);
    if all_placed(&judged) {
        // Anime counts through its seasons; other numbers may mean anything.
        let anime = judged.fields.kind == Some(TitleKind::Anime);
        judged.doubts.retain(|doubt| match doubt {
            Remark::NoSeasonOrEpisode | Remark::NumbersMissing { .. } => false,
            Remark::AbsoluteAlone => !anime,
            _ => true,
        });
    }
    let misfit = misfit(&judged, work);
    judged.doubts.extend(misfit);
    let playable = judged.files.iter().any(|file| file.role == Role::Main);
    if judged.doubts.is_empty() && !playable {
        judged.doubts.push(Remark::NothingToLink);
    }
    judged.verdict = match (judged.doubts.is_empty(), judged.verdict) {
        (true, _) => Verdict::Sure,
        (false, Verdict::Unknown) => Verdict::Unknown,
        (false, _) => Verdict::Doubt,
    };
    judged
}

/// Whether each video has a season and an episode by now.
fn all_placed(judged: &Recognised) -> bool {
    let mut mains = judged.files.iter().filter(|file| file.role == Role::Main);
    mains.all(|file| !file.fields.seasons.is_empty() && !file.fields.episodes.is_empty())
}

/// Seasons and episodes that the work has not.
fn misfit(judged: &Recognised, work: &Work) -> Option<Remark> {
    let scored = score(judged, vec![work.clone()]);
    let parts = scored.first()?.parts.iter();
    let episodes = parts.into_iter().find(|part| part.name == "episodes")?;
    let doubts = judge(judged, &scored).doubts;
    let new = doubts.contains(&episodes.detail) && !judged.doubts.contains(&episodes.detail);
    new.then(|| episodes.detail.clone())
}
