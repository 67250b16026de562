//! Names of Russian trackers.

use tracker_testkit::spec;

use super::check;

#[test]
fn russian_trackers() {
    spec!("recognition#names-of-every-custom/names-of-russian-trackers");
    check(&[
        (
            "Стальной луг / Iron Meadow / Сезон: 2 / Серии: 1-6 из 12 (Иван Петров) [2019, драма, WEB-DLRip] MVO (LostFilm)",
            "episode_count=12 | episodes=1-6 | kind=series | seasons=2 | source=web-dl | title=Iron Meadow | title_orig=Iron Meadow | title_ru=Стальной луг | year=2019",
        ),
        (
            "Стальной луг (2 сезон: 1-8 серии из 8) / Iron Meadow / 2019 / ЛМ / HDTVRip (720p)",
            "episode_count=8 | episodes=1-8 | kind=series | resolution=720p | seasons=2 | source=hdtv | title=Iron Meadow | title_orig=Iron Meadow | title_ru=Стальной луг | year=2019",
        ),
        (
            "Стальной луг / Iron Meadow (2018-2021) WEB-DL [H.264/1080p-LQ] (сезон 1-3, серии 1-24 из 24)",
            "episode_count=24 | episodes=1-24 | kind=series | resolution=1080p | seasons=1-3 | source=web-dl | title=Iron Meadow | title_orig=Iron Meadow | title_ru=Стальной луг | video_codec=h264 | year=2018 | year_end=2021",
        ),
        (
            "Стеклянный сад / The Glass Orchard (2014) BDRemux 1080p | D, A",
            "kind=movie | remux=true | resolution=1080p | source=bluray | title=The Glass Orchard | title_orig=The Glass Orchard | title_ru=Стеклянный сад | year=2014",
        ),
        (
            "Стальной луг [03х01-07 из 10] (2019) WEBRip 1080р",
            "episode_count=10 | episodes=1-7 | kind=series | resolution=1080p | seasons=3 | source=webrip | title=Стальной луг | title_ru=Стальной луг | year=2019",
        ),
        (
            "Стальной.луг.S02E04.WEB-DL",
            "episodes=4 | kind=series | seasons=2 | source=web-dl | title=Стальной луг | title_ru=Стальной луг",
        ),
        (
            "Тихая гавань (12 серий из 12) [2020, детектив, SATRip]",
            "episode_count=12 | episodes=1-12 | kind=series | source=tv | title=Тихая гавань | title_ru=Тихая гавань | year=2020",
        ),
        (
            "Тихая гавань / Quiet Harbour (ТВ-2) [12 из 12] [2020, фэнтези, BDRip]",
            "episode_count=12 | episodes=1-12 | kind=series | seasons=2 | source=bluray | title=Quiet Harbour | title_orig=Quiet Harbour | title_ru=Тихая гавань | year=2020",
        ),
    ]);
}

