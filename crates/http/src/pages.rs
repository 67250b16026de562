//! Plain pages: one download, and what a code means.

pub(crate) mod download;
pub(crate) mod login;
pub(crate) mod problem;
