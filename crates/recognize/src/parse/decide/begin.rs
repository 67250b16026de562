//! Where the title begins: behind sites, the tag of a group, a day in front.

use super::Family;
use crate::parse::finding::{Cover, Strength};
use crate::parse::lex::{Bracket, Class, Gap};
use crate::parse::scan::Scan;
use crate::parse::vocab::{Tag, look_up};

/// More sites and tags than these are in front of no title.
const MOST_IN_FRONT: usize = 4;

/// The first token of the title, and the tag in brackets in front of it.
pub(super) fn begin(scan: &Scan<'_>) -> (usize, Option<(usize, usize)>) {
    let lex = &scan.lex;
    let mut at = behind_number(scan);
    let mut lead = None;
    for _ in 0..MOST_IN_FRONT {
        if scan.cover.get(at) == Some(&Cover::Site) {
            at = behind_site(scan, at);
            continue;
        }
        // `1080p - Title`, `h265 HEVC Title`
        let picture = |at: usize| {
            matches!(scan.cover.get(at), Some(Cover::Strong(Tag::Resolution(_) | Tag::Video(_))))
                && lex.is_outside(at)
        };
        let behind = (at..at + 3).find(|at| !picture(*at)).unwrap_or(at);
        if behind > at && scan.cover.get(behind) == Some(&Cover::Word) {
            at = behind;
        }
        let opens = |bracket: &&Bracket| lex.gap(at).any(Gap::OPEN) && bracket.first as usize == at;
        let Some(bracket) = lex.bracket_of(at).filter(opens) else { break };
        let (first, last) = (at, bracket.last as usize);
        if last >= lex.tokens.len() || bracket.outer != 0 {
            break;
        }
        // A second bracket is skipped as well where the title stands outside.
        if lead.is_some() && !words_outside(scan, last) {
            break;
        }
        let Some(names) = in_front(scan, bracket) else { break };
        if names && lead.is_none() {
            lead = Some((first, last));
        }
        at = last;
    }
    (at, lead)
}

/// Behind a day or an episode with which the name begins.
fn behind_number(scan: &Scan<'_>) -> usize {
    let lex = &scan.lex;
    let says_episode = || look_up(lex.word(0)).is_some_and(|known| known.tag == Tag::Episode);
    // `Episode 14 Title`
    if scan.cover.first() == Some(&Cover::Number)
        && scan.strength == Some(Strength::Marked)
        && says_episode()
    {
        let behind = scan.cover.iter().take_while(|cover| **cover == Cover::Number).count();
        if lex.gap(behind).plain() && scan.cover.get(behind) == Some(&Cover::Word) {
            return behind;
        }
    }
    // `S02E05 Name`: what comes behind is all there is.
    if scan.cover.first() == Some(&Cover::Number) && scan.strength == Some(Strength::Full) {
        let behind = scan.cover.iter().take_while(|cover| **cover == Cover::Number).count();
        let gap = lex.gap(behind);
        let goes_on = gap.plain() || gap.has(Gap::DASH) && !gap.any(Gap::OPEN.and(Gap::CLOSE));
        if goes_on && scan.cover.get(behind) == Some(&Cover::Word) && lex.is_outside(behind) {
            return behind;
        }
    }
    // `221201 Title ep05`: the day of the broadcast in front.
    let is_day = |number: u32| {
        (1..=12).contains(&(number / 100 % 100)) && (1..=31).contains(&(number % 100))
    };
    let day = lex.get(0).filter(|token| token.len() == 6).and_then(|token| token.number);
    let broadcast = day.is_some_and(is_day) && lex.gap(1) == Gap::SPACE && scan.strength.is_some();
    // `37 [Group] Title - 37`
    let listed = lex.get(0).is_some_and(|token| token.class == Class::Digits && token.len() <= 3)
        && lex.gap(1) == Gap::SPACE.and(Gap::OPEN)
        && lex.bracket_of(1).is_some_and(|bracket| !bracket.round)
        && scan.cover.get(1) == Some(&Cover::Word)
        && scan.bare.iter().skip(1).any(|bare| {
            let said = bare.numbers.first().and_then(|number| number.as_whole());
            said.is_some() && said == lex.get(0).and_then(|token| token.number)
        });
    usize::from(broadcast || listed)
}

/// Behind a site, and behind what else stands in its bracket.
fn behind_site(scan: &Scan<'_>, from: usize) -> usize {
    let lex = &scan.lex;
    let sites = scan.cover.iter().skip(from).take_while(|cover| **cover == Cover::Site).count();
    let mut at = from + sites;
    let bracket =
        |at: usize| lex.get(at).map(|token| token.bracket).filter(|bracket| *bracket != 0);
    while at > 0 && bracket(at).is_some() && bracket(at) == bracket(at - 1) {
        at += 1;
    }
    at
}

/// Whether a bracket in front of the title may name the group; `None` where it
/// belongs to the title.
fn in_front(scan: &Scan<'_>, bracket: &Bracket) -> Option<bool> {
    let lex = &scan.lex;
    let (first, last) = (bracket.first as usize, bracket.last as usize);
    let covers = scan.cover.get(first..last)?;
    let tokens = lex.tokens.get(first..last)?;
    let digits = tokens.iter().all(|token| token.class == Class::Digits);
    let index = tokens.first().is_some_and(|token| token.len() <= 2);
    let year = covers.first() == Some(&Cover::Year);
    let says_number = covers.iter().any(|cover| matches!(cover, Cover::Number | Cover::Date));
    if says_number || bracket.round && digits && !year && !index {
        return None;
    }
    let says_tags = covers
        .iter()
        .all(|cover| matches!(cover, Cover::Strong(_) | Cover::Weak(_) | Cover::Year | Cover::Crc));
    Some(!says_tags && !digits && !covers.contains(&Cover::Site))
}

/// Whether words stand outside of brackets from here to the first hard mark.
fn words_outside(scan: &Scan<'_>, from: usize) -> bool {
    for at in from..scan.lex.tokens.len() {
        match scan.cover.get(at) {
            Some(Cover::Word)
                if scan.lex.is_outside(at)
                    && scan.lex.get(at).is_some_and(|token| token.class != Class::Digits) =>
            {
                return true;
            }
            Some(Cover::Word | Cover::Weak(_) | Cover::Year | Cover::Site) => {}
            _ => return false,
        }
    }
    false
}

pub(super) fn family(scan: &Scan<'_>, start: usize, lead: Option<(usize, usize)>) -> Family {
    let lex = &scan.lex;
    let cyrillic = lex
        .tokens
        .iter()
        .take(start + 60)
        .any(|token| token.class == Class::Cyrillic && token.bracket == 0 && token.len() > 4);
    let crc = scan.cover.contains(&Cover::Crc);
    if cyrillic {
        Family::Russian
    } else if (lead.is_some() && !lex.bracket_of(0).is_some_and(|bracket| bracket.round)) || crc {
        Family::Anime
    } else if lex.tokens.iter().skip(1).any(|token| token.gap == Gap::DOT)
        && !lex.text.bytes().any(|byte| byte == b' ')
    {
        Family::Scene
    } else {
        Family::Plain
    }
}
