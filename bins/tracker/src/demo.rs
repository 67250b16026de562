//! `demo`: the main job on torrents that are made for it. A second engine has them,
//! on loopback; everything else is the program itself, in a folder of its own.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use tokio::task::spawn_blocking;
use tracker_cli::{ApiFailure, Demo};
use tracker_embedded::Sharer;
use tracker_system::SystemClock;
use url::form_urlencoded;

use crate::backends::{Program, Scratch};
use crate::config::{Environment, Flags};

/// One made torrent, named after an open work.
struct Release {
    /// The name in the link.
    link_name: &'static str,
    /// Its folder.
    folder: &'static str,
    /// Its files, and the MiB of each; 0 is a line of text.
    files: &'static [(&'static str, usize)],
}

/// The customs that the reader meets most: a film of the scene, a season, and a film
/// as trackers in Russian name it.
const RELEASES: &[Release] = &[
    Release {
        link_name: "Sintel.2010.1080p.BluRay.x264-DEMO",
        folder: "Sintel.2010.1080p.BluRay.x264-DEMO",
        files: &[
            ("Sintel.2010.1080p.BluRay.x264-DEMO.mkv", 24),
            ("Sintel.2010.1080p.BluRay.x264-DEMO.en.srt", 0),
            ("Sintel.2010.1080p.BluRay.x264-DEMO.ru.srt", 0),
            ("Sample/sintel-sample.mkv", 1),
            ("demo.nfo", 0),
        ],
    },
    Release {
        link_name: "Pioneer.One.S01.1080p.WEB-DL.x264-DEMO",
        folder: "Pioneer.One.S01.1080p.WEB-DL.x264-DEMO",
        files: &[
            ("Pioneer.One.S01E01.1080p.WEB-DL.x264-DEMO.mkv", 6),
            ("Pioneer.One.S01E02.1080p.WEB-DL.x264-DEMO.mkv", 6),
            ("Pioneer.One.S01E03.1080p.WEB-DL.x264-DEMO.mkv", 6),
        ],
    },
    Release {
        link_name: "Стальные слёзы / Tears of Steel (Иэн Хьюберт) [2012, BDRip 1080p]",
        folder: "Стальные слёзы (2012) BDRip 1080p",
        files: &[("Стальные слёзы (2012) BDRip 1080p.mkv", 12)],
    },
];

const CONFIG: &str = r#"# What `tracker demo` uses: nothing leaves this machine.
[http]
listen = "127.0.0.1:0"

[[client]]
name = "embedded"
kind = "embedded"
bind_device = "lo"
dht = false

[metadata]
tvmaze = false
"#;

/// What lives as long as the demo.
struct Kept {
    _sharer: Sharer,
    _scratch: Option<Scratch>,
}

/// Makes the torrents, seeds them, and lays the program out.
pub(crate) async fn set_up(scratch: Scratch, keep: bool) -> Result<Demo, ApiFailure> {
    let folder = scratch.0.clone();
    let scratch = if keep {
        scratch.leave();
        None
    } else {
        Some(scratch)
    };
    let failed = |error: std::io::Error| {
        ApiFailure::failed(format!("the demo cannot use {}: {error}", folder.display()))
    };
    let (seeds, config, data) =
        (folder.join("seeder"), folder.join("tracker.toml"), folder.join("data"));
    let (payload, written) = (seeds.clone(), config.clone());
    let size_bytes = spawn_blocking(move || {
        fs::write(&written, CONFIG)?;
        RELEASES.iter().map(|release| write(&payload, release)).sum::<std::io::Result<u64>>()
    });
    let size_bytes = size_bytes.await.map_err(std::io::Error::other).flatten().map_err(failed)?;
    let sharer = Sharer::new(&seeds, &folder.join("seeder-state"), None, Arc::new(SystemClock));
    let links = share(&sharer).await?;
    let environment = Environment {
        vars: BTreeMap::new(),
        current_dir: folder.clone(),
        system_file: folder.join("none"),
    };
    let flags = Flags { config: Some(config.clone()), data_dir: Some(data.clone()) };
    Ok(Demo {
        program: Box::new(Program::new(environment, flags, false)),
        config,
        library: data.join("library"),
        links,
        size_bytes,
        kept: Box::new(Kept { _sharer: sharer, _scratch: scratch }),
        folder,
    })
}

/// Shares everything, and makes a link to each.
async fn share(sharer: &Sharer) -> Result<Vec<String>, ApiFailure> {
    let mut links = Vec::new();
    for release in RELEASES {
        let shared = sharer.share(release.folder).await;
        let shared = shared
            .map_err(|error| ApiFailure::failed(format!("the seeder of the demo: {error}")))?;
        let name: String = form_urlencoded::byte_serialize(release.link_name.as_bytes()).collect();
        links.push(shared.link(&name));
    }
    Ok(links)
}

/// Writes the files of a release; the bytes they have.
fn write(seeds: &Path, release: &Release) -> std::io::Result<u64> {
    let mut written = 0;
    for (number, (name, mebibytes)) in release.files.iter().enumerate() {
        let path = seeds.join(release.folder).join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = BufWriter::new(File::create(&path)?);
        if *mebibytes == 0 {
            file.write_all(b"1\n00:00:01,000 --> 00:00:02,000\nmade for a demonstration\n")?;
        } else {
            // The mark of Matroska, and then what no two files share.
            file.write_all(&[0x1a, 0x45, 0xdf, 0xa3])?;
            let mut noise = (release.folder.len() as u64) << 32 | number as u64 | 1;
            for _ in 0..(mebibytes << 20) / 8 {
                noise ^= noise << 13;
                noise ^= noise >> 7;
                noise ^= noise << 17;
                file.write_all(&noise.to_le_bytes())?;
            }
        }
        file.into_inner()?.sync_data()?;
        written += fs::metadata(&path)?.len();
    }
    Ok(written)
}
