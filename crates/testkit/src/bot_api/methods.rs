//! The methods of the Bot API that are answered at once.

use serde_json::{Value, json};
use tokio::time::Instant;

use super::messages::{self, Edited};
use super::request::Request;
use super::world::{Answer, Refusal, Webhook, World};

/// The largest file that a bot may fetch.
const LARGEST_FILE: u64 = 20 * 1024 * 1024;
const LONGEST_ANSWER: usize = 200;

type Outcome = Result<Value, Refusal>;

/// The bot itself.
pub(super) fn me() -> Value {
    json!({
        "id": 123_456, "is_bot": true, "first_name": "Tracker", "username": "our_tracker_bot",
        "can_join_groups": true, "can_read_all_group_messages": false,
        "supports_inline_queries": false,
    })
}

/// Answers a method, given in lower case.
pub(super) fn answer(world: &mut World, method: &str, request: &Request, now: Instant) -> Outcome {
    match method {
        "getme" => Ok(me()),
        "sendmessage" => messages::send_message(world, request, now),
        "sendphoto" => messages::send_photo(world, request, now),
        "editmessagetext" => messages::edit(world, request, Edited::Text, now),
        "editmessagecaption" => messages::edit(world, request, Edited::Caption, now),
        "editmessagemedia" => messages::edit(world, request, Edited::Media, now),
        "editmessagereplymarkup" => messages::edit(world, request, Edited::Keyboard, now),
        "answercallbackquery" => answer_press(world, request),
        "getfile" => get_file(world, request),
        "setmycommands" => set_commands(world, request),
        "setwebhook" => set_webhook(world, request),
        "deletewebhook" => {
            world.webhook = None;
            drop_pending(world, request);
            Ok(true.into())
        }
        "getwebhookinfo" => Ok(json!({
            "url": world.webhook.as_ref().map_or("", |hook| hook.url.as_str()),
            "has_custom_certificate": false,
            "pending_update_count": world.updates.len(),
            "last_error_message": world.webhook.as_ref().and_then(|hook| hook.last_error.clone()),
        })),
        _ => Err(Refusal::new(404, "Not Found: method not found")),
    }
}

fn answer_press(world: &mut World, request: &Request) -> Outcome {
    let id = request.text("callback_query_id").unwrap_or_default();
    let text = request.text("text").filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.encode_utf16().count() > LONGEST_ANSWER) {
        return Err(Refusal::bad("MESSAGE_TOO_LONG"));
    }
    match world.presses.get_mut(&id) {
        Some(press) if !press.too_old && press.answered.is_none() => {
            press.answered = Some(Answer { text, alert: request.flag("show_alert") });
            Ok(true.into())
        }
        _ => Err(Refusal::bad(
            "query is too old and response timeout expired or query ID is invalid",
        )),
    }
}

fn get_file(world: &World, request: &Request) -> Outcome {
    let id = request.text("file_id").unwrap_or_default();
    match world.files.get(&id) {
        None => Err(Refusal::bad("invalid file_id")),
        Some(file) if file.size > LARGEST_FILE => Err(Refusal::bad("file is too big")),
        Some(file) => Ok(json!({
            "file_id": id,
            "file_unique_id": format!("u{id}"),
            "file_size": file.size,
            "file_path": format!("documents/{id}"),
        })),
    }
}

fn set_commands(world: &mut World, request: &Request) -> Outcome {
    let list = request.json("commands")?.unwrap_or_default();
    let mut commands = Vec::new();
    for command in list.as_array().into_iter().flatten() {
        let name = command["command"].as_str().unwrap_or_default();
        let about = command["description"].as_str().unwrap_or_default();
        let sign = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || ch == '_';
        if !(1..=32).contains(&name.len()) || !name.chars().all(sign) {
            return Err(Refusal::bad("BOT_COMMAND_INVALID"));
        }
        if !(1..=256).contains(&about.chars().count()) {
            return Err(Refusal::bad("BOT_COMMAND_DESCRIPTION_INVALID"));
        }
        commands.push((name.to_owned(), about.to_owned()));
    }
    if commands.len() > 100 {
        return Err(Refusal::bad("BOT_COMMANDS_TOO_MUCH"));
    }
    let language = request.text("language_code").unwrap_or_default();
    world.commands.insert(language, commands);
    Ok(true.into())
}

/// The real one wants HTTPS; a server of a test on this machine has none.
fn set_webhook(world: &mut World, request: &Request) -> Outcome {
    let url = request.text("url").unwrap_or_default();
    if !url.is_empty() && !url.starts_with("https://") && !url.starts_with("http://127.0.0.1:") {
        return Err(Refusal::bad("bad webhook: An HTTPS URL must be provided for webhook"));
    }
    let secret = request.text("secret_token").filter(|secret| !secret.is_empty());
    let sign = |ch: char| ch.is_ascii_alphanumeric() || ch == '_' || ch == '-';
    if secret.as_ref().is_some_and(|secret| secret.len() > 256 || !secret.chars().all(sign)) {
        return Err(Refusal::bad("secret token contains unallowed characters"));
    }
    allow(world, request)?;
    drop_pending(world, request);
    world.webhook = (!url.is_empty()).then_some(Webhook { url, secret, last_error: None });
    Ok(true.into())
}

fn drop_pending(world: &mut World, request: &Request) {
    if request.flag("drop_pending_updates") {
        world.updates.clear();
    }
}

/// Keeps what kinds are wanted from now on, where that is said.
pub(super) fn allow(world: &mut World, request: &Request) -> Result<(), Refusal> {
    if let Some(list) = request.json("allowed_updates")? {
        let names = list.as_array().into_iter().flatten();
        world.allowed = Some(names.filter_map(Value::as_str).map(str::to_owned).collect());
    }
    Ok(())
}

/// The updates from a number on; what is before it is confirmed. A negative number
/// counts from the end.
pub(super) fn updates(world: &mut World, request: &Request) -> Vec<Value> {
    let offset = request.number("offset").unwrap_or_default();
    if offset < 0 {
        let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        let over = world.updates.len().saturating_sub(keep);
        world.updates.drain(..over);
    } else {
        world.updates.retain(|update| update.id >= offset);
    }
    let limit = request.number("limit").filter(|limit| (1..=100).contains(limit)).unwrap_or(100);
    let limit = usize::try_from(limit).unwrap_or(100);
    world.updates.iter().take(limit).map(|update| update.body.clone()).collect()
}
