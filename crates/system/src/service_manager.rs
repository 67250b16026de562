//! What a service manager is told, in the way of systemd: datagrams of lines
//! at a socket that it named. Where it named it is the caller's to know.
//!
//! The crates for this read the variables of the process by themselves; the
//! protocol is a line and a datagram, so it is spoken here.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use crate::errno::{errno_name, errno_of};

/// How long a manager that does not read may hold us up.
const PATIENCE: Duration = Duration::from_secs(1);

/// One thing to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The start is over and requests are answered.
    Ready,
    /// The end has begun.
    Stopping,
    /// What it is at, in one line for a person.
    Status(String),
    /// It still moves.
    Watchdog,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Ready => f.write_str("READY=1"),
            Notice::Stopping => f.write_str("STOPPING=1"),
            // A line break would begin another notice.
            Notice::Status(text) => write!(f, "STATUS={}", text.replace(['\n', '\r'], " ")),
            Notice::Watchdog => f.write_str("WATCHDOG=1"),
        }
    }
}

/// Why a service manager cannot be told anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// The address is none that a manager gives.
    #[error("{0:?} is neither a whole path nor @ and a name, or it is too long")]
    Address(String),
    /// The system refused.
    #[error("the socket {address} takes nothing: {errno}")]
    Failed {
        /// Where it was to go.
        address: String,
        /// The system's name for the cause.
        errno: String,
    },
}

/// A service manager that wants to know how we are.
#[derive(Debug)]
pub struct ServiceManager {
    name: String,
    address: SocketAddr,
    socket: UnixDatagram,
}

impl ServiceManager {
    /// The manager at an address: a whole path, or `@` and the name of an
    /// abstract socket. Nothing is sent yet.
    ///
    /// # Errors
    /// [`NoticeError`].
    pub fn at(address: &OsStr) -> Result<Self, NoticeError> {
        let name = address.to_string_lossy().into_owned();
        let parsed = match address.as_bytes() {
            [b'@', rest @ ..] if !rest.is_empty() => SocketAddr::from_abstract_name(rest),
            [b'/', ..] => SocketAddr::from_pathname(address),
            _ => return Err(NoticeError::Address(name)),
        };
        let parsed = parsed.map_err(|_| NoticeError::Address(name.clone()))?;
        let opened = UnixDatagram::unbound().and_then(|socket| {
            socket.set_write_timeout(Some(PATIENCE))?;
            Ok(socket)
        });
        let socket = opened.map_err(|error| failed(&name, &error))?;
        Ok(ServiceManager { name, address: parsed, socket })
    }

    /// Tells it something, all at once.
    ///
    /// # Errors
    /// [`NoticeError::Failed`]; whether that matters is the caller's to judge.
    pub fn tell(&self, notices: &[Notice]) -> Result<(), NoticeError> {
        let lines: Vec<String> = notices.iter().map(Notice::to_string).collect();
        self.socket
            .send_to_addr(lines.join("\n").as_bytes(), &self.address)
            .map(|_| ())
            .map_err(|error| failed(&self.name, &error))
    }
}

fn failed(address: &str, error: &io::Error) -> NoticeError {
    NoticeError::Failed { address: address.to_owned(), errno: errno_name(errno_of(error)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(socket: &UnixDatagram) -> String {
        let mut room = [0; 512];
        let size = socket.recv(&mut room).unwrap();
        String::from_utf8(room[..size].to_vec()).unwrap()
    }

    #[test]
    fn notices_arrive_in_one_datagram() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        let manager = ServiceManager::at(path.as_os_str()).unwrap();
        manager.tell(&[Notice::Ready, Notice::Status("a\nWATCHDOG=1".to_owned())]).unwrap();
        assert_eq!(heard(&socket), "READY=1\nSTATUS=a WATCHDOG=1");
        manager.tell(&[Notice::Watchdog]).unwrap();
        manager.tell(&[Notice::Stopping]).unwrap();
        assert_eq!((heard(&socket), heard(&socket)), ("WATCHDOG=1".into(), "STOPPING=1".into()));
    }

    #[test]
    fn a_socket_that_went_away_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let manager = ServiceManager::at(path.as_os_str()).unwrap();
        let error = manager.tell(&[Notice::Ready]).unwrap_err();
        let address = path.display().to_string();
        assert_eq!(error, NoticeError::Failed { address, errno: "ENOENT".to_owned() });
    }

    #[test]
    fn other_addresses_are_refused() {
        let long = format!("/{}", "x".repeat(200));
        for address in ["", "@", "notify", "vsock:2:1", long.as_str()] {
            let error = ServiceManager::at(OsStr::new(address)).unwrap_err();
            assert_eq!(error, NoticeError::Address(address.to_owned()));
        }
    }
}
