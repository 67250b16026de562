//! Matching, shown with titles that do not exist.

mod adoption;
mod any;
mod doubts;
mod fits;
mod judgement;
mod overriding;
mod planning;
mod scores;
mod titles;
mod years;

use tracker_domain::Remark;
use tracker_domain::metadata::{Provider, SeasonOutline, Work, WorkId, WorkKind};
use tracker_domain::recognised::{
    EpisodeNumber, Fields, FileRole, Recognised, Role, TitleKind, Verdict,
};

use super::{Judgement, Scored, judge, score};

/// Plain names of a film, about which nothing is in doubt.
fn film(title: &str, year: i32) -> Recognised {
    let fields = Fields {
        kind: Some(TitleKind::Movie),
        title: Some(title.to_owned()),
        year: Some(year),
        ..Fields::default()
    };
    plain(fields, vec![file(0, Fields::default())])
}

/// Plain names of episodes, each of a file of its own.
fn show(title: &str, episodes: &[(u32, u32)]) -> Recognised {
    let files = (0..).zip(episodes).map(|(index, (season, episode))| {
        let fields = Fields {
            seasons: vec![*season],
            episodes: vec![EpisodeNumber::whole(*episode)],
            ..Fields::default()
        };
        file(index, fields)
    });
    let files: Vec<FileRole> = files.collect();
    let mut seasons: Vec<u32> = episodes.iter().map(|(season, _)| *season).collect();
    seasons.sort_unstable();
    seasons.dedup();
    let fields = Fields {
        kind: Some(TitleKind::Series),
        title: Some(title.to_owned()),
        seasons,
        ..Fields::default()
    };
    plain(fields, files)
}

/// Files that are called by numbers without a season.
fn counted(kind: TitleKind, title: &str, numbers: &[u32]) -> Recognised {
    let list = |numbers: &[u32]| numbers.iter().copied().map(EpisodeNumber::whole).collect();
    let files = (0..).zip(numbers).map(|(index, number)| {
        file(index, Fields { absolute_episodes: list(&[*number]), ..Fields::default() })
    });
    let files: Vec<FileRole> = files.collect();
    let fields = Fields {
        kind: Some(kind),
        title: Some(title.to_owned()),
        absolute_episodes: list(numbers),
        ..Fields::default()
    };
    plain(fields, files)
}

fn file(index: u32, fields: Fields) -> FileRole {
    let fields = Fields { container: Some("mkv".to_owned()), ..fields };
    FileRole { index, role: Role::Main, fields }
}

fn plain(fields: Fields, files: Vec<FileRole>) -> Recognised {
    Recognised {
        fields,
        files,
        evidence: Vec::new(),
        verdict: Verdict::Sure,
        confidence: 0.95,
        doubts: Vec::new(),
    }
}

fn doubtful(mut recognised: Recognised, doubts: &[&str]) -> Recognised {
    recognised.verdict = Verdict::Doubt;
    recognised.doubts = doubts.iter().map(|doubt| Remark::read(doubt)).collect();
    recognised
}

fn work(kind: WorkKind, number: u64, title: &str, year: i32) -> Work {
    Work {
        id: WorkId { provider: Provider::Tmdb, kind, number },
        title: title.to_owned(),
        original_title: None,
        other_titles: Vec::new(),
        year: Some(year),
        overview: None,
        poster: None,
        popularity: 0.5,
        imdb: None,
        language: None,
        animated: false,
        seasons: Vec::new(),
    }
}

fn movie(number: u64, title: &str, year: i32) -> Work {
    work(WorkKind::Movie, number, title, year)
}

/// A series whose first season is 1.
fn series(number: u64, title: &str, year: i32, lengths: &[u32]) -> Work {
    let seasons = (1..).zip(lengths);
    let seasons = seasons.map(|(number, episodes)| SeasonOutline { number, episodes: *episodes });
    Work { seasons: seasons.collect(), ..work(WorkKind::Series, number, title, year) }
}

/// The only call into scoring and judging together.
fn judged(recognised: &Recognised, works: &[Work]) -> (Vec<Scored>, Judgement) {
    let scored = score(recognised, works.to_vec());
    let judgement = judge(recognised, &scored);
    (scored, judgement)
}

/// The number of the work that is sure.
fn sure(recognised: &Recognised, works: &[Work]) -> u64 {
    let (scored, judgement) = judged(recognised, works);
    assert_eq!(judgement.verdict, Verdict::Sure, "{:?}\n{scored:#?}", judgement.doubts);
    assert_eq!(judgement.doubts, Vec::<Remark>::new());
    scored[judgement.best.unwrap()].work.id.number
}

/// The doubts where none is sure.
fn asked(recognised: &Recognised, works: &[Work]) -> String {
    let (scored, judgement) = judged(recognised, works);
    assert_eq!(judgement.verdict, Verdict::Doubt, "{scored:#?}");
    assert!(!judgement.doubts.is_empty());
    Remark::join(&judgement.doubts)
}

/// The line of one part.
fn detail(scored: &Scored, name: &str) -> String {
    scored.parts.iter().find(|part| part.name == name).unwrap().detail.to_string()
}

fn points(scored: &Scored, name: &str) -> f64 {
    scored.parts.iter().find(|part| part.name == name).unwrap().points
}
