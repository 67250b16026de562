//! A daemon that is another user than the client.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use serde_json::{Value, json};
use tracker_testkit::spec;

use crate::daemon::{ClientSetup, DEADLINE, Daemon, Setup};
use crate::scene::{Scene, files_below, need_root};

/// The user `nobody` and its group, on Debian and elsewhere.
const NOBODY: u32 = 65_534;

fn make(path: &Path, owner: u32, mode: u32) {
    std::fs::create_dir_all(path).unwrap();
    chown(path, Some(owner), Some(owner)).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A link to a file needs its owner or write access to it.
fn need_protected_hardlinks() {
    let setting = "/proc/sys/fs/protected_hardlinks";
    let value = std::fs::read_to_string(setting).unwrap();
    assert_eq!(
        value.trim(),
        "1",
        "{setting}: this kernel lets anybody link anything, so the refusal cannot be shown; \
         run sysctl fs.protected_hardlinks=1 on the host"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payload_of_another_user() {
    spec!("fault-tolerance#rights-to-link-are-told/a-payload-that-is-not-ours");
    need_root();
    need_protected_hardlinks();
    let scene = Scene::with(&["slow"]);
    scene.clear(&["slow"]).await;
    // Where the other user gets to, unlike the folders of a lab perhaps.
    let below = tempfile::tempdir().unwrap();
    make(below.path(), 0, 0o755);
    let mut setup = Setup::without_client(below.path());
    setup.clients.push(ClientSetup::of(&scene.lab));
    let mut daemon = Daemon::prepared(setup);
    let payload = daemon.home().join("payload");
    make(daemon.home(), NOBODY, 0o755);
    make(&daemon.library("movies"), NOBODY, 0o755);
    make(&payload, 0, 0o755);
    daemon.setup.clients[0].more = format!("save_path = {payload:?}");
    daemon.configure();
    // The program is opened before the change of user, who may not get to it.
    let script = "exec 3<\"$1\"; shift; \
         exec setpriv --reuid 65534 --regid 65534 --clear-groups /proc/self/fd/3 \"$@\"";
    daemon.setup.launcher = ["sh", "-c", script, "sh"].map(ToOwned::to_owned).to_vec();
    daemon.start().await;

    let id = daemon.ingest(&scene.torrent("slow").magnet).await;
    let marked = |download: &Value| download["attention"] != Value::Null;
    let download = daemon.until(&id, DEADLINE * 2, "marked", marked).await;
    let files = files_below(&payload);
    assert_eq!(files.len(), 1, "{files:?}");
    let file = files[0].metadata().unwrap();
    assert_eq!((file.uid(), file.mode() & 0o022), (0, 0), "the premise");
    assert_eq!(download["attention"], "link-failed", "{download:#}");
    let detail = download["attention_detail"].as_str().unwrap();
    for part in ["EPERM", "own the source or have write access", files[0].to_str().unwrap()] {
        assert!(detail.contains(part), "{part} in {detail}");
    }
    assert_eq!(files_below(&daemon.library("movies")), Vec::<std::path::PathBuf>::new());

    // As a client with umask 002 and a common group leaves it.
    chown(&files[0], Some(0), Some(NOBODY)).unwrap();
    std::fs::set_permissions(&files[0], std::fs::Permissions::from_mode(0o664)).unwrap();
    daemon.post(&format!("/downloads/{id}/retry"), &json!({})).await.expect(200);
    daemon.until_state(&id, "done").await;
    let links = files_below(&daemon.library("movies"));
    assert_eq!(links.len(), 1, "{links:?}");
    assert_eq!(links[0].metadata().unwrap().ino(), file.ino());
    scene.clear(&["slow"]).await;
}

#[test]
fn a_data_directory_of_another_user() {
    spec!("fault-tolerance#rights-to-link-are-told/a-data-directory-that-is-not-ours");
    need_root();
    let below = tempfile::tempdir().unwrap();
    let daemon = Daemon::prepared(Setup::without_client(below.path()));
    make(&daemon.data_dir(), NOBODY, 0o750);
    let owner = "nobody";
    let link = format!("magnet:?xt=urn:btih:{}", "a".repeat(40));
    for command in [vec!["list"], vec!["ingest", &link], vec!["db", "check"], vec!["serve"]] {
        let said = daemon.tracker(&command);
        assert_eq!(said.code, 7, "{command:?}: {said:?}");
        for part in ["--server", "sudo -u", owner] {
            assert!(said.err.contains(part), "{command:?}: {part} in {}", said.err);
        }
    }
    let left: Vec<_> = std::fs::read_dir(daemon.data_dir()).unwrap().collect();
    assert!(left.is_empty(), "nothing was written: {left:?}");
}
