//! The cable between the browser and a server, which can be pulled. The browser's
//! own switch refuses what is asked for anew, and lets an open stream go on.

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A port of this machine that leads to a server. It ends with the value.
pub struct Wire {
    port: u16,
    whole: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Wire {
    /// To the server at this URL.
    pub async fn to(url: &str) -> Self {
        let server = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (whole, _) = watch::channel(true);
        let task = tokio::spawn(lead(listener, server, whole.clone()));
        Wire { port, whole, task }
    }

    /// The root, as the browser names it.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Pulls it, which ends every connection and keeps new ones from being made,
    /// or plugs it in again.
    pub fn cut(&self, cut: bool) {
        self.whole.send_replace(!cut);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn lead(listener: TcpListener, server: String, whole: watch::Sender<bool>) {
    let mut connections = JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        let mut whole = whole.subscribe();
        if !*whole.borrow_and_update() {
            continue;
        }
        let server = server.clone();
        connections.spawn(async move {
            let Ok(mut far) = TcpStream::connect(&server).await else { return };
            tokio::select! {
                _ = copy_bidirectional(&mut near, &mut far) => {}
                _ = whole.wait_for(|whole| !whole) => {}
            }
        });
        while connections.try_join_next().is_some() {}
    }
}
