//! Sources of titles for tests: a fake of the port, a server that plays TMDB and
//! TVmaze, and the contract that both and every adapter pass.
//!
//! All of them know the works of one made-up [`catalogue`].

pub mod catalogue;
mod contract;
mod fake;
mod stub;

pub use contract::metadata_source_contract;
pub use fake::{FakeMetadata, MetadataCall};
pub(crate) use stub::write_answer;
pub use stub::{MetadataRequest, MetadataStub, StubAnswer, StubMode, lies};
