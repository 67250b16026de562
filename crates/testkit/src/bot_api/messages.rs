//! Sending and editing: what is taken, and in which words the rest is refused.

use serde_json::{Value, json};
use tokio::time::Instant;

use super::html::{self, Parsed};
use super::request::Request;
use super::world::{MessageState, Refusal, World};

const LONGEST_TEXT: usize = 4096;
const LONGEST_CAPTION: usize = 1024;
const LONGEST_DATA: usize = 64;
const LARGEST_PHOTO: usize = 10 * 1024 * 1024;
const MOST_BUTTONS: usize = 100;
/// Width and height of a photo together, and the one in the other.
const LARGEST_SIDES: u32 = 10_000;
const LARGEST_RATIO: u32 = 20;

type Outcome = Result<Value, Refusal>;

pub(super) fn send_message(world: &mut World, request: &Request, now: Instant) -> Outcome {
    let content = content(request, "text")?;
    if content.text.trim().is_empty() {
        return Err(Refusal::bad("message text is empty"));
    }
    if html::units(&content.text) > LONGEST_TEXT {
        return Err(Refusal::bad("message is too long"));
    }
    put(world, request, content, None, now)
}

pub(super) fn send_photo(world: &mut World, request: &Request, now: Instant) -> Outcome {
    let content = content(request, "caption")?;
    if html::units(&content.text) > LONGEST_CAPTION {
        return Err(Refusal::bad("message caption is too long"));
    }
    let Some(photo) = request.files.get("photo") else {
        return Err(Refusal::bad("there is no photo in the request"));
    };
    allow_photo(photo)?;
    put(world, request, content, Some(photo.clone()), now)
}

/// Refuses what is no photo, or one that is not taken.
fn allow_photo(photo: &[u8]) -> Result<(), Refusal> {
    if photo.len() > LARGEST_PHOTO {
        return Err(Refusal::new(413, "Request Entity Too Large"));
    }
    let webp = photo.starts_with(b"RIFF") && photo.get(8..12) == Some(b"WEBP".as_slice());
    if !(photo.starts_with(b"\xff\xd8\xff") || photo.starts_with(b"\x89PNG\r\n") || webp) {
        return Err(Refusal::bad("IMAGE_PROCESS_FAILED"));
    }
    match sides(photo) {
        Some((width, height))
            if width.saturating_add(height) > LARGEST_SIDES
                || width.max(height) > LARGEST_RATIO * width.min(height) =>
        {
            Err(Refusal::bad("PHOTO_INVALID_DIMENSIONS"))
        }
        _ => Ok(()),
    }
}

/// Width and height of a PNG, which has them at its front; of others they are not read.
fn sides(photo: &[u8]) -> Option<(u32, u32)> {
    photo.get(12..16).filter(|name| name == b"IHDR")?;
    let side = |at: usize| photo.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    Some((side(16)?, side(20)?))
}

fn put(
    world: &mut World,
    request: &Request,
    content: Parsed,
    photo: Option<Vec<u8>>,
    now: Instant,
) -> Outcome {
    let keyboard = keyboard(request)?;
    let chat = open_chat(world, request)?;
    let thread = request.number("message_thread_id");
    if let Some(thread) = thread
        && !world.chat(chat).topics.contains(&thread)
    {
        return Err(Refusal::bad("message thread not found"));
    }
    let reply = request.json("reply_parameters")?.unwrap_or_default();
    let reply_to = reply["message_id"].as_i64();
    let is_there = reply_to.is_some_and(|id| world.chat(chat).messages.contains_key(&id));
    if reply_to.is_some() && !is_there && reply["allow_sending_without_reply"] != true {
        return Err(Refusal::bad("message to be replied not found"));
    }
    pace(world, chat, now)?;
    let message = MessageState {
        from_bot: true,
        content,
        photo,
        keyboard,
        thread,
        reply_to: reply_to.filter(|_| is_there),
        silent: request.flag("disable_notification"),
        edits: 0,
    };
    let id = world.put(chat, message);
    Ok(world.message_json(chat, id))
}

