//! One file a group of commands. Each asks, prints and names the exit code.

pub(crate) mod adopt_all;
pub(crate) mod backup;
pub(crate) mod config;
pub(crate) mod db;
pub(crate) mod demo;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod health;
pub(crate) mod ingest;
pub(crate) mod jobs;
pub(crate) mod library;
pub(crate) mod lifecycle;
pub(crate) mod list;
pub(crate) mod notify;
pub(crate) mod parse;
pub(crate) mod remembered;
pub(crate) mod restore;
pub(crate) mod review;
pub(crate) mod said;
pub(crate) mod search;
pub(crate) mod seeding;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod token;
pub(crate) mod user;
