//! Databases of former versions, migrated: what must be kept, what the corners
//! become, and what protects the file meanwhile.
#![allow(clippy::unwrap_used)]

mod corners;
mod fixture;
mod property;
mod protection;
mod relations;
mod soak;
mod v13;
mod v7;
mod v8;
