//! What single names say, by the customs they follow.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use serde_json::Value;
use tracker_testkit::spec;

use crate::{parse_name, parse_path};

mod forms;
mod russian;

/// The fields of a name as text: `episodes=1-8 | seasons=2 | title=Some Show`.
fn read(name: &str) -> String {
    let fields = serde_json::to_value(parse_path(name).fields).unwrap();
    let mut said = String::new();
    for (field, value) in fields.as_object().unwrap() {
        let bar = if said.is_empty() { "" } else { " | " };
        write!(said, "{bar}{field}={}", shown(value)).unwrap();
    }
    said
}

/// Numbers that follow each other are a range, whatever else is listed.
fn shown(value: &Value) -> String {
    let Value::Array(list) = value else {
        return value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    };
    let whole: Vec<u64> = list.iter().filter_map(Value::as_u64).collect();
    match whole.as_slice() {
        [first, .., last]
            if whole.len() == list.len()
                && last - first + 1 == list.len() as u64
                && list.len() > 2 =>
        {
            format!("{first}-{last}")
        }
        _ => list.iter().map(shown).collect::<Vec<_>>().join(","),
    }
}

fn check(cases: &[(&str, &str)]) {
    for (name, expected) in cases {
        assert_eq!(read(name), *expected, "{name}");
    }
}

#[test]
fn scene_films() {
    spec!("recognition#names-of-every-custom/scene-names");
    check(&[
        (
            "The.Glass.Orchard.2014.1080p.BluRay.x264-NORTH",
            "group=NORTH | kind=movie | resolution=1080p | source=bluray | title=The Glass Orchard | video_codec=h264 | year=2014",
        ),
        (
            "Glass Orchard (2014) [2160p] [HDR10+ DV] UHD BluRay Remux TrueHD Atmos 7.1",
            "audio=atmos,truehd | hdr=dv,hdr10+ | kind=movie | remux=true | resolution=2160p | source=bluray | title=Glass Orchard | year=2014",
        ),
        (
            "The_Glass_Orchard_2014_DVDRip_XviD_AC3-OLD.avi",
            "audio=ac3 | container=avi | group=OLD | kind=movie | source=dvd | title=The Glass Orchard | video_codec=xvid | year=2014",
        ),
        (
            "Harbour.Lights.2021.PROPER.720p.WEB-DL.DDP5.1.H.264-TIDE",
            "audio=eac3 | group=TIDE | kind=movie | proper=true | resolution=720p | source=web-dl | title=Harbour Lights | video_codec=h264 | year=2021",
        ),
        (
            "Harbour.Lights.2021.REPACK2.HDTV.h265.AAC2.0",
            "audio=aac | kind=movie | repack=true | source=hdtv | title=Harbour Lights | video_codec=h265 | year=2021",
        ),
        (
            "Harbour.Lights.2021.Director's.Cut.2160p.WEBRip.DTS-HD.MA.5.1.HEVC",
            "audio=dts-hd | edition=directors | kind=movie | resolution=2160p | source=webrip | title=Harbour Lights | video_codec=h265 | year=2021",
        ),
        (
            "Harbour.Lights.2021.EXTENDED.German.DL.1080p.BluRay.AV1-TIDE",
            "edition=extended | group=TIDE | kind=movie | languages=de | resolution=1080p | source=bluray | title=Harbour Lights | video_codec=av1 | year=2021",
        ),
        (
            "Harbour.Lights.2021.HC.HDCAM.MP3-NUL",
            "audio=mp3 | group=NUL | kind=movie | source=cam | title=Harbour Lights | year=2021",
        ),
        (
            "Harbour.Lights.2021.1920x800.WEB.FLAC.Opus",
            "audio=flac,opus | kind=movie | resolution=1080p | source=web | title=Harbour Lights | year=2021",
        ),
        ("Harbour Lights 1080 2021", "kind=movie | title=Harbour Lights 1080 | year=2021"),
        (
            "1987.2012.720p.BluRay",
            "kind=movie | resolution=720p | source=bluray | title=1987 | year=2012",
        ),
        (
            "Quiet.Harbour.2018.CD2.DVDRip",
            "kind=movie | part=2 | source=dvd | title=Quiet Harbour | year=2018",
        ),
        (
            "Quiet.Harbour.2018.IMAX.Unrated.1080p",
            "edition=imax,unrated | kind=movie | resolution=1080p | title=Quiet Harbour | year=2018",
        ),
        (
            "Quiet Harbour (1999-2004)",
            "kind=movie | title=Quiet Harbour | year=1999 | year_end=2004",
        ),
        (
            "Quiet Harbour AKA Tihaya Gavan 2018 1080p",
            "kind=movie | other_titles=Tihaya Gavan | resolution=1080p | title=Quiet Harbour | title_orig=Quiet Harbour | year=2018",
        ),
    ]);
}

