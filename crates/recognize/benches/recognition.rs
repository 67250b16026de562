//! How well and how fast names are read: predictions of a corpus in the words of
//! the vocabulary, names a second beside another reader, time against size.
//!
//! `--corpus PATH` reads JSON lines with `id` and `input`, `--out PATH` writes a
//! prediction a line, `--markdown` prints nothing but rows of a table. Without a
//! corpus, names of its own are read.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tracker_domain::observed::RemoteFile;
use tracker_recognize::{Names, parse_path, recognise};

const ROUNDS: usize = 5;
const KIB: [usize; 4] = [1, 4, 16, 64];
const FILES: [u32; 3] = [1_000, 10_000, 100_000];

/// Shapes that made other readers slow: repeated until a name is long.
const SHAPES: &[(&str, &str)] = &[
    ("open brackets", "["),
    ("numbers in brackets", "[1]"),
    ("words in brackets", "[a](b)"),
    ("episodes joined", "S01E01-"),
    ("ranges of episodes", "E00001-E02999-"),
    ("seasons", "S01."),
    ("numbers joined", "1-"),
    ("ranges", "1-2999 "),
    ("years", "2010."),
    ("years joined", "2010-"),
    ("episodes and years", "a.1x2.2010."),
    ("names", "a / b "),
    ("names with slashes", "a|b|"),
    ("further names", "a aka "),
    ("parts", "part 2 "),
    ("one Latin word", "a"),
    ("one Cyrillic word", "й"),
    ("digits", "1"),
    ("Chinese and Latin", "银 a "),
    ("Chinese episodes", "第1集"),
    ("emoji", "🎬"),
];

struct Options {
    corpus: Option<PathBuf>,
    out: Option<PathBuf>,
    markdown: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let corpus = match &options.corpus {
        Some(path) => read(path)?,
        None => own_names().into_iter().map(|name| (String::new(), name)).collect(),
    };
    if let Some(path) = &options.out {
        predict(&corpus, path)?;
    }
    let names: Vec<&str> = corpus.iter().map(|(_, name)| name.as_str()).collect();
    let (ours, theirs) = speed(&names);
    let mut out = std::io::stdout().lock();
    if options.markdown {
        writeln!(
            out,
            "| reading {} names, one thread | {ours:.0} a second | {theirs:.0} a second of anitomy-ng 1.0.10 | {:.2} |",
            names.len(),
            ours / theirs
        )?;
        return Ok(());
    }
    writeln!(
        out,
        "{} names: {ours:.0} a second, anitomy-ng {theirs:.0}, ratio {:.2}\n",
        names.len(),
        ours / theirs
    )?;
    shapes(&mut out)?;
    files(&mut out)?;
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { corpus: None, out: None, markdown: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut path =
            || arguments.next().map(PathBuf::from).ok_or(format!("{argument} needs a path"));
        match argument.as_str() {
            "--corpus" => options.corpus = Some(path()?),
            "--out" => options.out = Some(path()?),
            "--markdown" => options.markdown = true,
            other => {
                return Err(
                    format!("unknown argument {other}: --corpus, --out or --markdown").into()
                );
            }
        }
    }
    Ok(options)
}

/// Id and name of each line.
fn read(path: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let mut corpus = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let field = |name: &str| {
            let value = record.get(name).and_then(serde_json::Value::as_str);
            value.map(str::to_owned).ok_or(format!("a line has no `{name}`: {line}"))
        };
        corpus.push((field("id")?, field("input")?));
    }
    Ok(corpus)
}

fn predict(corpus: &[(String, String)], path: &Path) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::BufWriter::new(fs::File::create(path)?);
    for (id, name) in corpus {
        let mut answer = serde_json::to_value(parse_path(name).fields)?;
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("id".to_owned(), id.as_str().into());
        }
        writeln!(out, "{answer}")?;
    }
    out.flush()?;
    Ok(())
}

