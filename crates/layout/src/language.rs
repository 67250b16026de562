//! Languages and marks in the names of sidecars, as media servers read them.

/// What one word of a sidecar's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A language by its ISO 639-1 code.
    Language(&'static str),
    /// What kind of track: `forced`, `sdh`, `cc`, `default`.
    Mark(&'static str),
}

/// Words of folders that hold sidecars and name no language.
fn is_holder(word: &str) -> bool {
    matches!(
        word,
        "subs"
            | "sub"
            | "subtitles"
            | "subtitle"
            | "субтитры"
            | "сабы"
            | "sound"
            | "sounds"
            | "audio"
            | "dub"
            | "dubs"
            | "озвучка"
            | "звук"
            | "srt"
            | "ass"
            | "chapters"
            | "chapter"
    )
}

/// The ISO 639-1 code of a language by its codes of ISO 639 or a name of it, in
/// lower case.
pub fn language(word: &str) -> Option<&'static str> {
    Some(match word {
        "en" | "eng" | "english" | "английский" | "английские" | "англ" => {
            "en"
        }
        "ru" | "rus" | "russian" | "русский" | "русские" | "русская" | "рус" => {
            "ru"
        }
        "uk"
        | "ukr"
        | "ukrainian"
        | "українська"
        | "українські"
        | "украинский"
        | "украинские"
        | "укр" => "uk",
        "be" | "bel" | "belarusian" => "be",
        "bg" | "bul" | "bulgarian" => "bg",
        "ar" | "ara" | "arabic" => "ar",
        "ca" | "cat" | "catalan" => "ca",
        "cs" | "cze" | "ces" | "czech" => "cs",
        "da" | "dan" | "danish" => "da",
        "de" | "ger" | "deu" | "german" | "deutsch" | "немецкий" => "de",
        "el" | "gre" | "ell" | "greek" => "el",
        "es" | "spa" | "spanish" | "castilian" | "español" | "espanol" | "испанский" => {
            "es"
        }
        "et" | "est" | "estonian" => "et",
        "eu" | "baq" | "eus" | "basque" => "eu",
        "fa" | "per" | "fas" | "persian" | "farsi" => "fa",
        "fi" | "fin" | "finnish" => "fi",
        "fr" | "fre" | "fra" | "french" | "français" | "francais" | "французский" => {
            "fr"
        }
        "gl" | "glg" | "galician" => "gl",
        "he" | "heb" | "hebrew" => "he",
        "hi" | "hin" | "hindi" => "hi",
        "hr" | "hrv" | "croatian" => "hr",
        "hu" | "hun" | "hungarian" => "hu",
        "hy" | "arm" | "hye" | "armenian" => "hy",
        "id" | "ind" | "indonesian" => "id",
        "is" | "ice" | "isl" | "icelandic" => "is",
        "it" | "ita" | "italian" | "italiano" | "итальянский" => "it",
        "ja" | "jpn" | "jap" | "japanese" | "японский" => "ja",
        "ka" | "geo" | "kat" | "georgian" => "ka",
        "kk" | "kaz" | "kazakh" => "kk",
        "ko" | "kor" | "korean" => "ko",
        "lt" | "lit" | "lithuanian" => "lt",
        "lv" | "lav" | "latvian" => "lv",
        "mk" | "mac" | "mkd" | "macedonian" => "mk",
        "ms" | "may" | "msa" | "malay" => "ms",
        "nl" | "dut" | "nld" | "dutch" => "nl",
        "no" | "nor" | "nob" | "norwegian" => "no",
        "pl" | "pol" | "polish" | "polski" => "pl",
        "pt" | "por" | "portuguese" | "brazilian" | "português" => "pt",
        "ro" | "rum" | "ron" | "romanian" => "ro",
        "sk" | "slo" | "slk" | "slovak" => "sk",
        "sl" | "slv" | "slovenian" => "sl",
        "sr" | "srp" | "serbian" => "sr",
        "sv" | "swe" | "swedish" => "sv",
        "ta" | "tam" | "tamil" => "ta",
        "te" | "tel" | "telugu" => "te",
        "th" | "tha" | "thai" => "th",
        "tr" | "tur" | "turkish" => "tr",
        "vi" | "vie" | "vietnamese" => "vi",
        "zh" | "chi" | "zho" | "chinese" | "chs" | "cht" | "китайский" => "zh",
        _ => return None,
    })
}

/// What one word says; `after` is whether a language was named before it: alone
/// `hi` is Hindi, behind a language it is for the hard of hearing.
fn word(text: &str, after: bool) -> Option<Word> {
    Some(match text {
        "forced" | "форсированные" | "надписи" => Word::Mark("forced"),
        "sdh" => Word::Mark("sdh"),
        "hi" if after => Word::Mark("sdh"),
        "cc" => Word::Mark("cc"),
        "default" => Word::Mark("default"),
        other => Word::Language(language(other)?),
    })
}

/// The words of a text, in lower case.
fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|one: char| !one.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
}

/// What a text says; whether it says nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The words that are known, as `.en.forced`.
    pub tail: String,
    /// A language is among them.
    pub language: bool,
    /// There are words, and each is known or a number.
    pub nothing_else: bool,
}

/// Reads the words of a sidecar's name, or of the end of it.
pub fn said(text: &str) -> Said {
    let mut said = Said::default();
    let (mut words, mut known) = (0_usize, 0_usize);
    let mut told: Vec<&'static str> = Vec::new();
    for part in split(text) {
        words += 1;
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            known += 1;
            continue;
        }
        let Some(found) = word(&part, said.language) else {
            known += usize::from(is_holder(&part));
            continue;
        };
        known += 1;
        let text = match found {
            Word::Language(code) => {
                said.language = true;
                code
            }
            Word::Mark(mark) => mark,
        };
        if !told.contains(&text) {
            told.push(text);
        }
    }
    said.nothing_else = words > 0 && words == known;
    if !said.nothing_else {
        // `is` and `no` are words of sentences as well.
        said.language =
            split(text).any(|part| part.chars().count() > 2 && language(&part).is_some());
        let long = |code: &&str| {
            code.len() > 2
                || split(text)
                    .any(|part| part.chars().count() > 2 && language(&part) == Some(*code))
                || *code == "cc"
        };
        told.retain(|code| long(code));
    }
    for text in told {
        said.tail.push('.');
        said.tail.push_str(text);
    }
    said
}

/// The language that a folder holds, where it holds nothing else.
pub fn of_folder(folder: &str) -> Option<&'static str> {
    let said = said(folder);
    let mut found = split(folder).filter_map(|part| language(&part));
    let only = found.next().filter(|only| found.all(|other| other == *only));
    only.filter(|_| said.nothing_else)
}

/// Whether a folder holds sidecars: `Subs`, `Rus Sub`, `eng`.
pub fn holds_sidecars(folder: &str) -> bool {
    !folder.bytes().all(|byte| byte.is_ascii_digit()) && said(folder).nothing_else
}
