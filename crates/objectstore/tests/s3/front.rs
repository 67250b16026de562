//! The way to the server: a connection of the client is handed on to it byte by
//! byte, and cut where a test wants it to be.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::TcpStream;

/// Where a connection is cut.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    /// After so many bytes of the client reached the server.
    Sent(u64),
    /// At the first byte of an answer behind so many bytes of the client: it was done,
    /// and nobody was told.
    Answered(u64),
    /// After so many bytes reached the client.
    Fetched(u64),
}

#[derive(Debug, Default)]
struct State {
    sent: u64,
    fetched: u64,
    cut: Option<Cut>,
    /// Whether later connections work.
    stays_up: bool,
    down: bool,
}

/// What all connections share.
#[derive(Clone, Debug, Default)]
pub struct Line(Arc<Mutex<State>>);

impl Line {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts once; bytes count from now.
    pub fn cut(&self, cut: Cut, stays_up: bool) {
        *self.state() = State { cut: Some(cut), stays_up, ..State::default() };
    }

    /// Whether the cut was made.
    pub fn was_cut(&self) -> bool {
        self.state().cut.is_none()
    }

    pub fn repair(&self) {
        *self.state() = State::default();
    }

    pub fn is_down(&self) -> bool {
        self.state().down
    }

    /// How many of these bytes go on; fewer than all cuts the connection.
    fn pass(&self, bytes: usize, to_server: bool) -> usize {
        let mut state = self.state();
        let before = if to_server { state.sent } else { state.fetched };
        let left = match (state.cut, to_server) {
            (Some(Cut::Sent(limit)), true) | (Some(Cut::Fetched(limit)), false) => limit - before,
            (Some(Cut::Answered(sent)), false) if state.sent > sent => 0,
            _ => u64::MAX,
        };
        let passed = left.min(bytes as u64);
        if passed < bytes as u64 {
            state.cut = None;
            state.down = !state.stays_up;
        }
        if to_server {
            state.sent += passed;
        } else {
            state.fetched += passed;
        }
        usize::try_from(passed).unwrap()
    }

    /// The server's end of a connection of a client.
    pub fn lay(&self, client: TcpStream) -> DuplexStream {
        let (near, far) = duplex(64 * 1024);
        let line = self.clone();
        tokio::spawn(async move {
            let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
                (client.into_split(), tokio::io::split(near));
            let there = line.clone();
            let sending = async move {
                let mut buffer = vec![0; 16 * 1024];
                while let Ok(read @ 1..) = from_client.read(&mut buffer).await {
                    let passed = there.pass(read, true);
                    // A server that has said no hears no more of it; a client that is
                    // still sending must be able to go on, or it never reads the no.
                    let _ = to_server.write_all(&buffer[..passed]).await;
                    if passed < read {
                        return;
                    }
                }
                let _ = to_server.shutdown().await;
            };
            let answering = async move {
                let mut buffer = vec![0; 16 * 1024];
                while let Ok(read @ 1..) = from_server.read(&mut buffer).await {
                    let passed = line.pass(read, false);
                    if to_client.write_all(&buffer[..passed]).await.is_err() || passed < read {
                        return true;
                    }
                }
                to_client.shutdown().await.is_err()
            };
            let mut sending = std::pin::pin!(sending);
            tokio::select! {
                () = &mut sending => (),
                cut = answering => if !cut { sending.await },
            }
        });
        far
    }
}
