//! The receivers of messages, asked by REST.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracker_domain::event::EventType;
use tracker_domain::notify::NotifyRules;
use tracker_domain::ports::NotifyError;
use tracker_domain::{Actor, EventId};
use tracker_ingest::Clients;
use tracker_pipeline::{Notifiers, Pipeline, Policy, Subscriber};
use tracker_store::{NewEvent, StoreError};
use tracker_system::LocalFiles;
use tracker_testkit::{FakeNotifier, eventually, spec};

use crate::fixture::{Daemon, policy};

const DEADLINE: Duration = Duration::from_secs(20);

/// A router whose services know these workers, a phone, and a hook that cannot be
/// told.
struct World {
    daemon: Daemon,
    pipeline: Pipeline,
    phone: Arc<FakeNotifier>,
}

impl World {
    async fn new(quiet: Option<&str>) -> Self {
        let mut daemon = Daemon::start().await;
        let phone = Arc::new(FakeNotifier::new("phone"));
        let rules = NotifyRules {
            events: vec!["client.*".parse().unwrap(), "notification.*".parse().unwrap()],
            quiet: quiet.map(|span| span.parse().unwrap()),
            ..NotifyRules::default()
        };
        let notifier: Arc<FakeNotifier> = Arc::clone(&phone);
        let told = Notifiers::new(vec![Subscriber { notifier, rules }]);
        let notifiers = told.with_fault("hook".to_owned(), "webhook", "the url is none".to_owned());
        let pipeline = Pipeline::new(
            daemon.db.clone(),
            Clients::default(),
            Arc::new(LocalFiles),
            Vec::new(),
            Policy { notifiers, ..Policy::default() },
        );
        let app = daemon.app.clone().with_receivers(Arc::new(pipeline.clone()));
        daemon.router = tracker_http::router(app, policy(""), daemon.stop.clone());
        World { daemon, pipeline, phone }
    }

    async fn happen(&self) -> EventId {
        let event = NewEvent::new(EventType::ClientOnline, "it happened").named("home");
        self.daemon.db.write(&Actor::System, move |tx| tx.append_event(event)).await.unwrap()
    }

    /// Something that the phone would not take.
    async fn put_aside(&self) -> EventId {
        let event = NewEvent::new(EventType::ClientOffline, "it happened").named("home");
        let write = self.daemon.db.write(&Actor::Worker, move |tx| {
            let id = tx.append_event(event)?;
            tx.put_aside("phone", &[id], "the receiver does not take it: HTTP 400")?;
            Ok::<_, StoreError>(id)
        });
        write.await.unwrap()
    }

    async fn until_told(&self, id: EventId) {
        eventually(DEADLINE, "it is told", async || self.told().contains(&id).then_some(())).await;
    }

    /// It is told, and the worker has noted it and looked for more.
    async fn until_noted(&self, id: EventId) {
        self.until_told(id).await;
        let noted = async || {
            let cursor = self.receiver(0).await["cursor"].clone();
            cursor.as_str().is_some_and(|cursor| *cursor >= *id.to_string()).then_some(())
        };
        eventually(DEADLINE, "it is noted", noted).await;
    }

    fn told(&self) -> Vec<EventId> {
        self.phone.taken().iter().map(|notice| notice.first).collect()
    }

    async fn act(&self, what: &str) -> Value {
        let answer = self.daemon.post(&format!("/api/v1/notify/{what}"), "").await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    async fn receiver(&self, at: usize) -> Value {
        self.daemon.get("/api/v1/notify").await.json()["items"][at].clone()
    }

    /// The newest entries of one type.
    async fn events(&self, kind: &str) -> Vec<Value> {
        let page = self.daemon.get(&format!("/api/v1/events?type={kind}")).await.json();
        page["items"].as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn receivers_say_how_far_they_are() {
    spec!("notifications#a-person-asks/how-each-does");
    let world = World::new(None).await;
    let phone = world.receiver(0).await;
    assert_eq!((&phone["cursor"], &phone["behind"]), (&Value::Null, &0.into()), "not taken up yet");
    let first = world.happen().await;
    world.pipeline.recover().await.unwrap();
    world.happen().await;
    world.happen().await;
    let next = world.daemon.db.clock().now().plus_seconds(40);
    let fail = world.daemon.db.write(&Actor::Worker, move |tx| {
        tx.fail_consumer("phone", 4, next, "the receiver cannot be reached: HTTP 500")
    });
    fail.await.unwrap();
    let expected = json!({
        "name": "phone", "kind": "fake", "fault": null, "cursor": first.to_string(), "behind": 2,
        "attempts": 4, "next_attempt_at": next.to_string(),
        "detail": "the receiver cannot be reached: HTTP 500", "delivered_at": null,
        "dead_letters": 0,
    });
    assert_eq!(world.receiver(0).await, expected);
    let hook = world.receiver(1).await;
    assert_eq!((&hook["name"], &hook["kind"]), (&"hook".into(), &"webhook".into()));
    assert_eq!(hook["fault"], "the url is none");
    assert_eq!(world.receiver(2).await, Value::Null);
    assert_eq!(world.phone.tried(), 0, "nobody is asked");
}

#[tokio::test]
async fn a_receiver_that_is_none_is_not_found() {
    spec!("notifications#a-person-asks/how-each-does");
    let world = World::new(None).await;
    for answer in [
        world.daemon.get("/api/v1/notify/phones/dead-letters").await,
        world.daemon.post("/api/v1/notify/phones/test", "").await,
        world.daemon.post("/api/v1/notify/phones/retry", "").await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.code()), (404, "not-found".to_owned()));
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.ends_with("the configured ones are: phone, hook"), "{detail}");
    }
    let none = Daemon::start().await;
    assert_eq!(none.get("/api/v1/notify").await.json(), json!({ "items": [], "next": null }));
}

