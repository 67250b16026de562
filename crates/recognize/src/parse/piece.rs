//! Numbers inside one token: `s01e02e03`, `1x02`, `ep05v2`, `s0615`.

/// The numbers of one token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Seasons, as written.
    pub seasons: Vec<u32>,
    /// Episodes, as written.
    pub episodes: Vec<u32>,
    /// The version behind them.
    pub version: Option<u32>,
    /// Written with a cross: `1x02`.
    pub crossed: bool,
    /// How many digits the first episode has.
    pub digits: usize,
    /// A letter behind the number: a part of an episode.
    pub half: bool,
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn eat(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn eat_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.eat(word))
    }

    /// Up to `most` digits, and how many there were.
    fn digits(&mut self, most: usize) -> Option<(u32, usize)> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 || count > most {
            return None;
        }
        let (digits, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        let number = digits.iter().fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
        Some((number, count))
    }

    const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }
}

/// The words that stand before an episode number within one token.
const EPISODE: &[&str] = &["episode", "eps", "ep", "e", "серия", "серии", "эпизод"];
const SEASON: &[&str] = &["season", "saison", "staffel", "temporada", "sezon", "сезон", "sn", "s"];

/// Reads a token in lower case with Latin look-alikes.
pub fn numbers(word: &str) -> Option<Numbers> {
    let mut cursor = Cursor { rest: word.as_bytes() };
    let first = *cursor.rest.first()?;
    let mut found = Numbers::default();
    if first.is_ascii_digit() {
        crossed(&mut cursor, &mut found)?;
    } else if cursor.eat_any(SEASON) {
        // `sn101` is a name in short and a number.
        let name = word.strip_prefix("sn").filter(|rest| rest.len() > 2);
        if name.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
            return None;
        }
        seasoned(&mut cursor, &mut found)?;
    } else if word.len() == 6 && cursor.eat("t") {
        // `T02E05`, a temporada and an episode; `T1000` is none.
        seasoned(&mut cursor, &mut found).filter(|()| !found.episodes.is_empty())?;
    } else if cursor.eat_any(EPISODE) {
        let (episode, digits) = cursor.digits(5)?;
        found.episodes.push(episode);
        found.digits = digits;
        more_episodes(&mut cursor, &mut found)?;
    } else {
        return None;
    }
    version(&mut cursor, &mut found);
    // `S01E02a`: half an episode.
    if cursor.rest.len() == 1 && !found.episodes.is_empty() && !found.crossed {
        found.half = cursor.eat_any(&["a", "b", "c"]);
    }
    cursor.is_at_end().then_some(found)
}

/// `1x02`, `01x02x03`, `2009x09`.
fn crossed(cursor: &mut Cursor<'_>, found: &mut Numbers) -> Option<()> {
    let (season, season_digits) = cursor.digits(4)?;
    if !cursor.eat("x") {
        return None;
    }
    cursor.eat("e");
    // `1xAll`
    if season_digits <= 2 && cursor.rest == b"all" {
        cursor.rest = &[];
        found.seasons.push(season);
        return Some(());
    }
    let (episode, digits) = cursor.digits(4)?;
    // 16x9 is the shape of a picture, 1920x1080 its size, 0x539 a number of
    // programmers.
    if matches!((season, episode, digits), (16 | 21, 9, 1) | (4, 3, 1)) {
        return None;
    }
    if season == 0 && digits > 2 {
        return None;
    }
    let width = matches!(season, 1920 | 1998 | 2048) || episode > 399;
    if season_digits >= 3 && (digits >= 3 && width || !(1900..2100).contains(&season)) {
        return None;
    }
    found.crossed = true;
    found.digits = digits;
    found.seasons.push(season);
    found.episodes.push(episode);
    while cursor.eat("x") {
        found.episodes.push(cursor.digits(3)?.0);
    }
    Some(())
}