/// What an edit changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edited {
    Text,
    Caption,
    Media,
    Keyboard,
}

pub(super) fn edit(world: &mut World, request: &Request, what: Edited, now: Instant) -> Outcome {
    let (content, photo) = match what {
        Edited::Text => (Some(content(request, "text")?), None),
        Edited::Caption => (Some(content(request, "caption")?), None),
        Edited::Media => {
            let (caption, photo) = media(request)?;
            (Some(caption), Some(photo))
        }
        Edited::Keyboard => (None, None),
    };
    let keyboard = keyboard(request)?;
    let chat = open_chat(world, request)?;
    let Some(id) = request.number("message_id") else {
        return Err(Refusal::bad("message identifier is not specified"));
    };
    let Some(message) = world.chat(chat).messages.get(&id).cloned() else {
        return Err(Refusal::bad("message to edit not found"));
    };
    if !message.from_bot {
        return Err(Refusal::bad("message can't be edited"));
    }
    let text = content.as_ref().map(|content| content.text.as_str()).unwrap_or_default();
    match (what, &message.photo) {
        (Edited::Text, Some(_)) => {
            return Err(Refusal::bad("there is no text in the message to edit"));
        }
        (Edited::Caption, None) => {
            return Err(Refusal::bad("there is no caption in the message to edit"));
        }
        (Edited::Text, None) if text.trim().is_empty() => {
            return Err(Refusal::bad("message text is empty"));
        }
        (Edited::Text, None) if html::units(text) > LONGEST_TEXT => {
            return Err(Refusal::bad("MESSAGE_TOO_LONG"));
        }
        // A text becomes a picture where it is edited to one, and never goes back.
        (Edited::Caption, Some(_)) | (Edited::Media, _) if html::units(text) > LONGEST_CAPTION => {
            return Err(Refusal::bad("MEDIA_CAPTION_TOO_LONG"));
        }
        _ => {}
    }
    if let Some(photo) = &photo {
        allow_photo(photo)?;
    }
    let newer = MessageState {
        content: content.unwrap_or_else(|| message.content.clone()),
        photo: photo.or_else(|| message.photo.clone()),
        keyboard,
        edits: message.edits + 1,
        ..message.clone()
    };
    // A file that is sent again counts as another one.
    let same = newer.content == message.content && newer.keyboard == message.keyboard;
    if same && what != Edited::Media {
        return Err(Refusal::bad(
            "message is not modified: specified new message content and reply markup are exactly \
             the same as a current content and reply markup of the message",
        ));
    }
    pace(world, chat, now)?;
    world.chat(chat).messages.insert(id, newer);
    Ok(world.message_json(chat, id))
}

fn content(request: &Request, name: &str) -> Result<Parsed, Refusal> {
    let mode = request.text("parse_mode").unwrap_or_default();
    marked(request.text(name).unwrap_or_default(), &mode).map_err(|words| {
        // The first letter of all is a small one.
        let (first, rest) = words.split_at(1);
        Refusal::bad(&(first.to_ascii_lowercase() + rest))
    })
}

/// A text with the markup of a mode; in which words it is refused.
fn marked(text: String, mode: &str) -> Result<Parsed, String> {
    match mode.to_ascii_lowercase().as_str() {
        "" => Ok(Parsed { text, entities: Vec::new() }),
        "html" => html::parse(&text).map_err(|words| format!("Can't parse entities: {words}")),
        _ => Err("Unsupported parse_mode".to_owned()),
    }
}

