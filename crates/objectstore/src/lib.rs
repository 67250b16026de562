//! The adapter for S3-compatible object stores: the port `BackupTarget` in a
//! bucket, below a prefix.
//!
//! An object carries its mark as metadata and is there whole or not at all. Nothing
//! is ever written over another object, and objects without a mark of ours are
//! neither listed nor touched. It decides nothing about which backup may go.

mod call;
mod cause;
mod config;
mod mark;
mod refusal;
mod scratch;
mod store;

pub use config::{S3Config, S3ConfigError, S3Place};
pub use store::{PART_BYTES, S3Backups};
