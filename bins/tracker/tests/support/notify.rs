//! The end of a service manager, for tests: a socket at which the daemon tells
//! how it is, and everything that was heard there.
#![allow(dead_code, reason = "each test program uses its own part of it")]
#![allow(clippy::unwrap_used)]

use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::time::Duration;

use tracker_testkit::eventually_blocking;

/// A socket that is listened at.
pub struct Manager {
    /// What `NOTIFY_SOCKET` says.
    pub address: String,
    socket: UnixDatagram,
    /// Every line up to the last look.
    pub heard: Vec<String>,
}

impl Manager {
    /// At a path that any user may write to, as systemd's own is.
    pub fn at(path: &Path) -> Self {
        let socket = UnixDatagram::bind(path).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
        Self::listening(path.to_str().unwrap().to_owned(), socket)
    }

    /// At a name that is no file.
    pub fn at_name(name: &str) -> Self {
        let address = SocketAddr::from_abstract_name(name.as_bytes()).unwrap();
        Self::listening(format!("@{name}"), UnixDatagram::bind_addr(&address).unwrap())
    }

    fn listening(address: String, socket: UnixDatagram) -> Self {
        socket.set_nonblocking(true).unwrap();
        Manager { address, socket, heard: Vec::new() }
    }

    /// Every line so far, in order.
    pub fn heard(&mut self) -> &[String] {
        let mut room = [0; 4096];
        loop {
            match self.socket.recv(&mut room) {
                Ok(size) => {
                    let text = str::from_utf8(&room[..size]).unwrap();
                    self.heard.extend(text.lines().map(ToOwned::to_owned));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return &self.heard,
                Err(error) => panic!("{}: {error}", self.address),
            }
        }
    }

    /// How often a line was heard so far.
    pub fn times(&mut self, line: &str) -> usize {
        self.heard().iter().filter(|heard| *heard == line).count()
    }

    /// Waits until a line was heard so many times.
    pub fn until(&mut self, line: &str, times: usize) {
        eventually_blocking(Duration::from_secs(20), line, || {
            (self.times(line) >= times).then_some(())
        });
    }
}