#[tokio::test]
async fn a_test_is_sent_at_once_and_says_what_came_back() {
    spec!("notifications#a-person-asks/a-test");
    let world = World::new(Some("00:00-23:59")).await;
    world.pipeline.recover().await.unwrap();
    let before = world.receiver(0).await["cursor"].clone();
    let tested = world.act("phone/test").await;
    let taken = world.phone.taken();
    assert_eq!((taken.len(), taken[0].kind), (1, EventType::NotificationTested), "in quiet hours");
    let id = taken[0].first.to_string();
    let expected = json!({ "name": "phone", "event_id": id, "taken": true, "detail": null });
    assert_eq!(tested, expected);
    world.phone.fail_with(Some(NotifyError::Refused("HTTP 401; check the secret".to_owned())));
    let refused = world.act("phone/test").await;
    assert_eq!(refused["taken"], false);
    assert_eq!(refused["detail"], "the receiver does not take it: HTTP 401; check the secret");
    let hook = world.act("hook/test").await;
    assert_eq!((&hook["taken"], &hook["detail"]), (&false.into(), &"the url is none".into()));
    let told = world.events("notification.tested").await;
    assert_eq!(told.len(), 3);
    assert_eq!(told[2]["id"], id);
    assert_eq!(
        (&told[2]["actor"], &told[2]["entity_name"]),
        (&"api:tests".into(), &"phone".into())
    );
    let after = world.receiver(0).await;
    assert_eq!((&after["cursor"], &after["attempts"]), (&before, &0.into()), "its place stays");
}

#[tokio::test]
async fn what_was_put_aside_is_shown_and_sent_again() {
    spec!("notifications#a-person-asks/sent-again");
    let world = World::new(None).await;
    world.pipeline.recover().await.unwrap();
    let stop = CancellationToken::new();
    let running = tokio::spawn(world.pipeline.clone().run(stop.clone()));
    assert_eq!(world.act("phone/retry").await["dead_letters"], 0);
    assert_eq!(world.events("notification.retried").await.len(), 0, "there was nothing to send");
    let first = world.happen().await;
    world.until_noted(first).await;
    let aside = world.put_aside().await;
    let next = world.happen().await;
    world.until_told(next).await;
    assert_eq!(world.told(), [first, next], "what is aside stays there");
    let page = world.daemon.get("/api/v1/notify/phone/dead-letters").await.json();
    let letter = &page["items"][0];
    assert_eq!((&letter["event_id"], &page["items"][1]), (&aside.to_string().into(), &Value::Null));
    assert_eq!(letter["detail"], "the receiver does not take it: HTTP 400");
    assert_eq!(letter["put_aside_at"], world.daemon.db.clock().now().to_string());
    assert_eq!(letter["event"]["type"], "client.offline");
    assert_eq!(letter["event"]["entity_name"], "home");
    world.act("phone/retry").await;
    world.until_told(aside).await;
    eventually(DEADLINE, "nothing is aside", async || {
        (world.receiver(0).await["dead_letters"] == 0).then_some(())
    })
    .await;
    let told = world.events("notification.retried").await;
    assert_eq!((told.len(), &told[0]["actor"]), (1, &"api:tests".into()));
    assert_eq!(told[0]["data"], json!({ "consumer": "phone", "dead_letters": 1 }));
    assert_eq!(world.told(), [first, next, aside], "each once, and nothing about itself");
    stop.cancel();
    running.await.unwrap();
}