#[test]
fn scene_episodes() {
    spec!("recognition#names-of-every-custom/scene-names");
    check(&[
        (
            "Iron.Meadow.S03E07.The.Long.Thaw.1080p.AMZN.WEB-DL.DDP5.1.H.264-FEN",
            "audio=eac3 | episode_title=The Long Thaw | episodes=7 | group=FEN | kind=series | resolution=1080p | seasons=3 | source=web-dl | title=Iron Meadow | video_codec=h264",
        ),
        (
            "Iron.Meadow.S03E07E08.720p.HDTV.x264-FEN",
            "episodes=7,8 | group=FEN | kind=series | resolution=720p | seasons=3 | source=hdtv | title=Iron Meadow | video_codec=h264",
        ),
        (
            "Iron.Meadow.S03E07-09.720p.HDTV.x264-FEN",
            "episodes=7-9 | group=FEN | kind=series | resolution=720p | seasons=3 | source=hdtv | title=Iron Meadow | video_codec=h264",
        ),
        (
            "Iron.Meadow.3x07.HDTV",
            "episodes=7 | kind=series | seasons=3 | source=hdtv | title=Iron Meadow",
        ),
        (
            "Iron Meadow - 3x07-09 - Thaw",
            "episode_title=Thaw | episodes=7-9 | kind=series | seasons=3 | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.S01-S04.COMPLETE.1080p.BluRay",
            "kind=series | resolution=1080p | seasons=1-4 | source=bluray | title=Iron Meadow",
        ),
        (
            "Iron Meadow Season 2 Complete 720p",
            "kind=series | resolution=720p | seasons=2 | title=Iron Meadow",
        ),
        (
            "Iron Meadow Season 2 Episode 5",
            "episodes=5 | kind=series | seasons=2 | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.S02.Part.1.1080p.NF.WEB-DL",
            "kind=series | resolution=1080p | season_part=1 | seasons=2 | source=web-dl | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.2019.10.04.Guest.Name.720p.WEB",
            "date=2019-10-04 | episode_title=Guest Name | kind=series | resolution=720p | source=web | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.04.10.2019.HDTV",
            "date=2019-10-04 | kind=series | source=hdtv | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.E07.1080p.WEB",
            "absolute_episodes=7 | kind=series | resolution=1080p | source=web | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.307.HDTV.XviD",
            "absolute_episodes=307 | episodes=7 | kind=series | seasons=3 | source=hdtv | title=Iron Meadow | video_codec=xvid",
        ),
        (
            "Iron.Meadow.Part.2.HDTV.x264",
            "absolute_episodes=2 | kind=series | source=hdtv | title=Iron Meadow | video_codec=h264",
        ),
        (
            "Iron.Meadow.US.S01E02.720p",
            "episodes=2 | kind=series | other_titles=Iron Meadow US | resolution=720p | seasons=1 | title=Iron Meadow",
        ),
        (
            "Iron.Meadow.2of6.The.Ford.720p",
            "absolute_episodes=2 | episode_count=6 | episode_title=The Ford | kind=series | resolution=720p | title=Iron Meadow",
        ),
        (
            "Iron Meadow S2013E14",
            "episodes=14 | kind=series | seasons=2013 | title=Iron Meadow | year=2013",
        ),
        (
            "Iron.Meadow.Cap.203.HDTV",
            "episodes=3 | kind=series | seasons=2 | source=hdtv | title=Iron Meadow",
        ),
    ]);
}

