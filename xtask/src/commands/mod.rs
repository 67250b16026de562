//! The commands, one module each; `setup` is what several of them need first.

mod acting;
pub mod bench;
pub mod checks;
pub mod demo;
mod journal;
pub mod lab;
mod measurements;
pub mod package;
pub mod recognition;
mod setup;
pub mod suite;
