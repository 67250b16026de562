//! A real S3 server over folders: a bucket is a folder, an object a file in it.
//!
//! It runs on a thread of its own, so that what it logs is not taken for ours.

use std::error::Error;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s::{S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result, dto, s3_error};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tracker_domain::Secret;
use tracker_objectstore::{S3Backups, S3Config};
use url::Url;

use crate::front::Line;

pub const ACCESS_KEY: &str = "AKIDofTheTests";
pub const SECRET_KEY: &str = "s3cretOfTheTests";

/// The server; it ends with this.
pub struct Server {
    pub root: PathBuf,
    pub address: SocketAddr,
    pub line: Line,
    intruder: Arc<Mutex<Option<Vec<u8>>>>,
    vanishes: Arc<AtomicBool>,
    _stop: oneshot::Sender<()>,
}

impl Server {
    /// Over a folder, with one bucket, `bucket`.
    pub fn over(root: &Path) -> Server {
        let disk = Disk {
            root: root.to_owned(),
            files: FileSystem::new(root).unwrap(),
            intruder: Arc::default(),
            vanishes: Arc::default(),
        };
        let (intruder, vanishes) = (disk.intruder.clone(), disk.vanishes.clone());
        std::fs::create_dir(root.join("bucket")).unwrap();
        let mut service = S3ServiceBuilder::new(disk);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = service.build();
        let (stop, mut stopped) = oneshot::channel();
        let line = Line::default();
        let laid = line.clone();
        let (listening, address) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                listening.send(listener.local_addr().unwrap()).unwrap();
                loop {
                    let connection = tokio::select! {
                        _ = &mut stopped => break,
                        accepted = listener.accept() => accepted.unwrap().0,
                    };
                    if laid.is_down() {
                        continue;
                    }
                    let (connection, service) = (laid.lay(connection), service.clone());
                    tokio::spawn(async move {
                        let server = Builder::new(TokioExecutor::new());
                        // A connection may be cut; that is what is tried.
                        let _ = server.serve_connection(TokioIo::new(connection), service).await;
                    });
                }
            });
        });
        Server {
            root: root.to_owned(),
            address: address.recv().unwrap(),
            line,
            intruder,
            vanishes,
            _stop: stop,
        }
    }

    pub fn bucket(&self) -> PathBuf {
        self.root.join("bucket")
    }

    /// Before the next object is made, somebody else puts this there.
    pub fn let_somebody_be_faster(&self, bytes: &[u8]) {
        *self.intruder.lock().unwrap() = Some(bytes.to_vec());
    }

    /// The bucket goes right behind the next list.
    pub fn let_bucket_vanish_after_a_list(&self) {
        self.vanishes.store(true, Ordering::SeqCst);
    }

    /// The target at a place on it.
    pub fn target(&self, place: &str) -> S3Backups {
        S3Backups::new(&config(place, self.address)).unwrap()
    }
}

/// The right configuration for a place at an address.
pub fn config(place: &str, address: SocketAddr) -> S3Config {
    S3Config {
        place: tracker_objectstore::S3Place::of(&place.parse().unwrap()).unwrap(),
        endpoint: Some(Url::parse(&format!("http://{address}")).unwrap()),
        region: None,
        access_key: Secret::new(ACCESS_KEY),
        secret_key: Secret::new(SECRET_KEY),
    }
}

/// The files of `s3s-fs`, with what real stores do and it does not: it makes no
/// bucket by itself, and says so when its disk is full.
struct Disk {
    root: PathBuf,
    files: FileSystem,
    intruder: Arc<Mutex<Option<Vec<u8>>>>,
    vanishes: Arc<AtomicBool>,
}

impl Disk {
    fn begin(&self, bucket: &str, key: &str) -> S3Result<()> {
        let folder = self.root.join(bucket);
        if !folder.is_dir() {
            return Err(s3_error!(NoSuchBucket));
        }
        if let Some(bytes) = self.intruder.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let path = folder.join(key);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        Ok(())
    }
}

/// An error in the words of stores that have a disk of their own.
fn told<T>(result: S3Result<T>) -> S3Result<T> {
    result.map_err(|error| {
        let mut cause: Option<&(dyn Error + 'static)> =
            error.source().map(|source| source as &(dyn Error + 'static));
        while let Some(found) = cause {
            let kind = found.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            if kind == Some(ErrorKind::StorageFull) {
                let code = S3ErrorCode::from_bytes(b"XMinioStorageFull").unwrap();
                let mut full = S3Error::new(code);
                full.set_status_code(reqwest::StatusCode::INSUFFICIENT_STORAGE);
                return full;
            }
            cause = found.source();
        }
        error
    })
}

#[async_trait::async_trait]
impl S3 for Disk {
    async fn put_object(
        &self,
        request: S3Request<dto::PutObjectInput>,
    ) -> S3Result<S3Response<dto::PutObjectOutput>> {
        self.begin(&request.input.bucket, &request.input.key)?;
        told(self.files.put_object(request).await)
    }

    async fn create_multipart_upload(
        &self,
        request: S3Request<dto::CreateMultipartUploadInput>,
    ) -> S3Result<S3Response<dto::CreateMultipartUploadOutput>> {
        self.begin(&request.input.bucket, &request.input.key)?;
        told(self.files.create_multipart_upload(request).await)
    }

    async fn upload_part(
        &self,
        request: S3Request<dto::UploadPartInput>,
    ) -> S3Result<S3Response<dto::UploadPartOutput>> {
        told(self.files.upload_part(request).await)
    }

    async fn complete_multipart_upload(
        &self,
        request: S3Request<dto::CompleteMultipartUploadInput>,
    ) -> S3Result<S3Response<dto::CompleteMultipartUploadOutput>> {
        told(self.files.complete_multipart_upload(request).await)
    }

    async fn abort_multipart_upload(
        &self,
        request: S3Request<dto::AbortMultipartUploadInput>,
    ) -> S3Result<S3Response<dto::AbortMultipartUploadOutput>> {
        self.files.abort_multipart_upload(request).await
    }

    async fn get_object(
        &self,
        request: S3Request<dto::GetObjectInput>,
    ) -> S3Result<S3Response<dto::GetObjectOutput>> {
        if !self.root.join(&request.input.bucket).is_dir() {
            return Err(s3_error!(NoSuchBucket));
        }
        self.files.get_object(request).await
    }

    async fn head_object(
        &self,
        request: S3Request<dto::HeadObjectInput>,
    ) -> S3Result<S3Response<dto::HeadObjectOutput>> {
        self.files.head_object(request).await
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<dto::ListObjectsV2Input>,
    ) -> S3Result<S3Response<dto::ListObjectsV2Output>> {
        let bucket = self.root.join(&request.input.bucket);
        let page = self.files.list_objects_v2(request).await;
        if self.vanishes.swap(false, Ordering::SeqCst) {
            std::fs::remove_dir_all(bucket).unwrap();
        }
        page
    }

    async fn delete_object(
        &self,
        request: S3Request<dto::DeleteObjectInput>,
    ) -> S3Result<S3Response<dto::DeleteObjectOutput>> {
        self.files.delete_object(request).await
    }
}