/// The caption and the photo of an `InputMediaPhoto`. Other kinds of media, and files
/// that are not in the request, are not played.
fn media(request: &Request) -> Result<(Parsed, Vec<u8>), Refusal> {
    let unreadable = |words: &str| Refusal::bad(&format!("can't parse InputMedia: {words}"));
    let Some(raw) = request.text("media") else {
        return Err(Refusal::bad("parameter \"media\" is required"));
    };
    let Ok(Value::Object(media)) = serde_json::from_str::<Value>(&raw) else {
        return Err(Refusal::bad("can't parse input media JSON object"));
    };
    let field = |name: &str| media.get(name).and_then(Value::as_str).unwrap_or_default();
    let caption = marked(field("caption").to_owned(), field("parse_mode"))
        .map_err(|words| unreadable(&words))?;
    let kind = field("type");
    if kind.is_empty() {
        return Err(unreadable("Can't find field \"type\""));
    }
    let file = field("media").strip_prefix("attach://").and_then(|name| request.files.get(name));
    let Some(file) = file else { return Err(unreadable("media not found")) };
    if kind != "photo" {
        return Err(unreadable(&format!("type \"{kind}\" is unsupported")));
    }
    Ok((caption, file.clone()))
}

/// The chat of the request, where the bot may write.
fn open_chat(world: &mut World, request: &Request) -> Result<i64, Refusal> {
    let Some(id) = request.number("chat_id") else {
        return Err(Refusal::bad("chat_id is empty"));
    };
    let Some(chat) = world.chats.get(&id) else {
        return Err(Refusal::bad("chat not found"));
    };
    if let Some(became) = chat.became {
        return Err(Refusal {
            parameters: Some(json!({ "migrate_to_chat_id": became })),
            ..Refusal::bad("group chat was upgraded to a supergroup chat")
        });
    }
    match &chat.closed {
        Some(why) => Err(Refusal::new(403, format!("Forbidden: {why}"))),
        None => Ok(id),
    }
}

fn pace(world: &mut World, chat: i64, now: Instant) -> Result<(), Refusal> {
    world.rates.take(chat, now).map_err(|seconds| Refusal {
        parameters: Some(json!({ "retry_after": seconds })),
        ..Refusal::new(429, format!("Too Many Requests: retry after {seconds}"))
    })
}

/// The buttons of the request, where they may be shown.
fn keyboard(request: &Request) -> Result<Option<Value>, Refusal> {
    let Some(markup) = request.json("reply_markup")? else { return Ok(None) };
    let Some(rows) = markup["inline_keyboard"].as_array() else {
        return Err(Refusal::bad("object expected as reply markup"));
    };
    let mut kept = Vec::new();
    for row in rows {
        let Some(buttons) = row.as_array() else {
            return Err(button_refusal("Inline keyboard row must be an Array"));
        };
        buttons.iter().try_for_each(button)?;
        // A row without buttons is left out.
        kept.extend((!buttons.is_empty()).then(|| row.clone()));
    }
    let count: usize = kept.iter().filter_map(Value::as_array).map(Vec::len).sum();
    if count > MOST_BUTTONS {
        return Err(Refusal::bad("reply markup is too long"));
    }
    Ok((count > 0).then(|| json!({ "inline_keyboard": kept })))
}

fn button(button: &Value) -> Result<(), Refusal> {
    let Some(text) = button["text"].as_str() else {
        return Err(button_refusal("Field \"text\" must be of type String"));
    };
    if text.trim().is_empty() {
        return Err(button_refusal("Button text must be non-empty"));
    }
    match (button["callback_data"].as_str(), button["url"].as_str()) {
        (Some(data), None) if (1..=LONGEST_DATA).contains(&data.len()) => Ok(()),
        (Some(_), None) => Err(Refusal::bad("BUTTON_DATA_INVALID")),
        (None, Some(url)) if is_public(url) => Ok(()),
        (None, Some(url)) => Err(Refusal::bad(&format!(
            "inline keyboard button URL '{url}' is invalid: Wrong HTTP URL"
        ))),
        _ => Err(button_refusal("Text buttons are unallowed in the inline keyboard")),
    }
}

fn button_refusal(words: &str) -> Refusal {
    Refusal::bad(&format!("can't parse inline keyboard button: {words}"))
}

/// Buttons lead to hosts with a point in their names, so not to `localhost`.
fn is_public(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#', ':']).next()).unwrap_or_default();
    host.contains('.') && !host.starts_with('.') && !host.contains(char::is_whitespace)
}
