//! The port in a bucket.

use std::path::Path as FilePath;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder, S3ConditionalPut};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::{
    Attributes, GetOptions, MultipartId, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode,
    PutMultipartOptions, PutOptions,
};
use tokio::time::timeout;
use tracing::warn;
use tracker_domain::error::with_causes;
use tracker_domain::ports::{BackupMark, BackupTarget, BackupTargetError, StoredBackup};

use crate::call::{Calls, retries};
use crate::cause::{cause, is_unreadable, refusal};
use crate::config::{DEFAULT_REGION, S3Config, S3ConfigError, S3Place, is_name};
use crate::mark;
use crate::refusal::Meaning;
use crate::scratch::{Sink, Source};

/// What is in memory of an object at a time. A smaller one is put as a whole, a
/// larger one in parts of this size, which is more than the 5 MiB that stores want.
pub const PART_BYTES: u64 = 8 * 1024 * 1024;

/// The most parts that an object may have.
const MOST_PARTS: u64 = 10_000;

/// How many objects are asked for their marks at a time.
const ASKED_AT_ONCE: usize = 8;

/// How long nothing may come of an object that is fetched.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// A bucket that backups are put to.
pub struct S3Backups {
    store: AmazonS3,
    place: S3Place,
}

/// What lies under a name.
struct Found {
    size_bytes: u64,
    mark: Option<BackupMark>,
}

impl Found {
    fn is(&self, mark: &BackupMark) -> bool {
        self.mark.as_ref() == Some(mark)
    }
}

impl S3Backups {
    /// Checks the configuration; calls nobody yet.
    ///
    /// # Errors
    /// When the address cannot be used, or TLS cannot be set up.
    pub fn new(config: &S3Config) -> Result<Self, S3ConfigError> {
        let server = config.server()?;
        let plain = config.endpoint.as_ref().is_some_and(|url| url.scheme() == "http");
        let bucket = config.place.bucket();
        let mut builder = AmazonS3Builder::new()
            .with_http_connector(Calls::new(plain)?)
            .with_retry(retries())
            .with_bucket_name(bucket)
            .with_region(config.region.as_deref().unwrap_or(DEFAULT_REGION))
            .with_access_key_id(config.access_key.expose())
            .with_secret_access_key(config.secret_key.expose())
            .with_conditional_put(S3ConditionalPut::ETagMatch)
            // One object at a time is what every store can do.
            .with_disable_bulk_delete(true)
            // A certificate for the names of buckets has no dot in them.
            .with_virtual_hosted_style_request(server.is_none() && !bucket.contains('.'));
        if let Some(server) = server {
            builder = builder.with_endpoint(server);
        }
        // Its settings are ours; it has no secret to show.
        let store = builder.build().map_err(|error| S3ConfigError::Setup(with_causes(&error)))?;
        Ok(S3Backups { store, place: config.place.clone() })
    }

    fn key(&self, object: &str) -> Result<Path, BackupTargetError> {
        let prefix = self.place.prefix();
        let key = if prefix.is_empty() { object.to_owned() } else { format!("{prefix}/{object}") };
        match Path::parse(&key) {
            Ok(key) if is_name(object) => Ok(key),
            _ => Err(BackupTargetError::Failed(format!("{object:?} is no name of an object"))),
        }
    }

    /// What lies there, or `None`.
    async fn look(&self, key: &Path, object: &str) -> Result<Option<Found>, BackupTargetError> {
        let options = GetOptions { head: true, ..GetOptions::default() };
        match self.store.get_opts(key, options).await {
            Ok(answer) => Ok(Some(Found {
                size_bytes: answer.meta.size,
                mark: mark::read(&answer.attributes),
            })),
            Err(error) if meaning(&error) == Some(Meaning::Nothing) => Ok(None),
            // It is there, with metadata that the library does not read: not ours.
            Err(error) if is_unreadable(&error) => Ok(Some(Found { size_bytes: 0, mark: None })),
            Err(error) => Err(cause(&error, object)),
        }
    }

    async fn put_whole(
        &self,
        key: &Path,
        attributes: Attributes,
        source: &Source,
    ) -> Result<(), Unput> {
        let bytes = source.read(0, source.size_bytes).await?;
        let options = PutOptions { mode: PutMode::Create, attributes, ..PutOptions::default() };
        self.store.put_opts(key, bytes.into(), options).await?;
        Ok(())
    }

    /// In parts, which become an object at the end and only where none is.
    async fn put_parts(
        &self,
        key: &Path,
        attributes: Attributes,
        source: &Source,
    ) -> Result<(), Unput> {
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let upload = self.store.create_multipart_opts(key, options).await?;
        let done = match self.send_parts(key, &upload, source).await {
            Ok(parts) => match self.store.complete_multipart(key, &upload, parts).await {
                Ok(_) => Ok(()),
                Err(error) => Err(error.into()),
            },
            Err(error) => Err(error),
        };
        if done.is_err()
            && let Err(error) = self.store.abort_multipart(key, &upload).await
            && meaning(&error) != Some(Meaning::Nothing)
        {
            // They cost money at most stores until a rule of the bucket removes them.
            let error = cause(&error, key.as_ref());
            warn!(%error, "the parts of a backup that was broken off may stay at the store");
        }
        done
    }

