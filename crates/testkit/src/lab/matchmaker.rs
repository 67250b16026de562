//! Brings the two clients of a lab together again when they met in vain.
//!
//! A client that called an address in vain does not call it again for a minute,
//! and longer after each time. In a swarm of many that is no matter; here there
//! is one to call, and it may just have been stopped, or have hung up on a hybrid
//! that changed its name. So a torrent that has had no peer for a while is told
//! another door: a port that nobody called yet, which leads to the one that seeds.

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
pub(super) struct Matchmaker {
    /// The thread ends with it.
    _stop: oneshot::Sender<()>,
}

impl Matchmaker {
    pub(super) fn start(lab: &Lab) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let lab = lab.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime can be built").block_on(async {
                tokio::select! {
                    () = bring_together(&lab) => (),
                    _ = stopped => (),
                }
            });
        });
        Matchmaker { _stop: stop }
    }
}

async fn bring_together(lab: &Lab) {
    let api = LabApi::without_session(&lab.qbt);
    let mut alone: HashMap<String, i32> = HashMap::new();
    let mut ticks = tokio::time::interval(PAUSE);
    loop {
        ticks.tick().await;
        // Tests stop the client and kill it.
        let Ok(listed) = api.try_list().await else { continue };
        let waiting: Vec<&str> = listed.iter().filter_map(|one| lonely(lab, one)).collect();
        alone.retain(|handle, _| waiting.contains(&handle.as_str()));
        for handle in waiting {
            let looks = alone.entry(handle.to_owned()).or_default();
            *looks += 1;
            if *looks >= PATIENCE && tell_a_door(lab, &api, handle).await.is_ok() {
                *looks = PATIENCE - GRACE;
            }
        }
    }
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
