//! The built program with real clients on the loopback interface: from a link
//! to a link in the library, and what may happen on the way.
//!
//! Each test keeps its lab for itself while it runs, and leaves its client empty.
#![allow(clippy::unwrap_used)]

#[path = "../support/bench.rs"]
mod bench;
#[path = "../support/daemon.rs"]
mod daemon;

mod engine;
mod giving_up;
mod intake;
mod kinds;
mod laying;
mod logs;
mod outages;
mod settings;
mod stop;
mod there_already;
mod waiting;
mod without;

/// One test for each client that is named. The client's name comes last, so
/// that tests which run at once, in the order of their names, want different labs.
#[macro_export]
macro_rules! in_labs {
    ($test:ident: $($flavour:ident $name:ident),+) => {
        mod $test {
            $(
                #[tokio::test]
                async fn $name() {
                    use tracker_testkit::Flavour;
                    super::$test($crate::bench::Bench::at(Flavour::$flavour).await).await;
                }
            )+
        }
    };
}
