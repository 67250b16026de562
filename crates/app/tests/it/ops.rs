//! Tokens, health, readiness.

use tracker_app::{AppError, HealthLevel};
use tracker_domain::health::Level;

use crate::fixture::{Fixture, actor};

#[tokio::test]
async fn a_token_works_until_it_is_revoked() {
    let fixture = Fixture::new();
    let ops = &fixture.app.ops;
    let (view, secret) = ops.token_new("phone", &actor()).await.unwrap();
    assert_eq!((view.name.as_str(), view.last_used_at), ("phone", None));
    assert!(secret.starts_with("tracker_") && secret.len() == 72);
    assert_eq!(ops.verify_token(&secret).await.unwrap().as_deref(), Some("phone"));
    assert_eq!(ops.verify_token("tracker_00").await.unwrap(), None);
    assert_eq!(ops.verify_token("").await.unwrap(), None);
    let noted = ops.tokens().await.unwrap().remove(0).last_used_at.unwrap();
    fixture.clock.advance_seconds(3599);
    ops.verify_token(&secret).await.unwrap();
    assert_eq!(ops.tokens().await.unwrap()[0].last_used_at, Some(noted), "once an hour");
    fixture.clock.advance_seconds(1);
    ops.verify_token(&secret).await.unwrap();
    assert_ne!(ops.tokens().await.unwrap()[0].last_used_at, Some(noted));
    let revoked = ops.token_revoke("phone", &actor()).await.unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!(ops.verify_token(&secret).await.unwrap(), None);
    let gone = ops.token_revoke("phone", &actor()).await;
    assert!(matches!(gone, Err(AppError::TokenNotFound { name }) if name == "phone"));
    let told = format!("{:?}", fixture.app.journal.events(Default::default()).await.unwrap());
    assert!(!told.contains(&secret) && told.contains("TokenRevoked"));
}

#[tokio::test]
async fn names_of_tokens_are_checked_and_unique() {
    let fixture = Fixture::new();
    let ops = &fixture.app.ops;
    let long = "x".repeat(65);
    for name in ["", "a b", "ümlaut", "a/b", long.as_str()] {
        let refused = ops.token_new(name, &actor()).await.map(|_| ());
        let Err(AppError::InvalidRequest(fields)) = refused else { panic!("{name:?}") };
        assert_eq!(fields[0].pointer, "/name");
    }
    ops.token_new("a-b_c.9", &actor()).await.unwrap();
    assert!(matches!(ops.token_new("a-b_c.9", &actor()).await, Err(AppError::InvalidRequest(_))));
}

#[tokio::test]
async fn the_local_token_is_renewed_when_its_file_is_lost() {
    let fixture = Fixture::new();
    let ops = &fixture.app.ops;
    let first = ops.local_token("local").await.unwrap();
    assert_eq!(ops.verify_token(&first).await.unwrap().as_deref(), Some("local"));
    let second = ops.local_token("local").await.unwrap();
    assert_ne!(first, second);
    assert_eq!(ops.verify_token(&first).await.unwrap(), None);
    assert_eq!(ops.verify_token(&second).await.unwrap().as_deref(), Some("local"));
    assert_eq!(ops.tokens().await.unwrap().len(), 1);
}

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
