//! What the program itself stands on, and how long its journal is kept.

use tracker_domain::health::Level;
use tracker_domain::ports::{Live, Reach};
use tracker_testkit::spec;

use super::fixture::{Fixture, Setup};
use crate::Policy;
use crate::house::{HouseStage, pass};
use crate::stage::Stage;

fn fixture(retention_days: u32) -> Fixture {
    let data_dir = Some("/downloads".into());
    let policy = Policy { data_dir, retention_days, ..Policy::default() };
    Fixture::with(Setup { policy, ..Setup::default() })
}

fn level(fixture: &Fixture, code: &str) -> Option<Level> {
    let checks = fixture.pipeline.board().checks();
    let check = checks.into_iter().find(|check| check.code == code)?;
    assert_eq!(check.remedy.is_empty(), check.level == Level::Ok, "{check:?}");
    Some(check.level)
}

#[tokio::test]
async fn space_for_the_database_is_watched() {
    spec!("health#the-disk-of-the-database/space");
    let fixture = fixture(0);
    for (free, wanted) in [
        (1 << 40, Level::Ok),
        ((1 << 30) - 1, Level::Warning),
        (1 << 20, Level::Error),
        (1 << 40, Level::Ok),
    ] {
        fixture.disk.set_free_bytes(free);
        pass(&fixture.pipeline).await.unwrap();
        assert_eq!(level(&fixture, "data-dir-space"), Some(wanted), "{free}");
    }
}

#[tokio::test]
async fn a_filesystem_that_is_not_local_is_told() {
    spec!("health#the-disk-of-the-database/the-filesystem");
    let fixture = fixture(0);
    for (name, reach, wanted) in [
        ("ext4", Reach::Local, Level::Ok),
        ("fuse.mergerfs", Reach::Served, Level::Warning),
        ("NFS", Reach::Network, Level::Warning),
        ("XFS", Reach::Local, Level::Ok),
    ] {
        fixture.disk.set_filesystem(name, reach);
        pass(&fixture.pipeline).await.unwrap();
        assert_eq!(level(&fixture, "data-dir-filesystem"), Some(wanted), "{name}");
        let checks = fixture.pipeline.board().checks();
        let check = checks.into_iter().find(|check| check.code == "data-dir-filesystem").unwrap();
        assert!(check.detail.contains(&format!("/downloads is on {name}")), "{}", check.detail);
    }
}

#[tokio::test]
async fn a_log_that_grows_is_told() {
    spec!("health#the-disk-of-the-database/the-write-ahead-log");
    let fixture = fixture(0);
    pass(&fixture.pipeline).await.unwrap();
    assert_eq!(level(&fixture, "write-ahead-log"), None, "there is none");
    fixture.disk.file("/downloads/tracker.db-wal", (256 << 20) - 1);
    pass(&fixture.pipeline).await.unwrap();
    assert_eq!(level(&fixture, "write-ahead-log"), Some(Level::Ok));
    fixture.disk.file("/downloads/tracker.db-wal", 256 << 20);
    pass(&fixture.pipeline).await.unwrap();
    assert_eq!(level(&fixture, "write-ahead-log"), Some(Level::Warning));
}

#[tokio::test]
async fn a_clock_that_went_back_is_told() {
    spec!("health#the-clock/it-went-back");
    let fixture = fixture(0);
    pass(&fixture.pipeline).await.unwrap();
    assert_eq!(level(&fixture, "clock"), Some(Level::Ok));
    fixture.clock.set_ms(tracker_testkit::FixedClock::START - 3_600_000);
    pass(&fixture.pipeline).await.unwrap();
    assert_eq!(level(&fixture, "clock-behind"), Some(Level::Warning));
    assert_eq!(level(&fixture, "clock"), None);
}

#[tokio::test]
async fn the_database_is_read_at_the_start_and_each_day() {
    spec!("health#integrity/at-the-start-and-each-day");
    let fixture = fixture(0);
    let stage = HouseStage::new(fixture.pipeline.clone());
    let mut read_at = Vec::new();
    for hours in [0, 1, 23, 1] {
        fixture.clock.advance_seconds(hours * 3600);
        stage.pass().await.unwrap();
        assert_eq!(level(&fixture, "database-integrity"), Some(Level::Ok));
        let checks = fixture.pipeline.board().checks();
        let check = checks.into_iter().find(|check| check.code == "database-integrity");
        read_at.push(check.unwrap().checked_at);
    }
    assert_eq!(read_at[0], read_at[1], "not each hour");
    assert_eq!(read_at[2].seconds_since(read_at[0]), 86_400);
    assert_eq!(read_at[2], read_at[3]);
}
