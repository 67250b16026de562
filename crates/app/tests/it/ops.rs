//! Health, readiness.

use tracker_app::HealthLevel;
use tracker_domain::health::Level;

use crate::fixture::Fixture;

#[tokio::test]
async fn health_is_as_bad_as_its_worst_check() {
    let fixture = Fixture::new();
    let ops = &fixture.app.ops;
    assert_eq!(ops.health().await.status, HealthLevel::Ok);
    for (level, expected) in [
        (Level::Notice, HealthLevel::Notice),
        (Level::Error, HealthLevel::Error),
        (Level::Warning, HealthLevel::Error),
    ] {
        fixture.check(level);
        assert_eq!(ops.health().await.status, expected);
    }
    let health = ops.health().await;
    assert_eq!(health.checks[0].code, "database");
    let check = &health.checks[1];
    assert_eq!((check.code.as_str(), check.subject.as_str()), ("made-up", "subject"));
    assert_eq!((check.detail.as_str(), check.remedy.as_str()), ("detail", "remedy"));
}

#[tokio::test]
async fn ready_is_what_the_program_says() {
    let fixture = Fixture::new();
    assert!(!fixture.app.ops.is_ready());
    fixture.app.clone().ops.set_ready(true);
    assert!(fixture.app.ops.is_ready());
    fixture.app.ops.set_ready(false);
    assert!(!fixture.app.ops.is_ready());
}
