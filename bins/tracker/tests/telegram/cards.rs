//! Candidates with their posters.

use serde_json::json;
use tracker_domain::metadata::Provider;
use tracker_testkit::bot_api::Seen;
use tracker_testkit::metadata::catalogue;
use tracker_testkit::{BotApiServer, MetadataStub, StubAnswer, StubMode, eventually, spec};

use crate::daemon::DEADLINE;
use crate::{ANNA, Stage, film};

/// Two films have this name and year.
const NAME: &str = "Iron.Orchard.2014.1080p.WEB";

/// The film waits for a person, and a source has posters of what it may be.
async fn undecided() -> (Stage, MetadataStub, Seen) {
    let mut stage = Stage::prepared(BotApiServer::without_pace().await).await;
    let source = MetadataStub::start().await;
    stage.daemon.setup.metadata = format!(
        "tvmaze = false\ntmdb_url = {:?}\ntmdb_image_url = {:?}\ntmdb_token = {:?}\n",
        source.tmdb_url(),
        source.tmdb_image_url(),
        MetadataStub::TOKEN
    );
    // What would be told by itself stands in the way of what is looked for.
    stage.daemon.setup.more.push_str("events = []\n");
    stage.daemon.configure();
    film::bring(&stage.client, &stage.below.path().join("payload"), NAME);
    stage.daemon.start().await;
    stage.until_it_reads().await;
    stage.bot.user(ANNA).says(&film::magnet_of(NAME));
    let status = stage.until_said(ANNA, NAME).await;
    let status = stage.until_button(ANNA, status.id, "Review").await;
    (stage, source, status)
}

/// Presses a button, and waits until the message says something else.
async fn turned(stage: &Stage, message: i64, button: &str) -> Seen {
    let shown = || stage.bot.chat(ANNA).messages().into_iter().find(|seen| seen.id == message);
    let before = shown().unwrap();
    stage.bot.user(ANNA).presses(message, button);
    let other = async || shown().filter(|now| now.text != before.text);
    eventually(DEADLINE, &format!("{button} shows something else"), other).await
}

/// Whose poster a message has.
fn poster(stage: &Stage, message: i64) -> &'static str {
    let bytes = stage.bot.chat(ANNA).picture(message).unwrap();
    let all = catalogue::ALL.iter().map(|entry| entry.imdb);
    all.into_iter().find(|imdb| bytes.ends_with(imdb.as_bytes())).unwrap()
}

/// The answer to a message, behind those that were there.
async fn answer(stage: &Stage, asked: &Seen, there: usize) -> Seen {
    let answers = |seen: &Seen| seen.reply_to == Some(asked.id);
    let last = async || {
        let all = stage.bot.chat(ANNA).messages();
        all.into_iter().skip(there).find(answers)
    };
    eventually(DEADLINE, "an answer to the message", last).await
}

fn says(seen: &Seen, text: &str) {
    assert!(seen.text.contains(text), "{text:?} is not in {seen:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_candidate_is_looked_at_and_taken_on_a_card() {
    spec!("telegram#cards/from-review-to-the-decision");
    let (stage, _source, status) = undecided().await;
    let anna = stage.bot.user(ANNA);
    anna.presses(status.id, "Review");
    let card = answer(&stage, &status, 1).await;
    says(&card, "tmdb:movie/1002 · 1 of 2");
    assert!(card.photo);
    assert_eq!(poster(&stage, card.id), catalogue::ORCHARD.imdb);
    says(&turned(&stage, card.id, "Next").await, "tmdb:movie/1003 · 2 of 2");
    assert_eq!(poster(&stage, card.id), catalogue::OTHER_ORCHARD.imdb);
    // What has no picture is said below the one that is there.
    says(&turned(&stage, card.id, "None of these").await, "Iron.Orchard");
    assert_eq!(poster(&stage, card.id), catalogue::OTHER_ORCHARD.imdb);
    says(&turned(&stage, card.id, "The candidates").await, "1 of 2");
    assert_eq!(poster(&stage, card.id), catalogue::ORCHARD.imdb);
    assert_eq!(stage.bot.chat(ANNA).messages()[0], status, "what follows it stayed as it was");
    says(&turned(&stage, card.id, "This is it").await, "Taken for: Iron Orchard (2014)");
    assert_eq!(poster(&stage, card.id), catalogue::ORCHARD.imdb);
    let status = stage.until_button(ANNA, status.id, "Undo").await;
    says(&status, "Taken for: Iron Orchard (2014)");
    assert_eq!(stage.actors("recognition.accepted").await, [format!("telegram:{ANNA}")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_candidate_without_a_picture_is_told_in_words() {
    spec!("telegram#cards/without-a-picture");
    let (stage, source, status) = undecided().await;
    let anna = stage.bot.user(ANNA);
    let missing = StubAnswer::of_kind(404, "text/html", "File not Found");
    source.set(Provider::Tmdb, StubMode::Says(missing));
    let text = turned(&stage, status.id, "Review").await;
    says(&text, "1 of 2");
    assert!(!text.photo);
    source.set(Provider::Tmdb, StubMode::Normal);
    // A picture that is refused is left out.
    let refused = |words: &str| {
        let description = format!("Bad Request: {words}");
        let body = json!({ "ok": false, "error_code": 400, "description": description });
        StubAnswer::json(400, body.to_string())
    };
    stage.bot.once("sendPhoto", refused("PHOTO_INVALID_DIMENSIONS"));
    anna.presses(status.id, "Next");
    let text = answer(&stage, &status, 1).await;
    says(&text, "2 of 2");
    assert!(!text.photo);
    // The one that follows the download does so again.
    let back = stage.until_button(ANNA, status.id, "Review").await;
    assert_eq!(back.text, status.text);
    let [id] = stage.ids().await.try_into().unwrap();
    anna.presses_with(status.id, &format!("1c1.{id}.1"));
    let card = answer(&stage, &status, 2).await;
    assert!(card.photo);
    says(&turned(&stage, card.id, "Previous").await, "1 of 2");
    stage.bot.once("editMessageMedia", refused("IMAGE_PROCESS_FAILED"));
    says(&turned(&stage, card.id, "Next").await, "2 of 2");
    assert_eq!(poster(&stage, card.id), catalogue::OTHER_ORCHARD.imdb);
}
