//! Rebuilds the crate when a migration is added: the macro that embeds them
//! names only the files it found, so cargo would not notice a new one.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