    async fn send_parts(
        &self,
        key: &Path,
        upload: &MultipartId,
        source: &Source,
    ) -> Result<Vec<PartId>, Unput> {
        let length = part_bytes(source.size_bytes);
        let mut parts = Vec::new();
        for (number, offset) in (0..source.size_bytes).step_by(step(length)).enumerate() {
            // One at a time: memory is what a small machine has least of.
            let bytes = source.read(offset, length).await?;
            parts.push(self.store.put_part(key, upload, number, bytes.into()).await?);
        }
        Ok(parts)
    }

    /// The objects right below the prefix, whosever they are.
    async fn all(&self) -> Result<Vec<ObjectMeta>, BackupTargetError> {
        let prefix = Path::parse(self.place.prefix()).unwrap_or_default();
        match self.store.list_with_delimiter(Some(&prefix)).await {
            Ok(found) => Ok(found.objects),
            // A list that is not there is a bucket that is not, or a server of another kind.
            Err(error) => Err(match refusal(&error) {
                Some(no) if no.meaning() == Meaning::Nothing => BackupTargetError::Unreachable(
                    format!("{no}: there is no such bucket; check endpoint and target"),
                ),
                _ => cause(&error, self.place.prefix()),
            }),
        }
    }
}

/// Why an object is not known to have been put.
enum Unput {
    /// The store said so, or nothing.
    Store(object_store::Error),
    /// Its file could not be read.
    File(BackupTargetError),
}

impl From<object_store::Error> for Unput {
    fn from(error: object_store::Error) -> Self {
        Unput::Store(error)
    }
}

impl From<BackupTargetError> for Unput {
    fn from(error: BackupTargetError) -> Self {
        Unput::File(error)
    }
}

#[async_trait]
impl BackupTarget for S3Backups {
    fn place(&self) -> String {
        self.place.to_string()
    }

    async fn put_new(
        &self,
        object: &str,
        mark: &BackupMark,
        file: &FilePath,
    ) -> Result<(), BackupTargetError> {
        let key = self.key(object)?;
        let source = Source::open(file).await?;
        // Told before it was sent. And a store that does not know the condition
        // overwrites without a word.
        match self.look(&key, object).await {
            Ok(None) => {}
            Ok(Some(_)) => return Err(BackupTargetError::Exists(object.to_owned())),
            // Such an answer has no body that says more; that to the put has one.
            Err(BackupTargetError::Failed(_)) => {}
            Err(error) => return Err(error),
        }
        let attributes = mark::written(mark);
        let put = if source.size_bytes <= PART_BYTES {
            self.put_whole(&key, attributes, &source).await
        } else {
            self.put_parts(&key, attributes, &source).await
        };
        let error = match put {
            Ok(()) => return Ok(()),
            Err(Unput::File(error)) => return Err(error),
            Err(Unput::Store(error)) => error,
        };
        // A no is a no. But where nothing was before, what is there now may be our own
        // request, which arrived and was sent again because its answer did not.
        let unsure = matches!(
            meaning(&error),
            None | Some(Meaning::Taken | Meaning::Nothing | Meaning::Broken)
        );
        if !unsure {
            return Err(cause(&error, object));
        }
        match self.look(&key, object).await {
            Ok(Some(found)) if found.size_bytes == source.size_bytes && found.is(mark) => Ok(()),
            Ok(Some(_)) => Err(BackupTargetError::Exists(object.to_owned())),
            Ok(None) | Err(_) => Err(unput(&error, object)),
        }
    }

    async fn get(&self, object: &str, file: &FilePath) -> Result<(), BackupTargetError> {
        let key = self.key(object)?;
        let mut sink = Sink::open(file).await?;
        let answer = self.store.get(&key).await.map_err(|error| cause(&error, object))?;
        let size_bytes = answer.meta.size;
        let mut chunks = answer.into_stream();
        let silent = |_| BackupTargetError::Unreachable("nothing came any more".to_owned());
        while let Some(chunk) = timeout(LONGEST_SILENCE, chunks.next()).await.map_err(silent)? {
            sink.write(&chunk.map_err(|error| cause(&error, object))?).await?;
        }
        sink.flush().await?;
        if sink.size_bytes != size_bytes {
            return Err(BackupTargetError::Unreachable("the object ended too early".to_owned()));
        }
        Ok(())
    }