#[test]
fn reports_of_russian_trackers() {
    spec!("recognition#names-of-every-custom/names-of-russian-trackers");
    check(&[
        (
            "Босх: Спадок (S2E1-4) / Bosch: Legacy (S2E1-4) (2023) WEB-DL 1080p Ukr/Eng | sub Eng",
            "episodes=1-4 | kind=series | languages=en,uk | resolution=1080p | seasons=2 | source=web-dl | title=Bosch: Legacy | title_orig=Bosch: Legacy | title_ru=Босх: Спадок | year=2023",
        ),
        (
            "Тихий лiс (S1E1-6) / Quiet Wood (S1E1-6) (2021) WEB-DL 1080p Ukr/Eng",
            "episodes=1-6 | kind=series | languages=en,uk | resolution=1080p | seasons=1 | source=web-dl | title=Quiet Wood | title_orig=Quiet Wood | title_ru=Тихий лiс | year=2021",
        ),
        (
            "Настоящий детектив / True Detective (2019) WEB-DL [H.264/1080p-LQ] (сезон 3, серии 1-8 из 8) TVShows",
            "episode_count=8 | episodes=1-8 | kind=series | resolution=1080p | seasons=3 | source=web-dl | title=True Detective | title_orig=True Detective | title_ru=Настоящий детектив | video_codec=h264 | year=2019",
        ),
        (
            "Настоящий детектив (3 сезон: 1-8 серии из 8) / True Detective / 2019 / ПМ, СТ / WEB-DL (1080p)",
            "episode_count=8 | episodes=1-8 | kind=series | resolution=1080p | seasons=3 | source=web-dl | title=True Detective | title_orig=True Detective | title_ru=Настоящий детектив | year=2019",
        ),
        (
            "Стрела / Arrow / Сезон: 8 / Серии: 1-10 из 10 (…) [2019, фантастика, WEB-DLRip] [MVO] [LostFilm]",
            "episode_count=10 | episodes=1-10 | kind=series | seasons=8 | source=web-dl | title=Arrow | title_orig=Arrow | title_ru=Стрела | year=2019",
        ),
        (
            "Викинги / Vikings / 6 сезон / 1-10 из 20 / (…) [2019, …]",
            "episode_count=20 | episodes=1-10 | kind=series | seasons=6 | title=Vikings | title_orig=Vikings | title_ru=Викинги | year=2019",
        ),
        (
            "Барри / Barry (2018-2019) WEB-DLRip (сезон 1-2, серии 1-16 из 16) Amedia",
            "episode_count=16 | episodes=1-16 | kind=series | seasons=1,2 | source=web-dl | title=Barry | title_orig=Barry | title_ru=Барри | year=2018 | year_end=2019",
        ),
        (
            "Рикошет (…) (16 серий из 16) [2019/2020, боевик, WEBDL]",
            "episode_count=16 | episodes=1-16 | kind=series | source=web-dl | title=Рикошет | title_ru=Рикошет | year=2019 | year_end=2020",
        ),
        (
            "Прощаться не будем (2018) WEBDL [H.264/1080p-LQ] (серии 1-4 из 4) [Расширенная версия]",
            "edition=extended | episode_count=4 | episodes=1-4 | kind=series | resolution=1080p | source=web-dl | title=Прощаться не будем | title_ru=Прощаться не будем | video_codec=h264 | year=2018",
        ),
        (
            "Stand Up (16.02.2020) WEB-DLRip (сезон 7, выпуск 13)",
            "date=2020-02-16 | episodes=13 | kind=series | seasons=7 | source=web-dl | title=Stand Up",
        ),
        (
            "Последний корабль / The Last Ship [S01-03] (2014-2016) WEB-DLRip от Generalfilm | КПК | LostFilm",
            "kind=series | seasons=1-3 | source=web-dl | title=The Last Ship | title_orig=The Last Ship | title_ru=Последний корабль | year=2014 | year_end=2016",
        ),
    ]);
}

#[test]
fn latin_signs_in_cyrillic_letters() {
    spec!("recognition#numbers-of-episodes/cyrillic-letters-in-numbers");
    check(&[
        (
            "Теория Большого Взрыва / The Big Bang Theory [10х01-07 из 24]",
            "episode_count=24 | episodes=1-7 | kind=series | seasons=10 | title=The Big Bang Theory | title_orig=The Big Bang Theory | title_ru=Теория Большого Взрыва",
        ),
        (
            "Стальной луг / Iron Meadow [02х01-05 из 10]",
            "episode_count=10 | episodes=1-5 | kind=series | seasons=2 | title=Iron Meadow | title_orig=Iron Meadow | title_ru=Стальной луг",
        ),
        (
            "Стальной луг (4х01)",
            "episodes=1 | kind=series | seasons=4 | title=Стальной луг | title_ru=Стальной луг",
        ),
        (
            "Стальной луг с02е05 1080р",
            "episodes=5 | kind=series | resolution=1080p | seasons=2 | title=Стальной луг | title_ru=Стальной луг",
        ),
    ]);
}
