//! The services, as a transport uses them.
#![allow(clippy::unwrap_used, reason = "tests")]

mod access;
mod adoption;
mod asked;
mod chats;
mod decisions;
mod downloads;
mod fixture;
mod inbox;
mod journal;
mod library;
mod lists;
mod ops;
mod posters;
mod refusals;
mod remembered;
mod removal;
mod said;
mod search;
mod shifted;
mod titles;
