//! Intake, hand-over and lifecycle on a real database and a client that obeys.
#![allow(clippy::unwrap_used, reason = "tests")]

mod adoption;
mod fixture;
mod hand_over;
mod intake;
mod lifecycle;
mod moving;
mod pausing;
mod removal;
mod taking_over;