#[test]
fn anime() {
    spec!("recognition#names-of-every-custom/names-of-anime");
    check(&[
        (
            "[Kumo] Silver Lantern - 05 [1080p][9A8B7C6D].mkv",
            "absolute_episodes=5 | container=mkv | group=Kumo | kind=anime | resolution=1080p | title=Silver Lantern",
        ),
        (
            "[Kumo] Silver Lantern - 05v2 (BD 1920x1080 x265 10bit FLAC) [9A8B7C6D].mkv",
            "absolute_episodes=5 | audio=flac | container=mkv | group=Kumo | kind=anime | resolution=1080p | source=bluray | title=Silver Lantern | version=2 | video_codec=h265",
        ),
        (
            "[Kumo] Silver Lantern 2 - 11.5 [720p].mkv",
            "absolute_episodes=11.5 | container=mkv | group=Kumo | kind=anime | resolution=720p | title=Silver Lantern 2",
        ),
        (
            "[Kumo] Silver Lantern S2 - 07 [1080p].mkv",
            "container=mkv | episodes=7 | group=Kumo | kind=series | resolution=1080p | seasons=2 | title=Silver Lantern",
        ),
        (
            "[Kumo] Silver Lantern (01-12) [Batch] [1080p]",
            "absolute_episodes=1-12 | group=Kumo | kind=anime | resolution=1080p | title=Silver Lantern",
        ),
        (
            "[Kumo][Silver Lantern][05][1080P].mp4",
            "absolute_episodes=5 | container=mp4 | group=Kumo | kind=anime | resolution=1080p | title=Silver Lantern",
        ),
        (
            "[Kumo] Silver Lantern OVA [1080p]",
            "group=Kumo | resolution=1080p | title=Silver Lantern OVA",
        ),
        (
            "[Kumo] Silver Lantern - SP2 [1080p]",
            "absolute_episodes=2 | group=Kumo | kind=anime | resolution=1080p | title=Silver Lantern",
        ),
        (
            "[Kumo] Silver Lantern 1021 [1080p]",
            "absolute_episodes=1021 | group=Kumo | kind=anime | resolution=1080p | title=Silver Lantern",
        ),
        (
            "[Kumo] Silver Lantern - 14 (S02E02) [1080p]",
            "absolute_episodes=14 | episodes=2 | group=Kumo | kind=series | resolution=1080p | seasons=2 | title=Silver Lantern",
        ),
    ]);
}

#[test]
fn chinese_japanese_korean() {
    spec!("recognition#names-of-every-custom/chinese-japanese-and-korean-names");
    check(&[
        (
            "[云字幕组] 银灯 / Silver Lantern [05][1080p]",
            "absolute_episodes=5 | group=云字幕组 | kind=anime | other_titles=银灯 | resolution=1080p | title=Silver Lantern | title_orig=Silver Lantern",
        ),
        (
            "银灯.Silver.Lantern.2020.1080p.BluRay",
            "kind=movie | other_titles=银灯 | resolution=1080p | source=bluray | title=Silver Lantern | title_orig=Silver Lantern | year=2020",
        ),
        ("银灯 第二季 第08集", "episodes=8 | kind=series | seasons=2 | title=银灯"),
        ("銀灯 第3期", "kind=series | seasons=3 | title=銀灯"),
        (
            "은등 시즌2 12화 720p",
            "episodes=12 | kind=series | resolution=720p | seasons=2 | title=은등",
        ),
    ]);
}

