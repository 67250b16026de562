//! Who comes first, here and in the client.

use tracker_domain::event::EventType;
use tracker_domain::observed::Handle;
use tracker_domain::ports::ClientError;
use tracker_domain::queue::QueueEnd;
use tracker_domain::{DownloadId, DownloadState};
use tracker_ingest::{ChangeError, prioritise};
use tracker_store::{Refusal, TaskKind};
use tracker_testkit::{ClientCall, ClientOp, spec};

use super::fixture::{FILM, Fixture, person, v1};

impl Fixture {
    async fn put(&self, id: DownloadId, end: QueueEnd) {
        prioritise(&self.db, id, end, None, &person()).await.unwrap();
    }

    /// The torrents of the client in the order of its queue, by what each was added with.
    fn queue(&self) -> Vec<Handle> {
        self.client.torrents().iter().map(|torrent| torrent.handle()).collect()
    }

    fn moves(&self) -> Vec<(Handle, QueueEnd)> {
        let calls = self.client.calls().into_iter();
        let moves = calls.filter_map(|call| match call {
            ClientCall::Queue(handle, end) => Some((handle, end)),
            _ => None,
        });
        moves.collect()
    }

    async fn three(&self) -> [DownloadId; 3] {
        [
            self.accept(&[v1(1)], "a").await,
            self.accept(&[v1(2)], "b").await,
            self.accept(&[v1(3)], "c").await,
        ]
    }
}

fn handle(number: u8) -> Handle {
    Handle(v1(number).to_string())
}

#[tokio::test]
async fn the_order_holds_before_and_after_the_hand_over() {
    spec!("daily-use#priority/before-it-is-handed-over");
    let fixture = Fixture::new();
    let [a, _, c] = fixture.three().await;
    fixture.put(a, QueueEnd::Last).await;
    fixture.put(c, QueueEnd::First).await;
    // Nothing is sent of a wish whose torrent no client has.
    fixture.tick().await;
    fixture.wishes().await;
    assert_eq!(fixture.moves(), []);
    fixture.hand_over().await;
    assert_eq!(fixture.queue(), [handle(3), handle(2), handle(1)]);
    fixture.tick().await;
    fixture.wishes().await;
    assert_eq!(fixture.moves(), [(handle(1), QueueEnd::Last), (handle(3), QueueEnd::First)]);
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn the_last_word_holds() {
    spec!("daily-use#priority/in-the-client");
    let fixture = Fixture::new();
    let [a, ..] = fixture.three().await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.wishes().await;
    fixture.put(a, QueueEnd::Last).await;
    fixture.wishes().await;
    assert_eq!(fixture.queue(), [handle(2), handle(3), handle(1)]);
    fixture.put(a, QueueEnd::Last).await;
    fixture.put(a, QueueEnd::First).await;
    assert_eq!(fixture.open_wishes().await, [TaskKind::Queue(QueueEnd::First)]);
    fixture.wishes().await;
    assert_eq!(fixture.queue(), [handle(1), handle(2), handle(3)]);
    assert_eq!(fixture.moves().len(), 2, "what was taken back is not sent");
    let done = fixture.told(EventType::ClientTaskDone).await;
    let done: Vec<_> = done.iter().map(|event| (&*event.actor, &event.data["kind"])).collect();
    let person = person().to_string();
    assert_eq!(done, [(&*person, &"last".into()), (&*person, &"first".into())]);
}

#[tokio::test]
async fn a_client_without_a_queue_is_told_of_once() {
    spec!("daily-use#priority/no-queue");
    let fixture = Fixture::new();
    let [a, ..] = fixture.three().await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.wishes().await;
    let off = ClientError::Rejected("its queue is off".to_owned());
    fixture.client.fail_nth(ClientOp::Queue, 1, off);
    fixture.put(a, QueueEnd::First).await;
    fixture.wishes().await;
    fixture.wishes().await;
    assert_eq!((fixture.moves().len(), fixture.open_wishes().await), (1, vec![]));
    let told = fixture.told(EventType::ClientTaskFailed).await;
    let why: Vec<_> = told.iter().map(|event| &event.data["detail"]).collect();
    assert_eq!(why, ["its queue is off"]);
    let row = fixture.row(a).await;
    assert_eq!((row.state, row.attention), (DownloadState::Downloading, None));
}

#[tokio::test]
async fn what_waits_for_no_turn_is_refused_or_void() {
    spec!("daily-use#priority/it-waits-for-no-turn");
    let fixture = Fixture::new();
    let id = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.wishes().await;
    fixture.put(id, QueueEnd::First).await;
    fixture.client.complete(&v1(1));
    fixture.listing().await;
    assert_eq!(fixture.row(id).await.state, DownloadState::Downloaded);
    fixture.wishes().await;
    assert_eq!((fixture.moves(), fixture.open_wishes().await), (vec![], vec![]));
    let refused = prioritise(&fixture.db, id, QueueEnd::First, None, &person()).await;
    assert!(matches!(refused, Err(ChangeError::Refused(Refusal::Illegal(_)))), "{refused:?}");
    let stale = prioritise(&fixture.db, id, QueueEnd::First, Some(1), &person()).await;
    assert!(matches!(stale, Err(ChangeError::Refused(Refusal::Stale(_)))), "{stale:?}");
}
