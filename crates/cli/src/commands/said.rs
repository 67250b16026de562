//! `hint` and `override`: what a person says about a download.

use serde_json::json;
use tracker_domain::DownloadId;
use tracker_domain::ask::AskScope;
use tracker_wire::OverrideBody;

use crate::failure::{ApiFailure, exit};
use crate::render;
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Terminal, clean};

/// Says in free text what it is.
pub(crate) async fn hint(
    context: &Context<'_>,
    id: &str,
    words: &[String],
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let services = context.working().await?;
    let hint = services.api.hint(id, words.join(" ")).await?;
    if context.global.json {
        render::json(terminal, &hint)?;
    } else {
        writeln!(terminal.out, "{}\t{}", hint.id, clean(&hint.text))?;
    }
    services.tell_of(id, terminal).await?;
    Ok(exit::DONE)
}

/// Sets a field, or takes back what was set (`body` is `None`).
pub(crate) async fn set(
    context: &Context<'_>,
    id: &str,
    field: &str,
    body: Option<OverrideBody>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let field = usable(field)?;
    let services = context.working().await?;
    match body {
        Some(body) => {
            let set = services.api.set_override(id, field, body).await?;
            if context.global.json {
                render::json(terminal, &set)?;
            } else {
                writeln!(terminal.out, "{}\t{}", clean(&set.field), clean(&set.value))?;
            }
        }
        None => {
            services.api.remove_override(id, field).await?;
            if context.global.json {
                render::json(terminal, &json!({ "field": field, "removed": true }))?;
            } else {
                writeln!(terminal.out, "{field}\tremoved")?;
            }
        }
    }
    services.tell_of(id, terminal).await?;
    Ok(exit::DONE)
}

/// Makes a rule that a person is asked first, or takes it back; says which rule
/// there is then.
pub(crate) async fn ask(
    context: &Context<'_>,
    id: &str,
    title: bool,
    off: bool,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let services = context.working().await?;
    let scope = if title { AskScope::Title } else { AskScope::Download };
    let recognition = match off {
        true => services.api.ask_no_more(id, scope).await?,
        false => services.api.ask(id, scope).await?,
    };
    if context.global.json {
        render::json(terminal, &recognition)?;
    } else {
        let (state, asks) = (clean(&recognition.state), clean(&recognition.asks));
        writeln!(terminal.out, "{id}\t{state}\tasks: {asks}")?;
    }
    services.tell_of(id, terminal).await?;
    Ok(exit::DONE)
}

/// A field becomes a part of an address, so it has no letters that steer one.
fn usable(field: &str) -> Result<&str, ApiFailure> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if field.bytes().all(plain) && field.bytes().any(|byte| byte != b'.') {
        return Ok(field);
    }
    Err(ApiFailure::usage(format!("{field:?} is no field that can be set; take one such as title")))
}
