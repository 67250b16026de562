//! Which client a new download goes to, when nobody named one. A decision
//! without side effects: what the clients say is asked before.

use tracker_domain::library::LibraryKind;

/// Which downloads a client is for. Without any limit it is for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientRule {
    /// Only these kinds; empty is any.
    pub kinds: Vec<LibraryKind>,
    /// Only those that are meant for one of these libraries; empty is any.
    pub libraries: Vec<String>,
    /// Only from this size on, in bytes.
    pub min_size: Option<u64>,
    /// Only up to this size, in bytes.
    pub max_size: Option<u64>,
}

/// Which of the clients that fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choose {
    /// The first one of the configuration.
    #[default]
    First,
    /// The one with the most free space.
    FreeSpace,
}

/// What is known of a download before any client has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What it is, by a person's word or its name.
    pub kind: Option<LibraryKind>,
    /// The library that a person named for it.
    pub library: Option<String>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
}

/// A client that may be chosen, as it is now.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// What it is for.
    pub rule: &'a ClientRule,
    /// Whether it answers.
    pub answers: bool,
    /// Free bytes where it puts torrents, as far as that can be seen.
    pub free_bytes: Option<u64>,
}

/// Why it is this client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its rule fits.
    Fits,
    /// What its rule asks for is not known of the download; nothing speaks against it.
    MayFit,
    /// No rule fits, and some client has to have it.
    NoRuleFits,
}

impl Why {
    /// The word of the journal.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Why::Fits => "fits",
            Why::MayFit => "may-fit",
            Why::NoRuleFits => "no-rule-fits",
        }
    }
}

/// How well a rule fits; the better one is the smaller one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Yes,
    Unknown,
    No,
}

impl ClientRule {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ClientRule::default()
    }

    fn fit(&self, wanted: &Wanted) -> Fit {
        let is = |fits: bool| if fits { Fit::Yes } else { Fit::No };
        let kind = if self.kinds.is_empty() {
            Fit::Yes
        } else {
            wanted.kind.map_or(Fit::Unknown, |kind| is(self.kinds.contains(&kind)))
        };
        let library = if self.libraries.is_empty() {
            Fit::Yes
        } else {
            // Without a person's word it is for the library of its kind, if any: a
            // library is a rule for those that were named for it.
            is(wanted.library.as_ref().is_some_and(|library| self.libraries.contains(library)))
        };
        let limited = self.min_size.is_some() || self.max_size.is_some();
        let size = match wanted.size_bytes {
            _ if !limited => Fit::Yes,
            None => Fit::Unknown,
            Some(size) => is(self.min_size.is_none_or(|least| size >= least)
                && self.max_size.is_none_or(|most| size <= most)),
        };
        kind.max(library).max(size)
    }
}

