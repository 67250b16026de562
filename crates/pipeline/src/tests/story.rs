//! What belongs together after a whole run.

use std::collections::BTreeSet;

use tracker_domain::EntityKind;
use tracker_ingest::recognise_again;
use tracker_store::Entity;
use tracker_testkit::spec;

use super::fixture::{Fixture, film, one, v1};

impl Fixture {
    async fn related(&self, entity: Entity) -> Vec<Entity> {
        self.read(move |tx| tx.related(entity, 100)).await
    }
}

#[tokio::test]
async fn each_leads_to_its_neighbours_and_back() {
    spec!("event-journal#the-story-of-an-entity/all-that-belongs-to-it");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.write(move |tx| recognise_again(tx, id)).await;
    fixture.recognise().await;
    let whole = fixture.read(move |tx| tx.entity(id.any())).await.unwrap();
    let near = fixture.related(whole).await;
    let kinds: BTreeSet<EntityKind> = near.iter().map(|entity| entity.kind).collect();
    let wanted = [EntityKind::Recognition, EntityKind::ApplyBatch, EntityKind::ClientTask];
    assert!(wanted.iter().all(|kind| kinds.contains(kind)), "{near:?}");
    let of = |kind: EntityKind| near.iter().filter(move |entity| entity.kind == kind).copied();
    let recognitions: Vec<Entity> = of(EntityKind::Recognition).collect();
    assert!(recognitions.is_sorted_by(|a, b| a.id > b.id) && recognitions.len() == 2);
    let batch = of(EntityKind::ApplyBatch).next().unwrap();
    let of_batch = fixture.related(batch).await;
    assert_eq!((of_batch[0].kind, of_batch[0].id), (EntityKind::Download, id.any()));
    assert!(of_batch.contains(&recognitions[1]), "{of_batch:?}");
    let link = of_batch.iter().find(|entity| entity.kind == EntityKind::FileLink).unwrap();
    assert!(fixture.related(*link).await.contains(&batch));
    // Each of them leads to the download.
    for entity in near.iter().chain(&of_batch[1..]) {
        let back = fixture.related(*entity).await;
        assert_eq!(back[0].id, id.any(), "{entity:?}");
    }
    assert_eq!(fixture.read(move |tx| tx.related(whole, 2)).await, near[..2]);
}
