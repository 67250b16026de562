//! The first look, which is kept until something is written.

use std::sync::Arc;

use tracker_app::{CancelRequest, InboxView};
use tracker_domain::Attention;
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor};

fn counted(view: &InboxView) -> [usize; 3] {
    [&view.needs_you, &view.active, &view.done].map(|group| group.rows.len())
}

#[tokio::test]
async fn what_is_kept_is_never_older_than_what_was_written() {
    spec!("web-ui#the-inbox-is-ordered-by-who-must-act/many-that-ask");
    let fixture = Fixture::new();
    let inbox = &fixture.app.inbox;
    assert_eq!(counted(&inbox.overview().await.unwrap()), [0, 0, 0]);
    let id = fixture.accept(1).await;
    assert_eq!(counted(&inbox.overview().await.unwrap()), [0, 1, 0]);
    let waits = move |tx: &mut tracker_store::WriteTx<'_>| {
        tx.raise_attention(id, Attention::Stalled, "since noon")
    };
    fixture.write(move |tx| waits(tx)).await.unwrap();
    assert_eq!(inbox.needs_you().await.unwrap(), 1);
    let seen = inbox.overview().await.unwrap();
    assert_eq!((counted(&seen), seen.needs_you.total), ([1, 0, 0], Some(1)));
    assert_eq!(inbox.needs_you().await.unwrap(), 1);
    fixture.app.intake.cancel(id, CancelRequest::default(), None, &actor()).await.unwrap();
    assert_eq!(inbox.needs_you().await.unwrap(), 0);
    assert_eq!(counted(&inbox.overview().await.unwrap()), [0, 0, 1]);

    // What another process writes is seen as well.
    let theirs = fixture.another_process();
    let other = fixture.accept(30).await;
    inbox.overview().await.unwrap();
    let wait = move |tx: &mut tracker_store::WriteTx<'_>| {
        tx.raise_attention(other, Attention::Stalled, "since noon")
    };
    theirs.write(&actor(), wait).await.unwrap().unwrap();
    assert_eq!(counted(&inbox.overview().await.unwrap()), [1, 0, 1]);

    // Many at once, while somebody writes: each sees at least what was there before it asked.
    let inbox = Arc::new(inbox.clone());
    for number in 2..20 {
        fixture.accept(number).await;
        let accepted = u64::from(number - 1);
        let many: Vec<_> = (0..8)
            .map(|_| {
                let inbox = Arc::clone(&inbox);
                tokio::spawn(async move { inbox.overview().await.unwrap().active.total })
            })
            .collect();
        for one in many {
            assert_eq!(one.await.unwrap(), Some(accepted));
        }
    }
}