#[test]
fn plain_names_and_paths() {
    spec!("recognition#names-of-every-custom/plain-names-and-paths");
    check(&[
        ("Silver Lantern", "title=Silver Lantern"),
        ("2031", "title=2031"),
        ("Quiet Harbour 2049 (2018)", "kind=movie | title=Quiet Harbour 2049 | year=2018"),
        (
            "/films/Quiet Harbour (2018)/quiet.harbour.2018.720p.mkv",
            "container=mkv | kind=movie | resolution=720p | title=quiet harbour | year=2018",
        ),
        (
            "Iron Meadow/Season 2/05 - The Ford.mkv",
            "container=mkv | episode_title=The Ford | episodes=5 | kind=series | seasons=2 | title=Iron Meadow",
        ),
        (
            "Iron Meadow (2016)/Season 02/Iron.Meadow.S02E05.mkv",
            "container=mkv | episodes=5 | kind=series | seasons=2 | title=Iron Meadow | year=2016",
        ),
        (
            "www.example.org - Quiet Harbour 2018 720p",
            "kind=movie | resolution=720p | title=Quiet Harbour | year=2018",
        ),
        (
            "[example.com] Quiet Harbour (2018) WEBRip",
            "kind=movie | source=webrip | title=Quiet Harbour | year=2018",
        ),
        (
            "Quiet.Harbour.2018.DVDRip - pt1.avi",
            "container=avi | kind=movie | part=1 | source=dvd | title=Quiet Harbour | year=2018",
        ),
    ]);
}

#[test]
fn titles_that_are_years() {
    spec!("recognition#numbers-of-episodes/numbers-in-titles");
    check(&[
        (
            "1923.S01E05.Ghost.of.Zebrina.1080p.AMZN.WEB-DL.DDP5.1.H.264-NTb.mkv",
            "audio=eac3 | container=mkv | episode_title=Ghost of Zebrina | episodes=5 | group=NTb | kind=series | resolution=1080p | seasons=1 | source=web-dl | title=1923 | video_codec=h264",
        ),
        (
            "1992.S01E01.1080p.BluRay.x264-TAXES",
            "episodes=1 | group=TAXES | kind=series | resolution=1080p | seasons=1 | source=bluray | title=1992 | video_codec=h264",
        ),
        (
            "1883.S01E02.720p.WEB",
            "episodes=2 | kind=series | resolution=720p | seasons=1 | source=web | title=1883",
        ),
        ("1944.2x03.HDTV", "episodes=3 | kind=series | seasons=2 | source=hdtv | title=1944"),
        (
            "2031.S02E01.1080p",
            "episodes=1 | kind=series | resolution=1080p | seasons=2 | title=2031",
        ),
        (
            "Blade Runner 2049.HDRip.XviD.AC3-EVO.avi",
            "audio=ac3 | container=avi | group=EVO | source=hdrip | title=Blade Runner 2049 | video_codec=xvid",
        ),
        (
            "Blade Runner 2049 (2017) Bluray BD50",
            "kind=movie | source=bluray | title=Blade Runner 2049 | year=2017",
        ),
        (
            "Quiet Harbour 2049.BDRip.XviD-OLD.avi",
            "container=avi | group=OLD | source=bluray | title=Quiet Harbour 2049 | video_codec=xvid",
        ),
        (
            "Quiet.Harbour.2077.1080p.WEB-DL",
            "resolution=1080p | source=web-dl | title=Quiet Harbour 2077",
        ),
        ("Quiet Harbour 2077 (2019)", "kind=movie | title=Quiet Harbour 2077 | year=2019"),
    ]);
}

