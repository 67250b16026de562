//! Works that nobody made: Latin and Cyrillic names, films of one name and year,
//! one a year apart, an animated series, a series with specials.

use tracker_domain::metadata::{Episode, Provider, SeasonOutline, Work, WorkId, WorkKind};
use tracker_domain::number::Date;

/// A work as the made-up sources know it.
#[derive(Debug)]
pub struct Entry {
    /// A film or a series.
    pub kind: WorkKind,
    /// Its number at TMDB.
    pub tmdb: u64,
    /// Its number at TVmaze, for series.
    pub tvmaze: Option<u64>,
    /// Its number at IMDb.
    pub imdb: &'static str,
    /// Languages and its name in each; English is among them.
    pub names: &'static [(&'static str, &'static str)],
    /// The language it was made in, which has a name too.
    pub language: &'static str,
    /// Names that are of no language.
    pub aliases: &'static [&'static str],
    /// The year of its first release.
    pub year: u16,
    /// Whether it is animated.
    pub animated: bool,
    /// How known it is, from 0 to 1.
    pub popularity: f64,
    /// Its seasons and how many episodes each has; 0 holds the specials.
    pub seasons: &'static [(u32, u32)],
}

/// A film with a Russian name of its own.
pub const HARBOUR: &Entry = &Entry {
    kind: WorkKind::Movie,
    tmdb: 1001,
    tvmaze: None,
    imdb: "tt9100001",
    names: &[("en", "The Quiet Harbour"), ("ru", "Тихая гавань"), ("de", "Der stille Hafen")],
    language: "ru",
    aliases: &["Tikhaya Gavan"],
    year: 2011,
    animated: false,
    popularity: 0.5,
    seasons: &[],
};

/// One of two films of one name and year.
pub const ORCHARD: &Entry = &Entry {
    kind: WorkKind::Movie,
    tmdb: 1002,
    tvmaze: None,
    imdb: "tt9100002",
    names: &[("en", "Iron Orchard"), ("ru", "Железный сад")],
    language: "en",
    aliases: &[],
    year: 2014,
    animated: false,
    popularity: 0.4,
    seasons: &[],
};

/// The other of the two films.
pub const OTHER_ORCHARD: &Entry = &Entry {
    kind: WorkKind::Movie,
    tmdb: 1003,
    tvmaze: None,
    imdb: "tt9100003",
    names: &[("en", "Iron Orchard"), ("de", "Eiserner Garten")],
    language: "de",
    aliases: &[],
    year: 2014,
    animated: false,
    popularity: 0.1,
    seasons: &[],
};

/// A film of that name, a year later.
pub const LATER_ORCHARD: &Entry = &Entry {
    kind: WorkKind::Movie,
    tmdb: 1004,
    tvmaze: None,
    imdb: "tt9100004",
    names: &[("en", "Iron Orchard")],
    language: "en",
    aliases: &[],
    year: 2015,
    animated: false,
    popularity: 0.2,
    seasons: &[],
};

/// A film whose number at TMDB a series has too.
pub const FERRY_FILM: &Entry = &Entry {
    kind: WorkKind::Movie,
    tmdb: 1010,
    tvmaze: None,
    imdb: "tt9100010",
    names: &[("en", "Night Over Brenna")],
    language: "en",
    aliases: &[],
    year: 1987,
    animated: false,
    popularity: 0.05,
    seasons: &[],
};

/// A series with the number of a film.
pub const FERRY: &Entry = &Entry {
    kind: WorkKind::Series,
    tmdb: 1010,
    tvmaze: Some(503),
    imdb: "tt9100011",
    names: &[("en", "Ash Ferry"), ("ru", "Пепельный паром")],
    language: "en",
    aliases: &[],
    year: 2021,
    animated: false,
    popularity: 0.3,
    seasons: &[(1, 8)],
};

/// A series with specials.
pub const LANTERNS: &Entry = &Entry {
    kind: WorkKind::Series,
    tmdb: 2001,
    tvmaze: Some(501),
    imdb: "tt9100021",
    names: &[("en", "Lanterns of Kesh"), ("ru", "Фонари Кеша"), ("fr", "Les Lanternes de Kesh")],
    language: "en",
    aliases: &["LoK"],
    year: 2016,
    animated: false,
    popularity: 0.7,
    seasons: &[(0, 2), (1, 6), (2, 4)],
};