/// `s01`, `s01e02`, `s01s02`, `s0615`.
fn seasoned(cursor: &mut Cursor<'_>, found: &mut Numbers) -> Option<()> {
    let (season, digits) = cursor.digits(6)?;
    if cursor.is_at_end() && (digits == 4 && !(1900..2100).contains(&season) || digits == 6) {
        let (season, episode) = if digits == 4 {
            (season / 100, season % 100)
        } else {
            return None;
        };
        found.seasons.push(season);
        found.episodes.push(episode);
        found.digits = 2;
        return Some(());
    }
    if digits > 4 {
        return None;
    }
    found.seasons.push(season);
    while cursor.eat("s") {
        found.seasons.push(cursor.digits(4)?.0);
    }
    if cursor.eat_any(&["xe", "ep", "e", "x"]) {
        let (episode, digits) = cursor.digits(5)?;
        found.episodes.push(episode);
        found.digits = digits;
        more_episodes(cursor, found)?;
    } else if matches!(cursor.rest, b"extras" | b"complete") {
        cursor.rest = &[];
    } else if cursor.eat_any(&["dvd", "d"]) {
        // `S04DVD7`: a disc of a season.
        cursor.digits(2)?;
    }
    Some(())
}

fn more_episodes(cursor: &mut Cursor<'_>, found: &mut Numbers) -> Option<()> {
    while cursor.eat_any(&["ep", "e", "x"]) {
        found.episodes.push(cursor.digits(4)?.0);
    }
    Some(())
}

fn version(cursor: &mut Cursor<'_>, found: &mut Numbers) {
    if let [b'v', digit @ b'0'..=b'9'] = cursor.rest {
        found.version = Some(u32::from(digit - b'0'));
        cursor.rest = &[];
    }
}

/// `x03` behind a season: an episode, where `x264` is a codec.
pub fn cross(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('x').filter(|digits| digits.len() == 2)?;
    digits.parse().ok()
}

/// Where `S01E02` or `1x02` begins and ends that is glued to other words:
/// `NameS01E02`, `S01E02Name`. `raw` is the token as written.
pub fn glued(raw: &str) -> Option<(usize, usize)> {
    let bytes = raw.as_bytes();
    let digits =
        |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = 0;
    while at + 5 < bytes.len() {
        let letter = at.checked_sub(1).and_then(|before| bytes.get(before));
        let begins = letter.is_none_or(|before| before.is_ascii_lowercase());
        let byte = bytes.get(at).copied().unwrap_or(0);
        if begins && (byte == b'S' || at == 0 && byte == b's') && digits(at + 1) == 2 {
            let mark = bytes.get(at + 3).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'e'));
            let count = digits(at + 4);
            if mark && (2..=3).contains(&count) {
                return Some((at, at + 4 + count));
            }
        }
        at += 1;
    }
    glued_cross(bytes)
}

/// `Name1x02`: a cross at the end of a word.
fn glued_cross(bytes: &[u8]) -> Option<(usize, usize)> {
    let [front @ .., season, b'x', one, two] = bytes else { return None };
    let word = front.last().is_some_and(u8::is_ascii_lowercase) && front.len() > 2;
    let digits = [season, one, two].into_iter().all(u8::is_ascii_digit);
    (word && digits).then_some((front.len(), bytes.len()))
}

/// A number with a version behind it: `01v2`.
pub fn versioned(word: &str) -> Option<(u32, u32)> {
    let mut cursor = Cursor { rest: word.as_bytes() };
    let (number, _) = cursor.digits(4)?;
    let mut found = Numbers::default();
    version(&mut cursor, &mut found);
    found.version.filter(|_| cursor.is_at_end()).map(|version| (number, version))
}

/// `2of4`: the number and the count.
pub fn number_of(word: &str) -> Option<(u32, u32)> {
    let (number, count) = word.split_once("of")?;
    let (number, count) = (number.parse().ok()?, count.parse().ok()?);
    (number <= count).then_some((number, count))
}

/// `1920x1080`: width and height.
pub fn picture(word: &str) -> Option<(u32, u32)> {
    let mut cursor = Cursor { rest: word.as_bytes() };
    let (width, w) = cursor.digits(4)?;
    if !cursor.eat("x") {
        return None;
    }
    let (height, h) = cursor.digits(4)?;
    // Of a progressive picture some write the letter as well.
    cursor.eat_any(&["p", "i"]);
    (w >= 3 && h >= 3 && cursor.is_at_end()).then_some((width, height))
}

/// `1st`, `2nd`, `3rd`, `11th`: the number.
pub fn ordinal(word: &str) -> Option<u32> {
    let mut cursor = Cursor { rest: word.as_bytes() };
    let (number, _) = cursor.digits(3)?;
    (cursor.eat_any(&["st", "nd", "rd", "th", "ª", "º", "й", "я", "ый", "ой", "a", "ème"])
        && cursor.is_at_end())
    .then_some(number)
}

