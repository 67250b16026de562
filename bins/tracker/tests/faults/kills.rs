//! `kill -9` at random moments while downloads are taken in.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracker_testkit::{eventually, spec};

use crate::daemon::{DEADLINE, Daemon, Setup, id_of};
use crate::scene::{Scene, shown};
use tracker_testkit::{DeadMagnet, Dice};

/// Programs that hand links over at the same time.
const POSTERS: usize = 4;

/// Somebody who hands links over and does not give up before an answer.
#[derive(Clone)]
struct Poster {
    data_dir: PathBuf,
    http: reqwest::Client,
}

impl Poster {
    /// Posts a link; `None` when no whole answer came.
    async fn post(&self, link: &str) -> Option<Value> {
        // The port is another one after each start.
        let told = std::fs::read_to_string(self.data_dir.join("daemon.json")).ok()?;
        let told: Value = serde_json::from_str(&told).ok()?;
        let token = std::fs::read_to_string(self.data_dir.join("api-token")).ok()?;
        let url = format!("{}/api/v1/downloads", told["url"].as_str()?);
        let request = self.http.post(url).bearer_auth(token.trim());
        let reply = request.json(&json!({ "magnet": link })).send().await.ok()?;
        let status = reply.status();
        let text = reply.text().await.ok()?;
        assert!(status.is_success(), "{status} {text}");
        serde_json::from_str(&text).ok()
    }

    /// Posts until it is acknowledged: the id.
    async fn hand_over(&self, link: &str) -> String {
        let posted = tokio::time::timeout(DEADLINE, async {
            loop {
                if let Some(answer) = self.post(link).await {
                    return id_of(&answer);
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        posted.await.expect("an acknowledgement before the deadline")
    }
}

/// The intakes of one test.
struct Intakes {
    magnets: Arc<Vec<DeadMagnet>>,
    tasks: JoinSet<Vec<(usize, String)>>,
    /// How many may be started by now.
    allowed: watch::Sender<usize>,
    /// How many were acknowledged.
    acknowledged: watch::Sender<usize>,
}

impl Intakes {
    fn start(daemon: &Daemon, magnets: &Arc<Vec<DeadMagnet>>) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let poster = Poster { data_dir: daemon.data_dir(), http };
        let (allowed, acknowledged) = (watch::Sender::new(0), watch::Sender::new(0));
        let mut tasks = JoinSet::new();
        for first in 0..POSTERS {
            let (poster, magnets) = (poster.clone(), magnets.clone());
            let (mut gate, count) = (allowed.subscribe(), acknowledged.clone());
            tasks.spawn(async move {
                let mut ids = Vec::new();
                for index in (first..magnets.len()).step_by(POSTERS) {
                    gate.wait_for(|allowed| index < *allowed).await.unwrap();
                    ids.push((index, poster.hand_over(&magnets[index].link).await));
                    if index % 4 == 0 {
                        // Somebody is not sure and hands it over once more.
                        ids.push((index, poster.hand_over(&magnets[index].link).await));
                    }
                    count.send_modify(|count| *count += 1);
                }
                ids
            });
        }
        Intakes { magnets: magnets.clone(), tasks, allowed, acknowledged }
    }

    /// Every link and the id that was acknowledged for it.
    async fn ids(self) -> Vec<String> {
        let all = self.tasks.join_all().await.into_iter().flatten();
        let mut ids = vec![String::new(); self.magnets.len()];
        for (index, id) in all {
            assert!(ids[index].is_empty() || ids[index] == id, "one link, two downloads");
            ids[index] = id;
        }
        ids
    }
}

/// Kills the daemon so often, each time at a random moment while a share of
/// the links is on its way, or is handed to the client afterwards.
async fn kill_again_and_again(
    daemon: &mut Daemon,
    intakes: &Intakes,
    dice: &mut Dice,
    kills: usize,
) {
    let share = intakes.magnets.len() / kills;
    let mut count = intakes.acknowledged.subscribe();
    for round in 0..kills {
        let before = round * share;
        intakes.allowed.send_replace(before + share);
        let when = before + usize::try_from(dice.below(share as u64)).unwrap();
        count.wait_for(|count| *count >= when).await.unwrap();
        let pause = if round % 2 == 0 { dice.pause(12) } else { dice.pause(1500) };
        // The moment itself is what is tested; nothing is waited for.
        tokio::time::sleep(pause).await;
        daemon.kill();
        if round % 3 == 2 {
            daemon.spawn();
            tokio::time::sleep(dice.pause(300)).await;
            daemon.kill();
        }
        daemon.start().await;
    }
    intakes.allowed.send_replace(usize::MAX);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost() {
    spec!("fault-tolerance#an-acknowledged-intake-is-kept/killed-at-random-moments");
    let soak = std::env::var_os("TRACKER_SOAK").is_some();
    let (count, kills) = if soak { (500, 25) } else { (60, 4) };
    let scene = Scene::with(&[]);
    let mut dice = Dice::of_this_test();
    let magnets: Arc<Vec<DeadMagnet>> = Arc::new((0..count).map(|_| dice.dead_magnet()).collect());
    let mut daemon = Daemon::started(Setup::of(&scene.lab)).await;

    let intakes = Intakes::start(&daemon, &magnets);
    kill_again_and_again(&mut daemon, &intakes, &mut dice, kills).await;
    let ids = intakes.ids().await;
    let long = DEADLINE + Duration::from_millis(300) * u32::try_from(count).unwrap();
    eventually(long, "everything to be handed over", async || {
        let page = daemon.get("/downloads?state=queued&limit=1").await.expect(200);
        page["items"].as_array().unwrap().is_empty().then_some(())
    })
    .await;

    let api = scene.lab.api().await;
    let list = api.list().await;
    for (magnet, id) in magnets.iter().zip(&ids) {
        let download = daemon.download(id).await;
        let mut found: Vec<&str> =
            download["infohashes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        found.sort_unstable();
        let mut sent: Vec<&str> = magnet.hashes.iter().map(String::as_str).collect();
        sent.sort_unstable();
        assert_eq!((found, &download["state"]), (sent.clone(), &json!("downloading")));
        let events = daemon.events(id).await;
        let created = events.iter().filter(|event| event["type"] == "download.created");
        assert_eq!(created.count(), 1, "{events:?}");
        let entries = shown(&list, &sent);
        assert_eq!(entries.len(), 1, "{sent:?} in the client: {entries:?}");
        let tags = entries[0]["tags"].as_str().unwrap();
        assert!(tags.contains(&format!("tracker-{id}")), "{tags:?} of {id}");
    }
    daemon.stop();
    let rows = crate::scene::sql(&daemon, &["SELECT count(*) FROM download"]);
    assert_eq!(rows, [json!([count])], "nothing was taken in twice");
    daemon.tracker(&["db", "check"]).done();

    let all: Vec<&str> =
        magnets.iter().flat_map(|magnet| magnet.hashes.iter().map(String::as_str)).collect();
    api.delete_infohashes(&all).await;
    let marks: Vec<String> = ids.iter().map(|id| format!("tracker-{id}")).collect();
    api.post("torrents/deleteTags", &[("tags", &marks.join(","))]).await;
}
