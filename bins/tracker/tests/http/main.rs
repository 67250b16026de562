//! The router from outside: requests in, answers out, on a real database.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod access;
mod backups;
mod busy;
mod clients;
mod document;
mod downloads;
mod faults;
mod fixture;
mod forms;
mod handing;
mod journal;
mod login;
mod notify;
mod pages;
mod refusals;
mod remarks;
mod remembered;
mod removal;
mod review;
mod scopes;
mod sights;
mod stop;
mod strangers;
mod streams;
mod told;