/// `SP1`, `OVA02`: the number of a special.
pub fn special(word: &str) -> Option<u32> {
    let digits =
        ["sp", "ova", "oad", "oav", "ona"].into_iter().find_map(|kind| word.strip_prefix(kind))?;
    let short = (1..=3).contains(&digits.len());
    digits.parse().ok().filter(|_| short)
}

/// A Roman number from 2 to 20, in lower case.
pub fn roman(word: &str) -> Option<u32> {
    const ROMAN: &[&str] = &[
        "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv",
        "xvi", "xvii", "xviii", "xix", "xx",
    ];
    let at = ROMAN.iter().position(|roman| *roman == word)?;
    u32::try_from(at + 2).ok()
}

/// Latin letters for the Cyrillic ones that look like them, where people mix them
/// up: `03х01`, `1080р`, `с01е02`.
pub fn latin(word: &str) -> String {
    word.chars()
        .map(|character| match character {
            'х' => 'x',
            'с' => 's',
            'е' => 'e',
            'р' => 'p',
            'в' => 'b',
            'э' => 'e',
            'ѕ' => 's',
            'і' => 'i',
            other => other,
        })
        .collect()
}

/// A word that mixes Latin letters with Cyrillic ones that look like them, in
/// Latin letters: `Тhе` is `The`. `None` where it is not such a word.
pub fn unmixed(word: &str) -> Option<String> {
    const ALIKE: &[(char, char)] = &[
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('і', 'i'),
        ('ѕ', 's'),
        ('ј', 'j'),
        ('А', 'A'),
        ('В', 'B'),
        ('Е', 'E'),
        ('К', 'K'),
        ('М', 'M'),
        ('Н', 'H'),
        ('О', 'O'),
        ('Р', 'P'),
        ('С', 'C'),
        ('Т', 'T'),
        ('У', 'Y'),
        ('Х', 'X'),
        ('І', 'I'),
        ('Ѕ', 'S'),
    ];
    let is_latin = |one: char| one.is_ascii_alphabetic();
    let is_cyrillic = |one: char| ('\u{400}'..='\u{52f}').contains(&one);
    if !word.chars().any(is_latin) || !word.chars().any(is_cyrillic) {
        return None;
    }
    word.chars()
        .map(|one| match ALIKE.iter().find(|(cyrillic, _)| *cyrillic == one) {
            Some((_, latin)) => Some(*latin),
            None => Some(one).filter(|one| !is_cyrillic(*one)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> Option<(Vec<u32>, Vec<u32>)> {
        numbers(word).map(|found| (found.seasons, found.episodes))
    }

    #[test]
    fn numbers_within_one_token() {
        let cases: &[(&str, &[u32], &[u32])] = &[
            ("s01e02", &[1], &[2]),
            ("s01e02e03", &[1], &[2, 3]),
            ("s2013e14", &[2013], &[14]),
            ("s0615", &[6], &[15]),
            ("s01", &[1], &[]),
            ("s01s02", &[1, 2], &[]),
            ("season1", &[1], &[]),
            ("1x02", &[1], &[2]),
            ("01x02x03", &[1], &[2, 3]),
            ("2009x09", &[2009], &[9]),
            ("e05", &[], &[5]),
            ("ep05e06", &[], &[5, 6]),
            ("s01ep02", &[1], &[2]),
            ("s01e02a", &[1], &[2]),
            ("s2013", &[2013], &[]),
        ];
        for (word, seasons, episodes) in cases {
            assert_eq!(read(word), Some((seasons.to_vec(), episodes.to_vec())), "{word}");
        }
        for word in [
            "",
            "s",
            "e",
            "x264",
            "1920x1080",
            "sea1",
            "s01e",
            "12",
            "3d",
            "s1234567",
            "e123456",
            "1x",
        ] {
            assert_eq!(read(word), None, "{word}");
        }
        assert_eq!(numbers("s01e02v3").unwrap().version, Some(3));
        assert_eq!(numbers(&latin("03х01")).unwrap().episodes, [1]);
    }

    #[test]
    fn other_numbers() {
        assert_eq!(picture("1920x1080"), Some((1920, 1080)));
        assert_eq!(picture("1x02"), None);
        assert_eq!(ordinal("2nd"), Some(2));
        assert_eq!(ordinal("2"), None);
        assert_eq!(roman("iv"), Some(4));
        assert_eq!(versioned("01v2"), Some((1, 2)));
        assert_eq!(versioned("1"), None);
    }
}
