//! What holds for any names, works and overrides.

use proptest::prelude::*;
use tracker_domain::Remark;
use tracker_domain::metadata::{Provider, SeasonOutline, Work, WorkId, WorkKind};
use tracker_domain::recognised::{EpisodeNumber, Fields, Recognised, TitleKind, Verdict};
use tracker_testkit::spec;

use super::{file, film, judged, movie, plain, show};
use crate::matching::{adopt, apply_overrides, check_override, judge, queries, score};

fn any_title() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "Ashen Shore",
            "The Ashen Shore",
            "Ashen Shore 2",
            "Ashen Shores",
            "Ashen Shore: Return",
            "Пепельный берег",
            "Quiet Orchard",
        ])
        .prop_map(str::to_owned),
        1 => ".{0,30}",
    ]
}

fn any_work() -> impl Strategy<Value = Work> {
    let id = (prop::sample::select(Provider::ALL), any::<bool>(), 0u64..6);
    let names =
        (any_title(), prop::option::of(any_title()), prop::collection::vec(any_title(), 0..3));
    let year = prop::option::of(2008i32..2014);
    let rest = (
        prop_oneof![0.0..=1.0f64, Just(f64::NAN), Just(f64::INFINITY), Just(-3.0)],
        prop::option::of(prop::sample::select(vec!["tt1", "tt2"])),
        any::<bool>(),
        prop::collection::vec((0u32..4, 0u32..20), 0..4),
    );
    (id, names, year, rest).prop_map(|(id, names, year, rest)| {
        let (provider, series, number) = id;
        let kind = if series { WorkKind::Series } else { WorkKind::Movie };
        let (title, original_title, other_titles) = names;
        let (popularity, imdb, animated, seasons) = rest;
        Work {
            id: WorkId { provider, kind, number },
            original_title,
            other_titles,
            year,
            popularity,
            imdb: imdb.map(str::to_owned),
            animated,
            seasons: seasons
                .into_iter()
                .map(|(number, episodes)| SeasonOutline { number, episodes })
                .collect(),
            ..movie(0, &title, 0)
        }
    })
}

fn any_kind() -> impl Strategy<Value = Option<TitleKind>> {
    prop::option::of(prop::sample::select(vec![
        TitleKind::Movie,
        TitleKind::Series,
        TitleKind::Anime,
        TitleKind::Other,
    ]))
}

fn any_numbers() -> impl Strategy<Value = Vec<EpisodeNumber>> {
    prop::collection::vec(
        (0u32..30, prop::sample::select(vec![0u32, 50]))
            .prop_map(|(number, half)| EpisodeNumber::with_hundredths(number, half)),
        0..3,
    )
}

fn any_fields() -> impl Strategy<Value = Fields> {
    let seasons = prop::collection::vec(0u32..4, 0..2);
    (seasons, any_numbers(), any_numbers()).prop_map(|(seasons, episodes, absolute_episodes)| {
        Fields { seasons, episodes, absolute_episodes, ..Fields::default() }
    })
}

fn any_names() -> impl Strategy<Value = Recognised> {
    let names = (any_title(), prop::option::of(any_title()), any_kind());
    let year = prop::option::of(2008i32..2014);
    let files = prop::collection::vec(any_fields(), 0..4);
    let doubts = prop::sample::select(vec![
        None,
        Some(Remark::NoYear),
        Some(Remark::EpisodeTwice),
        Some(Remark::OnlySample),
    ]);
    (names, year, any_fields(), files, doubts).prop_map(|(names, year, fields, files, doubt)| {
        let (title, title_ru, kind) = names;
        let fields = Fields { title: Some(title), title_ru, kind, year, ..fields };
        let files = (0..).zip(files).map(|(index, fields)| file(index, fields)).collect();
        let mut names = plain(fields, files);
        if let Some(doubt) = doubt {
            names.verdict = Verdict::Doubt;
            names.doubts.push(doubt);
        }
        names
    })
}

fn any_override() -> impl Strategy<Value = (String, String)> {
    let fields = vec![
        "title",
        "year",
        "kind",
        "season",
        "episode_offset",
        "numbering",
        "edition",
        "library",
        "candidate",
        "file.0.season",
        "file.0.episodes",
        "file.1.part",
        "file.1.skip",
        "file.7.skip",
    ];
    let values = vec![
        "",
        "0",
        "2011",
        "-5",
        "12",
        "series",
        "movie",
        "other",
        "absolute",
        "aired",
        "1-3,5",
        "true",
        "false",
        "tmdb:77",
        "Director's Cut",
        "Ashen Shore",
        "12.5",
        "9999",
    ];
    let field =
        prop_oneof![6 => prop::sample::select(fields).prop_map(str::to_owned), 1 => ".{0,20}"];
    let value =
        prop_oneof![6 => prop::sample::select(values).prop_map(str::to_owned), 1 => ".{0,20}"];
    (field, value)
}

