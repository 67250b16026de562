//! What can be read in two ways.

use tracker_domain::recognised::TitleKind;
use tracker_domain::remark::Remark;

use super::Collector;
use crate::parse::decide::Family;
use crate::parse::finding::Cover;
use crate::parse::lex::Gap;
use crate::parse::vocab::Tag;

impl Collector<'_, '_> {
    /// What keeps the name from being plain.
    pub(super) fn ambiguities(&self) -> Vec<Remark> {
        let mut found = Vec::new();
        let film = self.fields.kind == Some(TitleKind::Movie);
        if film && self.layout.lead.is_some() {
            found.push(Remark::TagInFront);
        }
        let chosen = self.layout.year.map_or(0..0, |(_, _, from, to)| from..to);
        let other = (self.layout.start + 1..self.scan.lex.tokens.len()).any(|at| {
            let number = self.scan.lex.get(at).and_then(|token| token.number).unwrap_or(0);
            self.scan.cover.get(at) == Some(&Cover::Year) && number <= 2035 && !chosen.contains(&at)
        });
        if film && other {
            found.push(Remark::SeveralYears);
        }
        let last =
            self.layout.names.first().and_then(|(_, to)| self.scan.cover.get(to.checked_sub(1)?));
        let in_title =
            matches!(last, Some(Cover::Weak(Tag::Edition(_) | Tag::Complete | Tag::Cut)));
        // `Title.German.2011`: left out of the title, and it might belong to it.
        let left_out = chosen.start.checked_sub(1).is_some_and(|at| {
            let word = self.scan.cover.get(at);
            self.layout.end == at
                && matches!(word, Some(Cover::Weak(Tag::Edition(_) | Tag::Language(_))))
        });
        if film && (in_title || left_out) {
            found.push(Remark::WordOfRelease);
        }
        // `Class of 1999 II 1080p`
        let behind = self.layout.year.filter(|(.., to)| {
            let word =
                self.scan.cover.get(*to) == Some(&Cover::Word) && self.scan.lex.is_outside(*to);
            word && !self.scan.lex.gap(*to).any(Gap::CLOSE.and(Gap::DASH).and(Gap::SLASH))
        });
        if film && behind.is_some() {
            found.push(Remark::YearOrTitle);
        }
        // `45.13.2020` is no day, and a title hardly ends like that.
        let lex = &self.scan.lex;
        let like_a_day = self.layout.year.is_some_and(|(_, _, at, _)| {
            let short = |at: usize| {
                lex.get(at).is_some_and(|token| token.number.is_some() && token.len() <= 2)
            };
            let gap = lex.gap(at);
            at >= 2
                && short(at - 1)
                && short(at - 2)
                && gap == lex.gap(at - 1)
                && matches!(gap, Gap::DOT | Gap::DASH)
        });
        let in_front = self.layout.year.is_some_and(|(.., to)| to == self.layout.start);
        if film && (like_a_day || in_front) {
            found.push(Remark::YearOrTitle);
        }
        if !self.fields.episodes.is_empty() && self.scan.cover.contains(&Cover::Strong(Tag::Part)) {
            found.push(Remark::PartBesideNumber);
        }
        found.extend(self.scan.odd.clone());
        let lower = !lex.text.bytes().any(|byte| byte.is_ascii_uppercase());
        let hyphen =
            lex.gap(self.layout.start + 1) == Gap::DASH && self.layout.end > self.layout.start + 2;
        if lower && hyphen && self.layout.family == Family::Scene {
            found.push(Remark::GroupOrTitle);
        }
        if film && self.layout.names.len() + self.layout.asides.len() > 1 {
            found.push(Remark::SeveralNames);
        }
        found
    }
}
