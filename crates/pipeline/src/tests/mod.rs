//! Stage by stage, on a real database, with a client and a disk that obey.
#![allow(clippy::unwrap_used, reason = "tests")]

mod asked;
mod away;
mod broken_off;
mod chaos;
mod choosing;
mod choosing_files;
mod fixture;
mod house;
mod jobs;
mod kept_out;
mod notify;
mod on_the_way;
mod own;
mod pausing;
mod prioritising;
mod proofs;
mod refresh;
mod removing;
mod seeding;
mod sources;
mod space;
mod story;
mod taken;
mod watch_folder;
mod wishes;