#[test]
fn numbers_in_titles_of_anime() {
    spec!("recognition#numbers-of-episodes/numbers-in-titles");
    check(&[
        (
            "[VARYG] An Adventurers Daily Grind at Age 29 S01E03 Rirui and Anyango 1080p CR WEB-DL AAC2.0 H.264 (29-sai …)",
            "audio=aac | episode_title=Rirui and Anyango | episodes=3 | group=VARYG | kind=series | resolution=1080p | seasons=1 | source=web-dl | title=An Adventurers Daily Grind at Age 29 | video_codec=h264",
        ),
        (
            "[Kumo] The Keeper of Room 12 S01E03 1080p",
            "episodes=3 | group=Kumo | kind=series | resolution=1080p | seasons=1 | title=The Keeper of Room 12",
        ),
        (
            "[Kumo] Seventeen Winters 17 - 04 [720p]",
            "absolute_episodes=4 | group=Kumo | kind=anime | resolution=720p | title=Seventeen Winters 17",
        ),
        (
            "[SubsPlease].Night.Head.2041.-.01.(720p).[C69ED2CD].mkv",
            "absolute_episodes=1 | container=mkv | group=SubsPlease | kind=anime | resolution=720p | title=Night Head 2041",
        ),
        (
            "[Kumo].Far.Depot.2088.-.11.(1080p).[12AB34CD].mkv",
            "absolute_episodes=11 | container=mkv | group=Kumo | kind=anime | resolution=1080p | title=Far Depot 2088",
        ),
        (
            "[Kumo] Far Depot 77 - 03 [1080p].mkv",
            "absolute_episodes=3 | container=mkv | group=Kumo | kind=anime | resolution=1080p | title=Far Depot 77",
        ),
    ]);
}

#[test]
fn absolute_numbers() {
    spec!("recognition#numbers-of-episodes/absolute-numbers");
    check(&[
        (
            "[HatSubs] One Piece 1004 [E63F2984].mkv",
            "absolute_episodes=1004 | container=mkv | group=HatSubs | kind=anime | title=One Piece",
        ),
        (
            "[Kumo] Long Voyage 612 [12345678].mkv",
            "absolute_episodes=612 | container=mkv | group=Kumo | kind=anime | title=Long Voyage",
        ),
        (
            "[Kumo] Long Voyage - 612 [90E12345].mkv",
            "absolute_episodes=612 | container=mkv | group=Kumo | kind=anime | title=Long Voyage",
        ),
        (
            "[Group] Kobayashi-san Chi no Maid Dragon - 14 (S00E01) (zzz) [1234ABCD].mkv",
            "absolute_episodes=14 | container=mkv | episodes=1 | group=Group | kind=series | seasons=0 | title=Kobayashi-san Chi no Maid Dragon",
        ),
        (
            "[GJM-Kaleido] Cardcaptor Sakura - 01 - (S01E01) - (BD 1080p HEVC x265 10-bit Opus) [35BDC2DA].mkv",
            "absolute_episodes=1 | audio=opus | container=mkv | episodes=1 | group=GJM-Kaleido | kind=series | resolution=1080p | seasons=1 | source=bluray | title=Cardcaptor Sakura | video_codec=h265",
        ),
        (
            "[Kumo] Silver Lantern - 27 (S02E03) [1080p].mkv",
            "absolute_episodes=27 | container=mkv | episodes=3 | group=Kumo | kind=series | resolution=1080p | seasons=2 | title=Silver Lantern",
        ),
        (
            "Dragon.Ball.Super.E89.1080p.WEB.x264-GRP",
            "absolute_episodes=89 | group=GRP | kind=series | resolution=1080p | source=web | title=Dragon Ball Super | video_codec=h264",
        ),
        (
            "Dragonball.Z.102.1080p.BluRay.x264-GRP",
            "absolute_episodes=102 | episodes=2 | group=GRP | kind=series | resolution=1080p | seasons=1 | source=bluray | title=Dragonball Z | video_codec=h264",
        ),
        (
            "Long.Voyage.E612.720p.WEB",
            "absolute_episodes=612 | kind=series | resolution=720p | source=web | title=Long Voyage",
        ),
        (
            "Long.Voyage.204.720p.BluRay",
            "absolute_episodes=204 | episodes=4 | kind=series | resolution=720p | seasons=2 | source=bluray | title=Long Voyage",
        ),
    ]);
}

