//! The target of backups that the configuration names.

use std::sync::Arc;

use tracker_cli::ApiFailure;
use tracker_domain::ports::BackupTarget;
use tracker_objectstore::S3Backups;
use tracker_system::LocalBackups;

use crate::config::{BackupPlace, Config};

/// Where backups lie in the data directory when nobody says where.
const OWN_FOLDER: &str = "backups";

/// The target of `[backup]`. It is not asked yet whether it is there.
pub(crate) fn backup_target(config: &Config) -> Result<Arc<dyn BackupTarget>, ApiFailure> {
    Ok(match &config.backup.place {
        BackupPlace::DataDir => {
            Arc::new(LocalBackups::in_own_folder(config.general.data_dir.join(OWN_FOLDER)))
        }
        BackupPlace::Folder(path) => Arc::new(LocalBackups::in_folder(path.clone())),
        BackupPlace::Bucket(store) => {
            let target = S3Backups::new(store)
                .map_err(|error| ApiFailure::usage(format!("[backup]: {error}")))?;
            Arc::new(target)
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tracker_domain::ports::BackupTargetError;
    use tracker_testkit::{backup_target_contract, spec};

    use super::*;
    use crate::config::{self, Environment, Flags};

    /// The target of a configuration that lies in a folder with its data directory.
    fn target(folder: &std::path::Path, text: &str) -> Arc<dyn BackupTarget> {
        let file = folder.join("tracker.toml");
        let data = folder.join("data");
        std::fs::write(&file, format!("[general]\ndata_dir = {data:?}\n[backup]\n{text}\n"))
            .unwrap();
        let environment = Environment {
            vars: [("HOME".to_owned(), folder.display().to_string())].into(),
            current_dir: folder.to_owned(),
            system_file: folder.join("none"),
        };
        let flags = Flags { config: Some(file), data_dir: None };
        backup_target(&config::load(&environment, &flags).unwrap().config).unwrap()
    }

    #[tokio::test]
    async fn each_place_has_its_target() {
        spec!("backup#the-target-is-configured/a-folder");
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let own = target(folder.path(), "");
        assert_eq!(own.place(), format!("file://{}", data.join("backups").display()));
        backup_target_contract(&*own, folder.path()).await;
        // That of a person is never made.
        let named = folder.path().join("disk");
        let disk = target(folder.path(), &format!("target = \"file://{}\"", named.display()));
        assert_eq!(disk.place(), format!("file://{}", named.display()));
        assert!(matches!(disk.list().await, Err(BackupTargetError::Unreachable(_))));
        std::fs::create_dir(&named).unwrap();
        backup_target_contract(&*disk, folder.path()).await;
    }

    #[tokio::test]
    async fn a_bucket_is_asked_at_its_endpoint() {
        spec!("backup#the-target-is-configured/an-object-store");
        let folder = tempfile::tempdir().unwrap();
        // Nobody listens there any more.
        let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let bucket = target(
            folder.path(),
            &format!(
                "target = \"s3://bucket/a\"\nendpoint = \"http://{address}\"\n\
                 access_key = \"AKID\"\nsecret_key = \"hunter2\""
            ),
        );
        assert_eq!(bucket.place(), "s3://bucket/a");
        let shown = format!("{bucket:?}");
        let Err(BackupTargetError::Unreachable(said)) = bucket.list().await else { panic!() };
        assert!(said.contains("no connection"), "{said}");
        assert!(!format!("{shown}{said}").contains("hunter2"), "{shown}{said}");
        assert!(!folder.path().join("data").exists());
    }
}
