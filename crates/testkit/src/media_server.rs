//! Media servers for tests: a fake of the port, a server that plays Jellyfin or
//! Plex, and the contract that the fake and every adapter pass.

mod contract;
mod fake;
mod play;
mod stub;

pub use contract::{CONTRACT_ROOTS, media_server_contract};
pub use fake::{FakeMediaServer, MediaServerCall};
pub use play::StubLibrary;
pub use stub::{MediaServerRequest, MediaServerStub, ReceiverStub};
