//! `[backup]`: where copies of the database go.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::Duration;

use tracker_domain::Secret;
use tracker_objectstore::{S3Config, S3Place};
use url::Url;

use super::reader::Section;
use super::values::{duration, duration_text, url};

/// The section `[backup]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Where to.
    pub place: BackupPlace,
    /// How often; `None` is never by itself.
    pub every: Option<Duration>,
    /// How many are kept.
    pub keep: u64,
}

/// Where copies go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupPlace {
    /// A folder of ours in the data directory.
    DataDir,
    /// A folder that a person named.
    Folder(PathBuf),
    /// A bucket of an object store.
    Bucket(S3Config),
}

/// What the key `target` says.
#[derive(Clone)]
enum Target {
    Folder(Url, PathBuf),
    Bucket(S3Place),
}

impl Backup {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let section = &mut section;
        let every = |text: &str| match duration(text)? {
            Duration::ZERO => Ok(None),
            found if found >= Duration::from_secs(1) => Ok(Some(found)),
            _ => Err(format!("{text} cannot be used; write at least 1s, or 0s for never")),
        };
        // One that cannot be used is told of, and says nothing about the other keys.
        let understood = Cell::new(true);
        let parsed = section.optional("target", target_text, |text| {
            target(text).inspect_err(|_| understood.set(false))
        });
        let every = section.parsed(
            "every",
            Some(Duration::from_secs(86_400)),
            |every| duration_text(every.unwrap_or_default()),
            every,
        );
        let keep = section.whole("keep", 7, 1..=10_000);
        let store = Store {
            endpoint: section.optional("endpoint", ToString::to_string, endpoint),
            region: section.optional_text("region"),
            access_key: section.secret("access_key"),
            secret_key: section.secret("secret_key"),
        };
        let place = match parsed {
            Some(Target::Bucket(place)) => store.bucket(place, section),
            folder => {
                if understood.get() {
                    store.complain_of_a_folder(section);
                }
                match folder {
                    Some(Target::Folder(_, path)) => BackupPlace::Folder(path),
                    _ => BackupPlace::DataDir,
                }
            }
        };
        Backup { place, every, keep }
    }
}

/// The keys of an object store.
struct Store {
    endpoint: Option<Url>,
    region: Option<String>,
    access_key: Option<Secret>,
    secret_key: Option<Secret>,
}

impl Store {
    fn bucket(self, place: S3Place, section: &mut Section<'_, '_>) -> BackupPlace {
        for (key, given) in [("access_key", &self.access_key), ("secret_key", &self.secret_key)] {
            if given.is_none() {
                let message = format!("the value is missing; {place} is opened with a key");
                section.complain(key, message);
            }
        }
        match (self.access_key, self.secret_key) {
            (Some(access_key), Some(secret_key)) => BackupPlace::Bucket(S3Config {
                place,
                endpoint: self.endpoint,
                region: self.region,
                access_key,
                secret_key,
            }),
            _ => BackupPlace::DataDir,
        }
    }

    /// Who writes these thinks that backups leave the machine.
    fn complain_of_a_folder(&self, section: &mut Section<'_, '_>) {
        for (key, given) in [
            ("endpoint", self.endpoint.is_some()),
            ("access_key", self.access_key.is_some()),
            ("secret_key", self.secret_key.is_some()),
        ] {
            if given {
                section.complain(
                    key,
                    "this is for an object store, and target names none; write target = \"s3://bucket/prefix\"",
                );
            }
        }
    }
}

fn target_text(target: &Target) -> String {
    match target {
        Target::Folder(url, _) => url.to_string(),
        Target::Bucket(place) => place.to_string(),
    }
}

fn target(text: &str) -> Result<Target, String> {
    let found = url(text, &["file", "s3"])?;
    if found.scheme() == "s3" {
        return S3Place::of(&found).map(Target::Bucket).map_err(|error| error.to_string());
    }
    // The parser makes a whole path of anything, and a name in front a host.
    let whole = text.starts_with("file:///") && found.query().is_none();
    let path = found.to_file_path().ok().filter(|_| whole && found.fragment().is_none());
    let path = path.ok_or_else(|| {
        format!("{text:?} is no whole path of a folder; write one such as file:///srv/backups")
    })?;
    Ok(Target::Folder(found, path))
}

fn endpoint(text: &str) -> Result<Url, String> {
    let found = url(text, &["http", "https"])?;
    if found.path() != "/" || found.query().is_some() || found.fragment().is_some() {
        return Err(format!(
            "{text:?} has more than a server; write bucket and prefix in target, and here an address such as https://s3.example.org:9000"
        ));
    }
    Ok(found)
}