/// The index of the client, and why; `None` to wait, since none of those that
/// would fit best answers.
///
/// Rules go before everything else: a client that does not answer is passed over
/// only for another one that fits as well.
#[must_use]
pub fn choose(how: Choose, wanted: &Wanted, candidates: &[Candidate<'_>]) -> Option<(usize, Why)> {
    let best = candidates.iter().map(|candidate| candidate.rule.fit(wanted)).min()?;
    let why = match best {
        Fit::Yes => Why::Fits,
        Fit::Unknown => Why::MayFit,
        Fit::No => Why::NoRuleFits,
    };
    let mut fitting = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.rule.fit(wanted) == best && candidate.answers);
    let chosen = match how {
        Choose::First => fitting.next(),
        // Of equal ones the first; space that cannot be seen is none.
        Choose::FreeSpace => fitting.rev().max_by_key(|(_, one)| one.free_bytes.unwrap_or(0)),
    };
    chosen.map(|(index, _)| (index, why))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    const GIB: u64 = 1 << 30;

    fn rule(kinds: &[LibraryKind], min_size: Option<u64>, max_size: Option<u64>) -> ClientRule {
        ClientRule { kinds: kinds.to_vec(), libraries: Vec::new(), min_size, max_size }
    }

    fn up(rule: &ClientRule, free_bytes: u64) -> Candidate<'_> {
        Candidate { rule, answers: true, free_bytes: Some(free_bytes) }
    }

    fn wanted(kind: Option<LibraryKind>, size_bytes: Option<u64>) -> Wanted {
        Wanted { kind, library: None, size_bytes }
    }

    #[test]
    fn the_first_whose_rule_fits_has_it() {
        spec!("torrent-clients#choice-of-the-client/by-rule");
        let small = rule(&[LibraryKind::Movie], None, Some(50 * GIB));
        let large = rule(&[], Some(50 * GIB), None);
        let any = rule(&[], None, None);
        let all = [up(&small, 1), up(&large, 1), up(&any, 1)];
        let chosen = |kind, size| choose(Choose::First, &wanted(kind, size), &all);
        assert_eq!(chosen(Some(LibraryKind::Movie), Some(4 * GIB)), Some((0, Why::Fits)));
        assert_eq!(chosen(Some(LibraryKind::Movie), Some(60 * GIB)), Some((1, Why::Fits)));
        assert_eq!(chosen(Some(LibraryKind::Series), Some(4 * GIB)), Some((2, Why::Fits)));
        assert_eq!(chosen(None, None), Some((2, Why::Fits)), "what is sure goes before");
        let ruled = [up(&small, 1), up(&large, 1)];
        let chosen = |kind, size| choose(Choose::First, &wanted(kind, size), &ruled);
        assert_eq!(chosen(None, None), Some((0, Why::MayFit)));
        assert_eq!(chosen(Some(LibraryKind::Series), None), Some((1, Why::MayFit)));
        assert_eq!(chosen(Some(LibraryKind::Series), Some(1)), Some((0, Why::NoRuleFits)));
        assert_eq!(choose(Choose::First, &Wanted::default(), &[]), None);
    }

    #[test]
    fn a_library_is_for_what_was_named_for_it() {
        spec!("torrent-clients#choice-of-the-client/by-library");
        let any = rule(&[], None, None);
        let anime = ClientRule { libraries: vec!["anime-ru".to_owned()], ..any.clone() };
        let all = [up(&anime, 1), up(&any, 1)];
        let named =
            |library: &str| Wanted { library: Some(library.to_owned()), ..wanted(None, None) };
        let chosen = |wanted: &Wanted| choose(Choose::First, wanted, &all);
        assert_eq!(chosen(&named("anime-ru")), Some((0, Why::Fits)));
        assert_eq!(chosen(&named("movies")), Some((1, Why::Fits)));
        assert_eq!(chosen(&wanted(Some(LibraryKind::Anime), None)), Some((1, Why::Fits)));
        let alone = [up(&anime, 1)];
        let chosen = choose(Choose::First, &named("movies"), &alone);
        assert_eq!(chosen, Some((0, Why::NoRuleFits)), "some client always has it");
    }

    #[test]
    fn the_most_free_space_wins_among_those_that_fit() {
        spec!("torrent-clients#choice-of-the-client/by-free-space");
        let (movies, any) = (rule(&[LibraryKind::Movie], None, None), rule(&[], None, None));
        let blind = Candidate { rule: &any, answers: true, free_bytes: None };
        let all = [blind, up(&any, 5), up(&any, 9), up(&any, 9), up(&movies, 100)];
        let chosen = |kind| choose(Choose::FreeSpace, &wanted(kind, None), &all);
        assert_eq!(chosen(Some(LibraryKind::Series)), Some((2, Why::Fits)));
        assert_eq!(chosen(Some(LibraryKind::Movie)), Some((4, Why::Fits)));
    }

    #[test]
    fn one_that_is_down_is_left_out_while_another_fits() {
        spec!("torrent-clients#choice-of-the-client/one-that-is-down");
        let (movies, any) = (rule(&[LibraryKind::Movie], None, None), rule(&[], None, None));
        let down = |rule| Candidate { rule, answers: false, free_bytes: None };
        let film = wanted(Some(LibraryKind::Movie), None);
        assert_eq!(
            choose(Choose::First, &film, &[down(&any), up(&movies, 1)]),
            Some((1, Why::Fits))
        );
        let series = wanted(Some(LibraryKind::Series), None);
        assert_eq!(choose(Choose::First, &series, &[down(&any), up(&movies, 1)]), None);
    }

    fn any_rule() -> impl Strategy<Value = ClientRule> {
        let kinds = prop::collection::vec(
            prop::sample::select(vec![LibraryKind::Movie, LibraryKind::Series, LibraryKind::Anime]),
            0..3,
        );
        let size = || prop::option::of(0..20_u64);
        (kinds, size(), size()).prop_map(|(kinds, min_size, max_size)| ClientRule {
            kinds,
            libraries: Vec::new(),
            min_size,
            max_size,
        })
    }

    proptest! {
        #[test]
        fn the_chosen_one_answers_and_none_fits_better(
            rules in prop::collection::vec((any_rule(), any::<bool>(), prop::option::of(0..9_u64)), 0..6),
            size_bytes in prop::option::of(0..20_u64), movie: bool, by_space: bool,
        ) {
            let wanted = wanted(movie.then_some(LibraryKind::Movie), size_bytes);
            let all: Vec<Candidate<'_>> = rules
                .iter()
                .map(|(rule, answers, free)| Candidate { rule, answers: *answers, free_bytes: *free })
                .collect();
            let how = if by_space { Choose::FreeSpace } else { Choose::First };
            let best = all.iter().map(|one| one.rule.fit(&wanted)).min();
            let could = |one: &Candidate<'_>| one.answers && Some(one.rule.fit(&wanted)) == best;
            match choose(how, &wanted, &all) {
                None => prop_assert!(!all.iter().any(could)),
                Some((index, _)) => {
                    prop_assert!(could(&all[index]));
                    let others = all.iter().enumerate().filter(|(_, one)| could(one));
                    for (other, one) in others {
                        match how {
                            Choose::First => prop_assert!(index <= other),
                            Choose::FreeSpace => prop_assert!(
                                one.free_bytes.unwrap_or(0) <= all[index].free_bytes.unwrap_or(0)
                            ),
                        }
                    }
                }
            }
        }
    }
}