/// Names a second, ours and theirs: the best of some rounds that take turns.
fn speed(names: &[&str]) -> (f64, f64) {
    let (mut ours, mut theirs) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        ours = f64::max(
            ours,
            per_second(names, |name| {
                black_box(parse_path(name));
            }),
        );
        theirs = f64::max(
            theirs,
            per_second(names, |name| {
                black_box(anitomy_ng::parse(name, anitomy_ng::Options::default()));
            }),
        );
    }
    (ours, theirs)
}

fn per_second(names: &[&str], read: impl Fn(&str)) -> f64 {
    const ROUND: Duration = Duration::from_millis(600);
    let mut count = 0_u32;
    let took = timed(|begun| {
        while begun.elapsed() < ROUND {
            for name in names {
                read(name);
                count += 1;
            }
        }
    });
    f64::from(count) / took.as_secs_f64()
}

#[expect(clippy::disallowed_methods, reason = "what is measured here is time")]
fn timed(work: impl FnOnce(Instant)) -> Duration {
    let begun = Instant::now();
    work(begun);
    begun.elapsed()
}

/// The best of some rounds.
fn best(mut work: impl FnMut()) -> Duration {
    (0..ROUNDS).map(|_| timed(|_| work())).min().unwrap_or_default()
}

/// Nanoseconds a byte: in linear time they do not grow with the size.
fn shapes(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "| shape, ns a byte | 1 KiB | 4 KiB | 16 KiB | 64 KiB |\n|---|---:|---:|---:|---:|"
    )?;
    for (shape, piece) in SHAPES {
        write!(out, "| {shape} |")?;
        for kib in KIB {
            let name = piece.repeat(kib * 1024 / piece.len());
            let took = best(|| {
                black_box(parse_path(&name));
            });
            write!(out, " {:.0} |", took.as_secs_f64() * 1e9 / name.len() as f64)?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

fn files(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "| files of one torrent | µs a file |\n|---:|---:|")?;
    for count in FILES {
        let files: Vec<RemoteFile> = (0..count).map(file).collect();
        let took = best(|| {
            black_box(recognise(&Names::default(), &files));
        });
        writeln!(out, "| {count} | {:.2} |", took.as_secs_f64() * 1e6 / f64::from(count))?;
    }
    Ok(())
}

fn file(index: u32) -> RemoteFile {
    let (season, episode) = (index / 1000, index % 1000);
    let path =
        format!("Iron Meadow/S{season:02}/Iron.Meadow.S{season:02}E{episode:03}.1080p.WEB-DL.mkv");
    RemoteFile { index, path, size_bytes: 1, selected: true, complete: true }
}

/// Names of all customs.
fn own_names() -> Vec<String> {
    const TITLES: [&str; 8] = [
        "Iron Meadow",
        "The Glass Orchard",
        "Quiet Harbour 2049",
        "Silver Lantern",
        "1987",
        "Under the Northern Snow",
        "Two",
        "A Keeper of Small Lights",
    ];
    let mut names = Vec::new();
    for (number, title) in (1_u32..).zip(TITLES.iter().cycle().take(400)) {
        let dotted = title.replace(' ', ".");
        let (season, episode, year) = (number % 9 + 1, number % 24 + 1, 1970 + number % 55);
        names.push(format!("{dotted}.{year}.1080p.BluRay.DTS-HD.MA.5.1.x264-NORTH.mkv"));
        names.push(format!(
            "{dotted}.S{season:02}E{episode:02}.The.Ford.720p.WEB-DL.DDP5.1.H.264-TIDE"
        ));
        names.push(format!("[Kumo] {title} - {episode:02} [1080p][9A8B{number:04}].mkv"));
        names.push(format!("Стальной луг / {title} / Сезон: {season} / Серии: 1-{episode} из 24 [{year}, драма, WEB-DLRip]"));
        names.push(format!("{title} ({year})/{title} ({year}) [2160p] [HDR10].mkv"));
    }
    names
}