proptest! {
    #[test]
    fn scores_stay_within_their_bounds(
        names in any_names(),
        works in prop::collection::vec(any_work(), 0..6),
    ) {
        spec!("matching#every-score-can-be-explained/parts-make-the-score");
        let (scored, judgement) = judged(&names, &works);
        for one in &scored {
            prop_assert!((0.0..=1.0).contains(&one.score));
            let sum: f64 = one.parts.iter().map(|part| part.points).sum();
            prop_assert!((one.score - sum.clamp(0.0, 1.0)).abs() < 1e-4);
            prop_assert!(one.parts.iter().all(|part| (-1.0..=1.0).contains(&part.points)));
            prop_assert!(one.parts.iter().all(|part| part.detail.code().is_some()));
            prop_assert!(one.is_candidate() || one.score == 0.0);
        }
        for pair in scored.windows(2) {
            prop_assert!(pair[0].score >= pair[1].score);
            prop_assert!(pair[0].is_candidate() || !pair[1].is_candidate());
        }
        prop_assert_eq!(judgement.verdict == Verdict::Sure, judgement.doubts.is_empty());
        prop_assert!(judgement.doubts.iter().all(|doubt| doubt.code().is_some()));
        match judgement.best {
            Some(best) => prop_assert!(best == 0 && scored[best].is_candidate()),
            None => prop_assert!(judgement.verdict != Verdict::Sure),
        }
    }

    #[test]
    fn the_order_of_answers_does_not_matter(
        names in any_names(),
        (works, mixed) in prop::collection::vec(any_work(), 0..6)
            .prop_flat_map(|works| (Just(works.clone()), Just(works).prop_shuffle())),
    ) {
        spec!("matching#every-score-can-be-explained/order-of-answers");
        let (one, other) = (score(&names, works), score(&names, mixed));
        // A popularity that is no number equals nothing, not even itself.
        prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
        prop_assert_eq!(judge(&names, &one), judge(&names, &other));
    }

    #[test]
    fn an_exact_year_beats_any_popularity(off in 1i32..60, later: bool, popularity in 0.0..=1.0f64) {
        spec!("matching#the-year-tells-works-apart/exact-year-beats-popularity");
        let year = if later { 2011 + off } else { 2011 - off };
        let mut other = movie(1, "Ashen Shore", year);
        other.popularity = popularity;
        let mut exact = movie(2, "Ashen Shore", 2011);
        exact.popularity = 0.0;
        let (scored, judgement) = judged(&film("Ashen Shore", 2011), &[other, exact]);
        prop_assert_eq!(scored[0].work.id.number, 2);
        prop_assert_eq!(judgement.verdict, Verdict::Sure);
    }

    #[test]
    fn two_of_one_name_and_year_are_never_sure(
        names in any_names(),
        works in prop::collection::vec(any_work(), 0..4),
        twin in any_work(),
        popularity in 0.0..=1.0f64,
    ) {
        spec!("matching#sure-only-without-a-rival/two-works-of-one-name-and-year");
        let mut names = names;
        names.fields.title = Some(twin.title.clone());
        let mut one = Work { year: Some(2011), ..twin };
        names.fields.year = one.year;
        (one.id.provider, one.id.number) = (Provider::Tmdb, 100);
        let mut other = one.clone();
        (other.id.number, other.popularity, other.imdb) = (101, popularity, None);
        let mut works = works;
        works.extend([one, other]);
        let (scored, judgement) = judged(&names, &works);
        let best = judgement.best.map(|best| scored[best].work.id.number);
        prop_assert!(
            judgement.verdict != Verdict::Sure || !matches!(best, Some(100 | 101)),
            "{scored:#?}"
        );
    }

    #[test]
    fn plans_are_bounded(names in any_names(), more in prop::collection::vec(".{0,200}", 0..20)) {
        spec!("matching#queries-from-the-names/bounded-number");
        let mut names = names;
        names.fields.other_titles = more;
        let plan = queries(&names, &[]);
        prop_assert!(plan.first.len() + plan.then.len() <= 6);
        prop_assert!(plan.first.iter().chain(&plan.then).all(|query| !query.title.is_empty()));
    }

    #[test]
    fn any_override_is_taken_or_told(
        names in any_names(),
        overrides in prop::collection::vec(any_override(), 0..8),
    ) {
        spec!("matching#overrides-are-checked/any-text");
        let mut said = names.clone();
        let problems = apply_overrides(&mut said, &overrides);
        prop_assert_eq!(said.files.len(), names.files.len());
        prop_assert!(problems.is_empty() || said.verdict != Verdict::Sure);
        for problem in problems {
            prop_assert!(said.doubts.contains(&problem.remark()));
        }
        for (field, value) in &overrides {
            if let Ok(kept) = check_override(field, value) {
                prop_assert_eq!(check_override(field, &kept), Ok(kept));
            }
        }
    }

    #[test]
    fn any_text_is_no_danger(field in ".{0,40}", value in ".{0,40}", index: u32) {
        spec!("matching#overrides-are-checked/any-text");
        let _ = check_override(&field, &value);
        for name in ["season", "episodes", "part", "skip"] {
            let field = format!("file.{index}.{name}");
            let mut names = show("Lanterns of Oor", &[(1, 1)]);
            apply_overrides(&mut names, &[(field.clone(), value.clone())]);
            if let Ok(kept) = check_override(&field, &value) {
                prop_assert_eq!(check_override(&field, &kept), Ok(kept));
            }
        }
    }

    #[test]
    fn any_work_can_be_adopted(names in any_names(), work in any_work(), russian: bool) {
        spec!("matching#an-accepted-work-gives-the-names/names-of-the-work");
        let mut adopted = names.clone();
        adopt(&mut adopted, &work, if russian { "ru" } else { "en" });
        prop_assert!(adopted.fields.kind.is_some());
        prop_assert_eq!(adopted.files.len(), names.files.len());
        let again = adopted.clone();
        adopt(&mut adopted, &work, if russian { "ru" } else { "en" });
        prop_assert_eq!(adopted.fields, again.fields, "twice is once");
    }
}