#[test]
fn seasons_of_folders() {
    spec!("recognition#numbers-of-episodes/season-of-the-folder");
    check(&[
        (
            "The Promised Neverland/Season 2/[SSA] Yakusoku no Neverland - 01 [720p].mkv",
            "container=mkv | episodes=1 | group=SSA | kind=anime | resolution=720p | seasons=2 | title=Yakusoku no Neverland",
        ),
        (
            "Silver Lantern/Season 3/[Kumo] Gin no Andon - 04 [720p].mkv",
            "container=mkv | episodes=4 | group=Kumo | kind=anime | resolution=720p | seasons=3 | title=Gin no Andon",
        ),
        (
            "Seinfeld.S01-S09.1080p.AMZN.WEB-DL.DDP2.0.H.264-NTb/Seinfeld.S03E11.The.Alternate.Side.mkv",
            "audio=eac3 | container=mkv | episode_title=The Alternate Side | episodes=11 | group=NTb | kind=series | resolution=1080p | seasons=3 | source=web-dl | title=Seinfeld | video_codec=h264",
        ),
        (
            "Iron Meadow/Season 4/03 - The Mill.mkv",
            "container=mkv | episode_title=The Mill | episodes=3 | kind=series | seasons=4 | title=Iron Meadow",
        ),
        (
            "Iron Meadow/S02/Iron Meadow - 06.mkv",
            "container=mkv | episodes=6 | kind=series | seasons=2 | title=Iron Meadow",
        ),
    ]);
}

#[test]
fn several_seasons() {
    spec!("recognition#numbers-of-episodes/several-seasons");
    check(&[
        (
            "Longmire (2012) Season 1-6 S01-S06 (1080p BluRay x265 …)",
            "kind=series | resolution=1080p | seasons=1-6 | source=bluray | title=Longmire | video_codec=h265 | year=2012",
        ),
        ("Alias S01-05", "kind=series | seasons=1-5 | title=Alias"),
        (
            "Iron Meadow (2016) Season 1-3 S01-S03",
            "kind=series | seasons=1-3 | title=Iron Meadow | year=2016",
        ),
        (
            "Iron.Meadow.S02-S04.720p",
            "kind=series | resolution=720p | seasons=2-4 | title=Iron Meadow",
        ),
        ("Iron Meadow Seasons 1 to 5", "kind=series | seasons=1-5 | title=Iron Meadow"),
        ("Iron Meadow S01-03", "kind=series | seasons=1-3 | title=Iron Meadow"),
    ]);
}

#[test]
fn loose_forms() {
    spec!("recognition#numbers-of-episodes/loose-forms");
    check(&[
        ("Show [S01]", "kind=series | seasons=1 | title=Show"),
        ("Show (Season 1)", "kind=series | seasons=1 | title=Show"),
        (
            "[ReleaseGroup] SeriesTitle S01E1 Webdl 1080p",
            "episodes=1 | group=ReleaseGroup | kind=series | resolution=1080p | seasons=1 | source=web-dl | title=SeriesTitle",
        ),
        ("Iron Meadow [S02]", "kind=series | seasons=2 | title=Iron Meadow"),
        ("Iron Meadow (Season 2)", "kind=series | seasons=2 | title=Iron Meadow"),
        (
            "[Kumo] IronMeadow S02E3 Webdl 720p",
            "episodes=3 | group=Kumo | kind=series | resolution=720p | seasons=2 | source=web-dl | title=IronMeadow",
        ),
    ]);
}

#[test]
fn numbers_at_their_limits() {
    spec!("recognition#any-input/long-and-odd-inputs");
    check(&[
        ("Iron.Meadow.S12345E1", "title=Iron Meadow S12345E1"),
        ("Iron.Meadow.S01E12345", "episodes=12345 | kind=series | seasons=1 | title=Iron Meadow"),
        ("Iron.Meadow.S01E999999", "title=Iron Meadow S01E999999"),
        ("Iron.Meadow.99999999999999999999", "title=Iron Meadow 99999999999999999999"),
        ("Iron Meadow 4294967296 - 4294967297", "title=Iron Meadow 4294967296 - 4294967297"),
        ("Iron.Meadow.4294967295x4294967295", "title=Iron Meadow 4294967295x4294967295"),
        (
            "Iron.Meadow.S1234E12345",
            "episodes=12345 | kind=series | seasons=1234 | title=Iron Meadow",
        ),
        ("Iron Meadow Season 12345", "title=Iron Meadow Season 12345"),
    ]);
}