/// An animated series whose episodes are also counted through: 1 to 50.
pub const COURIER: &Entry = &Entry {
    kind: WorkKind::Series,
    tmdb: 2002,
    tvmaze: Some(502),
    imdb: "tt9100022",
    names: &[("en", "Starfall Courier"), ("ja", "スターフォール急便"), ("ru", "Курьер звездопада")],
    language: "ja",
    aliases: &["Sutaforu Kyubin"],
    year: 2018,
    animated: true,
    popularity: 0.6,
    seasons: &[(1, 26), (2, 24)],
};

/// All of them, films first.
pub const ALL: &[&Entry] =
    &[HARBOUR, ORCHARD, OTHER_ORCHARD, LATER_ORCHARD, FERRY_FILM, FERRY, LANTERNS, COURIER];

impl Entry {
    /// What it goes by at a source; nothing where the source has it not.
    #[must_use]
    pub fn id(&self, provider: Provider) -> Option<WorkId> {
        let number = match provider {
            Provider::Tmdb => Some(self.tmdb),
            Provider::Tvmaze => self.tvmaze,
        };
        number.map(|number| WorkId { provider, kind: self.kind, number })
    }

    /// Its name in a language; nothing where it has none there.
    #[must_use]
    pub fn name(&self, language: &str) -> Option<&'static str> {
        self.names.iter().find(|(code, _)| *code == language).map(|(_, name)| *name)
    }

    /// Its name in the language it was made in.
    ///
    /// # Panics
    /// Never for an entry of the catalogue.
    #[must_use]
    pub fn original(&self) -> &'static str {
        self.name(self.language).expect("it has a name in its own language")
    }

    /// What it is about, in English.
    #[must_use]
    pub fn overview(&self) -> String {
        format!("Nobody has seen {:?} & nobody will.", self.name("en").unwrap_or_default())
    }

    /// The day of its first release.
    #[must_use]
    pub fn released(&self) -> String {
        format!("{}-03-05", self.year)
    }

    /// The work as a source describes it in full; nothing where it has it not.
    /// TVmaze keeps no season of specials.
    #[must_use]
    pub fn work(&self, provider: Provider, language: &str) -> Option<Work> {
        let id = self.id(provider)?;
        let title = self.name(language).unwrap_or_else(|| self.original());
        let tmdb = provider == Provider::Tmdb;
        let original = tmdb.then(|| self.original().to_owned());
        let others = self.names.iter().map(|(_, name)| *name).chain(self.aliases.iter().copied());
        let others = others.filter(|name| *name != title && original.as_deref() != Some(*name));
        let seasons = self.seasons.iter().filter(|(number, _)| tmdb || *number > 0);
        Some(Work {
            id,
            title: title.to_owned(),
            other_titles: others.map(str::to_owned).collect(),
            original_title: original,
            year: Some(i32::from(self.year)),
            overview: Some(self.overview()),
            poster: None,
            popularity: self.popularity,
            imdb: Some(self.imdb.to_owned()),
            language: Some(self.language.to_owned()),
            animated: self.animated,
            seasons: seasons
                .map(|(number, episodes)| SeasonOutline { number: *number, episodes: *episodes })
                .collect(),
        })
    }

    /// Its episodes, by season and number.
    #[must_use]
    pub fn episodes(&self) -> Vec<Episode> {
        let of_season = |&(season, count): &(u32, u32)| {
            (1..=count).map(move |number| Episode {
                season,
                number,
                title: if season == 0 {
                    format!("Extra {number}")
                } else {
                    format!("Part {season}.{number}")
                },
                date: self.day_of(season, number),
            })
        };
        self.seasons.iter().flat_map(of_season).collect()
    }

    fn day_of(&self, season: u32, number: u32) -> Option<Date> {
        let year = self.year + u16::try_from(season).ok()?;
        let month = u8::try_from(1 + number / 28).ok()?;
        Date::new(year, month, u8::try_from(1 + number % 28).ok()?)
    }
}

/// Whether every word of the question stands in one of the names, whatever the case.
#[must_use]
pub fn fits<'a>(question: &str, names: impl IntoIterator<Item = &'a str>) -> bool {
    let words: Vec<String> = question.split_whitespace().map(str::to_lowercase).collect();
    let holds = |name: &str| {
        let name = name.to_lowercase();
        let parts: Vec<&str> = name.split(|sign: char| !sign.is_alphanumeric()).collect();
        words.iter().all(|word| parts.contains(&word.as_str()))
    };
    !words.is_empty() && names.into_iter().any(holds)
}
