//! Puts right what the clients of a lab do by themselves now and then, as a person
//! or a service manager would.
//!
//! They meet in vain, and are brought together again.
//! A client that called an address in vain does not call it again for a minute,
//! and longer after each time. In a swarm of many that is no matter; here there
//! is one to call, and it may just have been stopped, or have hung up on a hybrid
//! that changed its name. So a torrent that has had no peer for a while is told
//! another door: a port that nobody called yet, which leads to the one that seeds.
//!
//! The client gives a torrent up: libtorrent now and then takes the halves of a
//! hybrid for different data. A check finds that they are not, and goes on.
//!
//! The client ends, unless a test has ended it, and is started again.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use super::{Lab, LabApi};

/// Between two looks at the client.
const PAUSE: Duration = Duration::from_secs(1);

/// Looks at which a torrent has no peer, before it is told a door: clients that
/// meet by themselves do so within two or three seconds.
const PATIENCE: i32 = 6;

/// Looks that a door gets. The client knocks by uTP first, for six seconds.
const GRACE: i32 = 12;

/// Works on a thread of its own, until it is dropped.
#[derive(Debug)]
pub(super) struct Caretaker {
    /// The thread ends with it.
    _stop: oneshot::Sender<()>,
}

impl Caretaker {
    pub(super) fn start(lab: &Lab) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let lab = lab.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime can be built").block_on(async {
                tokio::select! {
                    () = look_after(&lab) => (),
                    _ = stopped => (),
                }
            });
        });
        Caretaker { _stop: stop }
    }
}

async fn look_after(lab: &Lab) {
    let api = LabApi::without_session(&lab.qbt);
    let mut alone: HashMap<String, i32> = HashMap::new();
    let mut given_up: HashMap<String, i32> = HashMap::new();
    let mut ticks = tokio::time::interval(PAUSE);
    loop {
        ticks.tick().await;
        let Ok(listed) = api.try_list().await else {
            lab.revive_unless_ended_by_a_test();
            continue;
        };
        let waiting = listed.iter().filter_map(|one| lonely(lab, one));
        for handle in due(&mut alone, waiting, PATIENCE, GRACE) {
            // Who cannot be told now is told at the next turn.
            let _ = tell_a_door(lab, &api, &handle).await;
        }
        let broken = listed.iter().filter(|one| one["state"] == "error");
        let broken = broken.filter_map(|one| one["hash"].as_str());
        for handle in due(&mut given_up, broken, 1, GRACE) {
            let _ = have_checked(&api, &handle).await;
        }
    }
}

/// Counts the looks at each of these, and tells whose turn it is: at the look
/// `first`, and at every `again` after it.
fn due<'a>(
    looks: &mut HashMap<String, i32>,
    handles: impl Iterator<Item = &'a str>,
    first: i32,
    again: i32,
) -> Vec<String> {
    let mut counted = HashMap::new();
    let mut due = Vec::new();
    for handle in handles {
        let mut count = looks.get(handle).copied().unwrap_or_default() + 1;
        if count >= first {
            count = first - again;
            due.push(handle.to_owned());
        }
        counted.insert(handle.to_owned(), count);
    }
    *looks = counted;
    due
}

async fn have_checked(api: &LabApi, handle: &str) -> io::Result<()> {
    // Versions differ in the word for a start.
    for word in ["recheck", "start", "resume"] {
        api.try_post(&format!("torrents/{word}"), &[("hashes", handle)]).await?;
    }
    Ok(())
}

/// The handle of a torrent that waits for a peer, where the lab has one.
fn lonely<'a>(lab: &Lab, listed: &'a Value) -> Option<&'a str> {
    let waits = ["metaDL", "forcedMetaDL", "stalledDL"].iter().any(|one| listed["state"] == *one);
    let peers = ["num_seeds", "num_leechs"].iter().any(|count| listed[*count] != 0);
    let shared =
        lab.torrents.iter().any(|torrent| torrent.behaviour != "dead" && torrent.is(listed));
    if waits && !peers && shared { listed["hash"].as_str() } else { None }
}

async fn tell_a_door(lab: &Lab, api: &LabApi, handle: &str) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let door = listener.local_addr()?.to_string();
    tokio::spawn(lead(listener, lab.seeder.bt_port));
    api.try_post("torrents/addPeers", &[("hashes", handle), ("peers", &door)]).await
}

/// Leads whoever comes to a port of this machine.
async fn lead(listener: TcpListener, port: u16) -> io::Result<()> {
    loop {
        let (mut caller, _) = listener.accept().await?;
        tokio::spawn(async move {
            let mut peer = TcpStream::connect(("127.0.0.1", port)).await?;
            tokio::io::copy_bidirectional(&mut caller, &mut peer).await
        });
    }
}