/// Every field of the vocabulary: value, words and rule.
#[test]
fn evidence_of_every_field() {
    spec!("recognition#every-field-has-its-evidence/words-and-place");
    let cases: &[(&str, &str, &str, &str)] = &[
        ("The.Glass.Orchard.2014.1080p", "title", "The Glass Orchard", "The.Glass.Orchard"),
        ("Стальной луг / Iron Meadow / 2019", "title_ru", "Стальной луг", "Стальной луг"),
        ("Стальной луг / Iron Meadow / 2019", "title_orig", "Iron Meadow", "Iron Meadow"),
        ("Quiet Harbour AKA Tihaya Gavan 2018", "other_titles", "Tihaya Gavan", "Tihaya Gavan"),
        ("The.Glass.Orchard.2014.1080p", "year", "2014", "2014"),
        ("Quiet Harbour (1999-2004)", "year", "1999-2004", "1999-2004"),
        ("Iron.Meadow.S03E07-09.720p", "seasons", "3", "S03E07-09"),
        ("Iron.Meadow.S03E07-09.720p", "episodes", "7-9", "S03E07-09"),
        ("Iron Meadow Season 2 Complete", "seasons", "2", "Season 2"),
        ("[Kumo] Silver Lantern - 05 [1080p]", "absolute_episodes", "5", "05"),
        ("Iron.Meadow.2019.10.04.Guest.720p", "date", "2019-10-04", "2019.10.04"),
        (
            "Iron.Meadow.S03E07.The.Long.Thaw.1080p",
            "episode_title",
            "The Long Thaw",
            "The.Long.Thaw",
        ),
        ("Quiet.Harbour.2018.CD2.DVDRip", "part", "2", "CD2"),
        ("Iron.Meadow.S02.Part.1.1080p", "season_part", "1", "Part.1"),
        ("Quiet.Harbour.2018.Unrated.1080p", "edition", "unrated", "Unrated"),
        ("Quiet.Harbour.2018.1080p", "resolution", "1080p", "1080p"),
        ("Quiet.Harbour.2018.WEB-DL", "source", "web-dl", "WEB-DL"),
        ("Quiet.Harbour.2018.BluRay.Remux", "remux", "true", "BluRay.Remux"),
        ("Quiet.Harbour.2018.PROPER.720p", "proper", "true", "PROPER"),
        ("Quiet.Harbour.2018.REPACK.720p", "repack", "true", "REPACK"),
        ("Quiet.Harbour.2018.720p.x265", "video_codec", "h265", "x265"),
        ("Quiet.Harbour.2018.720p.DDP5.1", "audio", "eac3", "DDP5.1"),
        ("Quiet.Harbour.2018.2160p.HDR10", "hdr", "hdr", "HDR10"),
        ("Quiet.Harbour.2018.German.720p", "languages", "de", "German"),
        ("Quiet.Harbour.2018.720p.x264-TIDE", "group", "TIDE", "TIDE"),
    ];
    for (name, field, value, text) in cases {
        let found = parse_name(name);
        let entry = found.evidence.iter().find(|entry| entry.field == *field);
        let Some(entry) = entry else { panic!("{name}: no {field} in {:?}", found.evidence) };
        assert_eq!((entry.value.as_str(), entry.text.as_str()), (*value, *text), "{name}: {field}");
        let (start, end) = entry.span.unwrap();
        assert_eq!(name.get(start as usize..end as usize), Some(*text), "{name}: {field}");
        assert!(!entry.rule.is_empty() && entry.from == "torrent");
    }
}
