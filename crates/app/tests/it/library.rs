//! What a refusal of the library becomes for whoever asked.

use std::path::PathBuf;

use tracker_app::{AppError, ApplyRequest};
use tracker_domain::{Actor, Attention, BatchId, DownloadState, EntityKind};
use tracker_layout::{Conflict, ConflictKind, LayError, Plan, ResolveError};
use tracker_testkit::spec;

use crate::fixture::{Fixture, v1};

const BATCH: &str = "01jzabcdefghjkmnpqrstvwxyz";

fn conflict() -> Conflict {
    Conflict {
        file: 3,
        source: PathBuf::from("/downloads/a.mkv"),
        target: PathBuf::from("/media/a.mkv"),
        kind: ConflictKind::TargetExists,
        size_bytes: 1,
        role: tracker_domain::recognised::Role::Main,
        beside: None,
    }
}

/// What `apply` answers to a refusal.
async fn answered(refusal: LayError) -> AppError {
    let fixture = Fixture::new();
    let id = fixture.ingest(v1(1), "a").await.download.id;
    *fixture.laying.refusal.lock().unwrap() = Some(refusal);
    let request = ApplyRequest::default();
    fixture.app.library.apply(id, request, None, &Actor::System).await.unwrap_err()
}

#[tokio::test]
async fn each_refusal_has_its_word() {
    spec!("batches#a-person-carries-a-plan-out/another-plan-by-now");
    let changed = answered(LayError::PlanChanged(Box::default())).await;
    assert!(matches!(changed, AppError::PlanChanged(plan) if plan.id == Plan::default().id()));
    let taken = answered(LayError::Conflict(vec![conflict()])).await;
    assert!(matches!(taken, AppError::Conflict(all) if all[0].kind == "target-exists"));
    let unknown = ResolveError::UnknownTarget(PathBuf::from("/x"));
    let unknown = answered(LayError::Resolve(unknown)).await;
    assert!(matches!(unknown, AppError::InvalidRequest(all) if all[0].pointer == "/resolve"));
    assert!(matches!(answered(LayError::Stale(9)).await, AppError::Stale(_)));
    let state = DownloadState::Queued;
    let illegal = answered(LayError::Illegal { state, detail: "wait".to_owned() }).await;
    assert_eq!(illegal.to_string(), "wait");
    let attention = Attention::NeedsReview;
    let held = answered(LayError::Held { state, attention, detail: "accept".to_owned() }).await;
    assert!(matches!(held, AppError::IllegalTransition { detail, .. } if detail == "accept"));
    let (client, detail) = ("home".to_owned(), "refused".to_owned());
    let away = answered(LayError::Unreachable { client, detail }).await;
    assert!(matches!(away, AppError::ClientUnreachable { client, .. } if client == "home"));
    let gone = answered(LayError::NotFound(EntityKind::Download)).await;
    // The download is there; a fault must not be told as its absence.
    assert!(matches!(gone, AppError::NotFound { kind: EntityKind::Download, .. }));
    assert!(matches!(answered(LayError::BrokenOff).await, AppError::Internal(_)));
}

#[tokio::test]
async fn a_batch_of_nobody_and_an_id_of_another_kind() {
    spec!("batches#undo/under-a-newer-one");
    let fixture = Fixture::new();
    let id: BatchId = BATCH.parse().unwrap();
    let refuse = |refusal| *fixture.laying.refusal.lock().unwrap() = Some(refusal);
    refuse(LayError::Superseded { by: id });
    let newer = fixture.app.library.undo(id, &Actor::System).await;
    assert!(matches!(newer, Err(AppError::SupersededBatch(by)) if by == id));
    refuse(LayError::NotFound(EntityKind::ApplyBatch));
    let nobody = fixture.app.library.undo(id, &Actor::System).await;
    assert!(matches!(nobody, Err(AppError::NotFound { kind: EntityKind::ApplyBatch, .. })));
    let download = fixture.ingest(v1(1), "a").await.download.id;
    let other: BatchId = download.to_string().parse().unwrap();
    let wrong = fixture.app.library.batch(other).await;
    assert!(matches!(wrong, Err(AppError::WrongEntityKind { kind: EntityKind::Download, .. })));
}
