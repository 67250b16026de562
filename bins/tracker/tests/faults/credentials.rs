//! A client that refuses the password, and one that has banned us.

use reqwest::Client;
use tracker_testkit::spec;

use crate::daemon::{Daemon, Setup};
use crate::scene::{Scene, until_looked_at_again};
use tracker_testkit::Dice;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_try_with_a_wrong_password() {
    spec!("fault-tolerance#refused-credentials-are-not-repeated/a-wrong-password");
    let scene = Scene::with(&[]);
    let magnet = Dice::of_this_test().dead_magnet();
    let (proxy, mut setup) = scene.proxied().await;
    "not-the-password".clone_into(&mut setup.clients[0].password);
    let mut daemon = Daemon::started(setup).await;
    let id = daemon.ingest(&magnet.link).await;
    let check = daemon.until_check("client-credentials").await;
    assert_eq!((&check["subject"], &check["level"]), (&"qbt".into(), &"error".into()));
    assert!(check["remedy"].as_str().unwrap().contains("password"), "{check}");
    for _ in 0..2 {
        until_looked_at_again(&daemon, "client-credentials").await;
    }
    assert_eq!(proxy.asked("auth/login"), 1);
    let download = daemon.download(&id).await;
    assert_eq!((&download["state"], &download["attention"]), (&"queued".into(), &().into()));

    daemon.stop();
    scene.lab.qbt.password.clone_into(&mut daemon.setup.clients[0].password);
    daemon.configure();
    daemon.start().await;
    daemon.until_state(&id, "downloading").await;
    assert_eq!(proxy.asked("auth/login"), 2);
    assert!(daemon.checks("client-credentials").await.is_empty());

    let hashes: Vec<&str> = magnet.hashes.iter().map(String::as_str).collect();
    scene.lab.api().await.delete_infohashes(&hashes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_is_told_and_not_prolonged() {
    spec!("fault-tolerance#refused-credentials-are-not-repeated/a-ban");
    let scene = Scene::alone();
    let magnet = Dice::of_this_test().dead_magnet();
    let mut last = 0;
    for _ in 0..6 {
        let login = Client::new().post(format!("{}/api/v2/auth/login", scene.lab.qbt.url));
        let form = login
            .header("content-type", "application/x-www-form-urlencoded")
            .body("username=somebody&password=wrong");
        last = form.send().await.unwrap().status().as_u16();
    }
    assert_eq!(last, 403, "the client bans after five wrong tries");

    let mut daemon = Daemon::started(Setup::of(&scene.lab)).await;
    let id = daemon.ingest(&magnet.link).await;
    let check = daemon.until_check("client-banned").await;
    assert_eq!(check["level"], "error");
    assert!(check["remedy"].as_str().unwrap().contains("restart the client"), "{check}");
    assert_eq!(daemon.download(&id).await["state"], "queued");

    // As the remedy says.
    scene.lab.restart(false, false);
    daemon.stop();
    daemon.start().await;
    daemon.until_state(&id, "downloading").await;
    assert!(daemon.checks("client-banned").await.is_empty());

    let hashes: Vec<&str> = magnet.hashes.iter().map(String::as_str).collect();
    scene.lab.api().await.delete_infohashes(&hashes).await;
}
