//! What tests share: the mark that ties a test to its scenario, a clock that
//! stands still, fakes for the ports, and the contract each adapter has to pass.
//!
//! A dev-dependency only; nothing here reaches a binary.

mod backup_target;
pub mod bot_api;
mod captured;
mod client;
mod clock;
mod contract;
mod dice;
mod eventually;
mod failures;
mod files;
pub mod lab;
pub mod made_up;
pub mod media_server;
pub mod metadata;
mod notifier;
mod qbt_stub;
mod query;
mod recordings;
mod watch_folder;

pub use backup_target::{FakeBackupTarget, backup_mark, backup_target_contract};
pub use bot_api::BotApiServer;
pub use captured::{Captured, Listening, listen_with};
pub use client::{AddMode, ClientCall, ClientOp, FakeClient, FakeFile, FakeTorrent, Hold};
pub use clock::FixedClock;
pub use contract::{ContractFixture, torrent_client_contract};
pub use dice::{DeadMagnet, Dice};
pub use eventually::{eventually, eventually_blocking};
pub use files::{FakeFiles, files_contract};
pub use lab::{Flavour, Lab, LabApi, LabLock};
pub use media_server::{
    FakeMediaServer, MediaServerCall, MediaServerStub, ReceiverStub, StubLibrary,
    media_server_contract,
};
pub use metadata::{FakeMetadata, MetadataStub, StubAnswer, StubMode, metadata_source_contract};
pub use notifier::FakeNotifier;
pub use qbt_stub::{QbtStub, StubReply, StubRequest};
pub use recordings::{RECORDED_VERSIONS, recording};
pub use watch_folder::{FakeWatchFolder, watch_folder_contract};

/// Names the scenario that a test shows: `<capability>#<requirement>/<scenario>`,
/// each a slug of its heading in `openspec/specs`.
///
/// It expands to nothing that runs; `cargo xtask speccheck` reads it.
#[macro_export]
macro_rules! spec {
    ($scenario:literal) => {
        const _: &str = $scenario;
    };
}
