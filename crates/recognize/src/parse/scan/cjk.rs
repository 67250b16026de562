//! Numbers in Chinese and Japanese names: `第3季`, `第二季`, `第08集`.

use super::Scan;
use crate::parse::finding::{Cover, Strength};
use crate::parse::lex::Gap;

impl Scan<'_> {
    /// `第3季`, `第二季`, `第08集`, and what is said of a list in Chinese.
    pub(super) fn cjk(&mut self, at: usize) -> Option<usize> {
        let word = self.lex.word(at);
        // `★04月新番`: when it was new, and who wrote the subtitles.
        if word.contains("新番") {
            let from = if at > 0 && self.digits(at - 1, 2).is_some() { at - 1 } else { at };
            self.cover(from, at + 1, Cover::Site);
            return Some(at + 1);
        }
        if let Some(head) = word.strip_suffix('第') {
            let list = self.list(at + 1, false)?;
            let (numbers, next) = (list.numbers, list.next);
            let unit = self.lex.word(next);
            let from = if head.is_empty() { at } else { at + 1 };
            if unit.starts_with(['季', '期']) {
                self.add_seasons(&numbers, from, next + 1, "season word");
                return Some(next + 1);
            }
            if unit.starts_with(['集', '话', '話', '回']) {
                self.add_episodes(&numbers, Strength::Marked, from, next + 1, "episode word");
                return Some(next + 1);
            }
            return None;
        }
        // `시즌2 12화`
        if word.ends_with("시즌") {
            let season = self.digits(at + 1, 2)?;
            self.add_seasons(&[season], at, at + 2, "season word");
            return Some(at + 2);
        }
        if word.starts_with(['화', '회'])
            && let Some(number) = at.checked_sub(1).and_then(|before| self.digits(before, 4))
            && self.lex.gap(at) == Gap::NONE
        {
            self.add_episodes(&[number], Strength::Marked, at - 1, at + 1, "episode word");
            return Some(at + 1);
        }
        let (_, rest) = word.split_once('第')?;
        let numeral: String = rest.chars().take_while(|one| chinese(*one).is_some()).collect();
        let unit = rest.get(numeral.len()..)?.chars().next()?;
        let number = chinese_number(&numeral)?;
        match unit {
            '季' | '期' => self.add_seasons(&[number], at, at + 1, "season word"),
            '集' | '话' | '話' | '回' => {
                self.add_episodes(&[number], Strength::Marked, at, at + 1, "episode word");
            }
            _ => return None,
        }
        Some(at + 1)
    }
}

fn chinese(character: char) -> Option<u32> {
    "一二三四五六七八九十"
        .chars()
        .position(|one| one == character)
        .and_then(|at| u32::try_from(at + 1).ok())
}

/// `二`, `十`, `十二`, `二十`, `二十三`.
fn chinese_number(text: &str) -> Option<u32> {
    let mut total = 0;
    let mut last = 0;
    for character in text.chars() {
        match chinese(character)? {
            10 => {
                total += if last == 0 { 10 } else { last * 10 };
                last = 0;
            }
            digit => last = digit,
        }
    }
    Some(total + last).filter(|number| *number > 0)
}
