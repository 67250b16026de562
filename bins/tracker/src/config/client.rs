//! `[[client]]`: the torrent clients.

use std::path::{Path, PathBuf};
use std::time::Duration;

use url::Url;

use super::path_map::PathPair;
use super::reader::Section;
use super::seeding;
use super::values::{duration, duration_text, size, size_text, url};
use tracker_domain::Secret;
use tracker_domain::library::{Library, LibraryKind};
use tracker_domain::seeding::SeedingWords;
use tracker_ingest::ClientRule;

/// One client.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its name; unique.
    pub name: String,
    /// Which downloads that name no client it is for.
    pub rule: ClientRule,
    /// What it is, and how it is reached.
    pub kind: ClientKind,
    /// When its torrents have given enough.
    pub seeding: SeedingWords,
}

/// The kinds of client.
#[derive(Clone, Debug)]
pub enum ClientKind {
    /// A qBittorrent that runs by itself.
    Qbittorrent(Qbittorrent),
    /// The engine inside the daemon.
    Embedded(Embedded),
}

/// A qBittorrent.
#[derive(Clone, Debug)]
pub struct Qbittorrent {
    /// Its address.
    pub url: Url,
    /// The user to log in as.
    pub username: Option<String>,
    /// The password.
    pub password: Option<Secret>,
    /// A key in place of both.
    pub api_key: Option<Secret>,
    /// How often it is asked.
    pub poll_interval: Duration,
    /// Where it puts torrents, as it sees it; `None` is its default.
    pub save_path: Option<String>,
    /// Whether each torrent gets a folder of its own.
    pub own_folder: bool,
    /// Whether torrents are tagged.
    pub tags: bool,
    /// The category they get.
    pub category: Option<String>,
    /// Its folders as they are here.
    pub path_map: Vec<PathPair>,
}

/// The engine inside the daemon.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// Where it puts torrents.
    pub download_dir: PathBuf,
    /// The port it listens on.
    pub listen_port: Option<u16>,
    /// The network device it is bound to.
    pub bind_device: Option<String>,
    /// Whether it takes part in the DHT.
    pub dht: bool,
    /// The proxy it goes through.
    pub proxy: Option<Url>,
    /// Bytes a second; 0 is no limit.
    pub upload_limit: u64,
    /// Bytes a second; 0 is no limit.
    pub download_limit: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Qbittorrent,
    Embedded,
    /// Not understood, and told so.
    Unknown,
}

impl Client {
    pub(super) fn from_source(
        name: &str,
        mut section: Section<'_, '_>,
        data_dir: &Path,
        libraries: &[Library],
    ) -> Option<Self> {
        let rule = rule(&mut section, libraries);
        let words = [("qbittorrent", Word::Qbittorrent), ("embedded", Word::Embedded)];
        let kind = section.word_or("kind", Word::Qbittorrent, Word::Unknown, &words);
        if kind == Word::Unknown {
            section.ignore_rest();
            return None;
        }
        let seeding = seeding::table(&mut section);
        let kind = if kind == Word::Embedded {
            ClientKind::Embedded(Embedded::from_source(&mut section, data_dir))
        } else {
            ClientKind::Qbittorrent(Qbittorrent::from_source(&mut section)?)
        };
        Some(Client { name: name.to_owned(), rule, kind, seeding })
    }
}

/// Which downloads it is for: without any of these for all.
fn rule(section: &mut Section<'_, '_>, known: &[Library]) -> ClientRule {
    let kinds = section.list(
        "kinds",
        Vec::new(),
        |kind: &LibraryKind| kind.as_str().into(),
        |text| text.parse::<LibraryKind>().map_err(|error| error.to_string()),
    );
    let libraries = section.list(
        "libraries",
        Vec::new(),
        |library: &String| library.as_str().into(),
        |text| match known.iter().find(|library| library.name == text) {
            Some(library) => Ok(library.name.clone()),
            None => Err(format!("there is no library called {text:?}")),
        },
    );
    let min_size = section.optional("min_size", |bytes| size_text(*bytes), size);
    let max_size = section.optional("max_size", |bytes| size_text(*bytes), size);
    if let (Some(least), Some(most)) = (min_size, max_size)
        && least > most
    {
        section.complain("min_size", "is larger than max_size, so no torrent would fit");
    }
    ClientRule { kinds, libraries, min_size, max_size }
}

impl Qbittorrent {
    fn from_source(section: &mut Section<'_, '_>) -> Option<Self> {
        let address = section.required(
            "url",
            "write the address of its web page, such as \"http://127.0.0.1:8080\"",
            ToString::to_string,
            |text| url(text, &["http", "https"]),
        );
        let username = section.optional_text("username");
        let password = section.secret("password");
        let api_key = section.secret("api_key");
        let poll_interval = section.parsed(
            "poll_interval",
            Duration::from_secs(2),
            |d| duration_text(*d),
            poll_interval,
        );
        let save_path = section.optional_text("save_path");
        let own_folder = section.boolean("own_folder", true);
        let tags = section.boolean("tags", true);
        let category = section.optional_text("category");
        let path_map = PathPair::list(section, "path_map", "client");
        Some(Qbittorrent {
            url: address?,
            username,
            password,
            api_key,
            poll_interval,
            save_path,
            own_folder,
            tags,
            category,
            path_map,
        })
    }
}

impl Embedded {
    fn from_source(section: &mut Section<'_, '_>, data_dir: &Path) -> Self {
        let downloads = data_dir.join("downloads");
        Embedded {
            download_dir: section
                .path("download_dir", Some(downloads.clone()))
                .unwrap_or(downloads),
            listen_port: section
                .optional_whole("listen_port", 1..=65535)
                .and_then(|port| u16::try_from(port).ok()),
            bind_device: section.optional_text("bind_device"),
            dht: section.boolean("dht", true),
            proxy: section.optional("proxy", ToString::to_string, |text| {
                url(text, &["socks5", "socks5h", "http", "https"])
            }),
            upload_limit: section.whole("upload_limit", 0, 0..=u64::MAX),
            download_limit: section.whole("download_limit", 0, 0..=u64::MAX),
        }
    }
}

/// Often enough to be of use, not so often that it keeps the client busy.
fn poll_interval(text: &str) -> Result<Duration, String> {
    let found = duration(text)?;
    if (Duration::from_millis(100)..=Duration::from_secs(3600)).contains(&found) {
        Ok(found)
    } else {
        Err(format!("{text} cannot be used; write a time from 100ms to 1h"))
    }
}
