//! The fake passes the contract and fails as it is told.

use super::*;
use crate::metadata::metadata_source_contract;
use crate::spec;

#[tokio::test]
async fn the_fake_passes_the_contract() {
    spec!("metadata#one-contract-for-all-sources/every-source");
    for provider in Provider::ALL {
        metadata_source_contract(&FakeMetadata::with_catalogue(*provider)).await;
    }
}

#[tokio::test]
async fn the_fake_fails_as_it_is_told() {
    spec!("metadata#one-contract-for-all-sources/every-source");
    let fake = FakeMetadata::with_catalogue(Provider::Tmdb);
    let id = catalogue::HARBOUR.id(Provider::Tmdb).unwrap();
    fake.fail_next(MetadataError::NotFound);
    assert_eq!(fake.work(id, "en").await, Err(MetadataError::NotFound));
    assert!(fake.work(id, "en").await.is_ok());
    let limited = MetadataError::Limited { retry_after_ms: 5 };
    fake.fail_with(limited.clone());
    assert_eq!(fake.work(id, "en").await, Err(limited.clone()));
    assert_eq!(fake.resolve(&Pin::Work(id), "en").await, Err(limited));
    fake.answer_again();
    assert!(fake.work(id, "en").await.is_ok());
    assert_eq!(fake.call_count(), 5);
    assert_eq!(fake.calls()[3], MetadataCall::Resolve(Pin::Work(id)));
    fake.forget_calls();
    assert_eq!(fake.call_count(), 0);
}
