//! Doubts that a person's word settles.
//!
//! Rows of another version have sentences that no remark of this one says, so what
//! a doubt is about is told from its words. Where that is not plain, the doubt
//! stays: asking once too often costs less than a wrong link.

use std::collections::BTreeSet;

use tracker_domain::recognised::{FileRole, Recognised, Role, TitleKind, Verdict};
use tracker_domain::remark::Remark;

use super::said::{OfFile, Said};

/// Words of doubts about content, which no field settles.
const CONTENT: &[&str] =
    &["archive", "bait", "disc", "executable", "packed", "program", "sample", "unsafe"];

/// What was said, as far as doubts go.
#[derive(Debug, Default)]
struct Topics {
    title: bool,
    year: bool,
    kind: bool,
    season: bool,
    episodes: bool,
    parts: bool,
    numbering: bool,
    /// A file, or the numbers of all files.
    files: bool,
}

/// Takes away the doubts that are settled, adds what is still missing, and lets
/// the verdict follow.
pub(super) fn settle(recognised: &mut Recognised, said: &[Said], problems: Vec<Remark>) {
    let topics = Topics::of(recognised, said);
    let mut doubts = std::mem::take(&mut recognised.doubts);
    doubts.retain(|doubt| !topics.settle(&doubt.to_string(), recognised));
    doubts.extend(problems);
    if doubts.is_empty() {
        doubts.extend(missing(recognised));
    }
    recognised.doubts = doubts;
    let fields = &recognised.fields;
    let named = fields.title.is_some() && fields.kind.is_some_and(|kind| kind != TitleKind::Other);
    let playable = mains(recognised).next().is_some();
    if recognised.doubts.is_empty() && named && playable {
        recognised.verdict = Verdict::Sure;
        recognised.confidence = recognised.confidence.max(0.95);
    } else if playable || recognised.verdict == Verdict::Sure {
        recognised.verdict = Verdict::Doubt;
        recognised.confidence = recognised.confidence.min(0.4);
    }
}

fn mains(recognised: &Recognised) -> impl Iterator<Item = &FileRole> {
    recognised.files.iter().filter(|file| file.role == Role::Main)
}

impl Topics {
    fn of(recognised: &Recognised, said: &[Said]) -> Topics {
        let any = |wanted: fn(&Said) -> bool| said.iter().any(wanted);
        // A question about all files is settled when it is answered for each.
        let each = |wanted: fn(&OfFile) -> bool| {
            let answered = |file: &FileRole| {
                said.iter().any(|said| {
                    matches!(said, Said::File(index, what) if *index == file.index && wanted(what))
                })
            };
            mains(recognised).next().is_some() && mains(recognised).all(answered)
        };
        Topics {
            title: any(|said| matches!(said, Said::Title(_))),
            year: any(|said| matches!(said, Said::Year(_))),
            kind: any(|said| matches!(said, Said::Kind(_))),
            season: any(|said| matches!(said, Said::Season(_)))
                || each(|what| matches!(what, OfFile::Season(_))),
            episodes: each(|what| matches!(what, OfFile::Episodes(_))),
            parts: each(|what| matches!(what, OfFile::Part(_))),
            numbering: any(|said| matches!(said, Said::Numbering(_))),
            files: any(|said| {
                matches!(said, Said::File(..) | Said::Season(_) | Said::EpisodeOffset(_))
            }),
        }
    }

    fn settle(&self, doubt: &str, recognised: &Recognised) -> bool {
        let lower = doubt.to_lowercase();
        let words: Vec<&str> =
            lower.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        let phrase = |wanted: &str| lower.contains(wanted);
        if has(CONTENT) || phrase("files are not known") {
            return false;
        }
        if phrase("one episode") || phrase("same episode") {
            return self.files && !twice(recognised);
        }
        if phrase("some do not") {
            let numbered = mains(recognised).filter(|file| is_numbered(file)).count();
            let left = mains(recognised).count();
            return self.files && (numbered == left || numbered == 0 && left == 1);
        }
        if phrase("several videos") || phrase("several films") {
            let one = self.files && mains(recognised).count() == 1;
            return one || self.episodes || self.parts;
        }
        if has(&["absolute", "count", "counts"]) {
            return self.numbering || self.season || self.episodes || self.parts;
        }
        let topics: [(&[&str], bool); 6] = [
            (&["title", "titles"], self.title),
            (&["year", "years"], self.year),
            (&["kind", "series", "film"], self.kind),
            (&["season", "seasons"], self.season),
            (&["episode", "episodes"], self.episodes),
            (&["part", "parts"], self.parts),
        ];
        let mut about = topics.iter().filter(|(words, _)| has(words)).peekable();
        about.peek().is_some() && about.all(|(_, said)| *said)
    }
}

fn is_numbered(file: &FileRole) -> bool {
    !(file.fields.episodes.is_empty() && file.fields.absolute_episodes.is_empty())
}

/// Whether two files hold one episode.
fn twice(recognised: &Recognised) -> bool {
    let mut seen = BTreeSet::new();
    mains(recognised).any(|file| {
        let season = file.fields.seasons.first().copied();
        let aired = file.fields.episodes.iter().map(|number| (false, season, *number));
        let absolute = file.fields.absolute_episodes.iter().map(|number| (true, None, *number));
        // All of them are to be seen, so this is no place to stop at the first.
        aired.chain(absolute).filter(|number| !seen.insert(*number)).count() > 0
    })
}

/// What a link would lack, where nothing else is in doubt.
fn missing(recognised: &Recognised) -> Option<Remark> {
    let fields = &recognised.fields;
    match fields.kind? {
        TitleKind::Movie if fields.year.is_none() => Some(Remark::NoYear),
        TitleKind::Movie => {
            let unnumbered = mains(recognised).filter(|file| file.fields.part.is_empty()).count();
            let several = mains(recognised).count() > 1 && unnumbered > 0;
            several.then_some(Remark::SeveralForOneFilm)
        }
        TitleKind::Series | TitleKind::Anime => {
            let lacking = |file: &&FileRole| {
                let aired = !file.fields.episodes.is_empty();
                !is_numbered(file) || (aired && file.fields.seasons.is_empty())
            };
            let index = mains(recognised).find(lacking)?.index;
            Some(Remark::NumbersMissing { index })
        }
        TitleKind::Other => None,
    }
}