    async fn list(&self) -> Result<Vec<StoredBackup>, BackupTargetError> {
        let asked = self.all().await?.into_iter().filter_map(|object| {
            let name = object.location.filename().filter(|name| is_name(name))?.to_owned();
            Some(async move {
                let found = self.look(&object.location, &name).await?;
                Ok::<_, BackupTargetError>((name, found))
            })
        });
        let found: Vec<(String, Option<Found>)> =
            stream::iter(asked).buffer_unordered(ASKED_AT_ONCE).try_collect().await?;
        if found.iter().any(|(_, found)| found.is_none()) {
            // Deleted meanwhile, or the bucket was: the answer to such a question does
            // not say which. What is not seen must not be taken for missing.
            self.all().await?;
        }
        let ours = found.into_iter().filter_map(|(object, found)| {
            let Found { size_bytes, mark } = found?;
            Some(StoredBackup { object, size_bytes, mark: mark? })
        });
        Ok(ours.collect())
    }

    async fn delete(&self, object: &str) -> Result<(), BackupTargetError> {
        let key = self.key(object)?;
        match self.store.delete(&key).await {
            Ok(()) => Ok(()),
            Err(error) if meaning(&error) == Some(Meaning::Nothing) => Ok(()),
            Err(error) => Err(cause(&error, object)),
        }
    }
}

impl std::fmt::Debug for S3Backups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Backups").field("place", &self.place()).finish_non_exhaustive()
    }
}

/// The cause where nothing is under the name.
fn unput(error: &object_store::Error, object: &str) -> BackupTargetError {
    match refusal(error) {
        Some(no) if matches!(no.meaning(), Meaning::Taken | Meaning::Nothing) => {
            BackupTargetError::Unreachable(format!(
                "{no}: the bucket is gone, or the store gave the upload up"
            ))
        }
        _ => cause(error, object),
    }
}

fn meaning(error: &object_store::Error) -> Option<Meaning> {
    refusal(error).map(crate::refusal::Refusal::meaning)
}

/// The size of a part, so that there are not too many of them.
fn part_bytes(size_bytes: u64) -> u64 {
    size_bytes.div_ceil(MOST_PARTS).max(PART_BYTES)
}

fn step(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use object_store::signer::Signer;
    use proptest::prelude::*;
    use reqwest::Method;
    use tracker_domain::Secret;
    use tracker_testkit::spec;

    use super::*;

    /// The address that an object is put to, without what is signed.
    async fn address(place: &str, endpoint: Option<&str>, region: Option<&str>) -> String {
        let config = S3Config {
            place: S3Place::of(&place.parse().unwrap()).unwrap(),
            endpoint: endpoint.map(|url| url.parse().unwrap()),
            region: region.map(ToOwned::to_owned),
            access_key: Secret::new("AKID"),
            secret_key: Secret::new("s3cret"),
        };
        let target = S3Backups::new(&config).unwrap();
        let key = target.key("o.zst").unwrap();
        let mut url =
            target.store.signed_url(Method::PUT, &key, Duration::from_secs(60)).await.unwrap();
        url.set_query(None);
        url.to_string()
    }

    #[tokio::test]
    async fn a_bucket_is_in_the_path_or_in_the_name() {
        spec!("backup#the-target-is-configured/an-object-store");
        for (place, endpoint, region, wanted) in [
            (
                "s3://bucket/a/b",
                Some("http://10.0.0.2:9000"),
                None,
                "http://10.0.0.2:9000/bucket/a/b/o.zst",
            ),
            ("s3://bucket", Some("https://s3.lan/"), None, "https://s3.lan/bucket/o.zst"),
            (
                "s3://bucket/a",
                None,
                Some("eu-central-1"),
                "https://bucket.s3.eu-central-1.amazonaws.com/a/o.zst",
            ),
            ("s3://buck.et", None, None, "https://s3.us-east-1.amazonaws.com/buck.et/o.zst"),
        ] {
            assert_eq!(address(place, endpoint, region).await, wanted);
        }
    }

    #[test]
    fn an_endpoint_is_a_server_alone() {
        spec!("backup#the-target-is-configured/what-cannot-be-used");
        for endpoint in ["http://me:hunter2@nas", "http://nas/bucket", "ftp://nas", "http://nas/?a"]
        {
            let config = S3Config {
                place: S3Place::of(&"s3://bucket".parse().unwrap()).unwrap(),
                endpoint: Some(endpoint.parse().unwrap()),
                region: None,
                access_key: Secret::new("AKID"),
                secret_key: Secret::new("s3cret"),
            };
            assert_eq!(S3Backups::new(&config).err(), Some(S3ConfigError::Endpoint), "{endpoint}");
            assert!(!format!("{config:?}").contains("hunter2"), "{config:?}");
        }
    }

    proptest! {
        #[test]
        fn no_object_has_too_many_parts_or_too_small_ones(size_bytes in PART_BYTES + 1..u64::MAX / 2) {
            let length = part_bytes(size_bytes);
            prop_assert!(length >= PART_BYTES);
            prop_assert!(size_bytes.div_ceil(length) <= MOST_PARTS);
        }
    }
}
