//! `review`, `recognize`, `accept`, `reject`: what a download is taken for, and
//! decisions on it.

use serde_json::json;
use tracker_domain::DownloadId;
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::Pin;
use tracker_ident::AnyId;
use tracker_wire::{CandidateDto, DownloadDto, RecognitionDto};

use crate::api::Api;
use crate::backends::Access;
use crate::choice::{self, Answer};
use crate::failure::{ApiFailure, exit};
use crate::recognition as show;
use crate::render;
use crate::run::{Context, Working, parse_id};
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// What a person looks at before a choice.
struct Look {
    download: DownloadDto,
    recognition: RecognitionDto,
    candidates: Vec<CandidateDto>,
}

/// Shows what it is taken for and what it may be; where a person is there, asks.
pub(crate) async fn review(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    if context.global.json {
        let api = context.api(Access::Read).await?;
        let (recognition, candidates) = (api.recognition(id).await?, api.candidates(id).await?);
        let whole = json!({ "recognition": recognition, "candidates": candidates });
        render::json(terminal, &whole)?;
        return Ok(code_of(&recognition));
    }
    if !context.asks {
        let api = context.api(Access::Read).await?;
        let look = looked_at(&*api, id).await?;
        print(terminal, &look)?;
        choice::tell_how(terminal, id, &look.recognition, &look.candidates)?;
        return Ok(code_of(&look.recognition));
    }
    let services = context.working().await?;
    let look = looked_at(&*services.api, id).await?;
    print(terminal, &look)?;
    choice::tell_how(terminal, id, &look.recognition, &look.candidates)?;
    if !is_open(&look.recognition) {
        return Ok(code_of(&look.recognition));
    }
    let decided = match choice::asked(terminal, &look.candidates)? {
        Answer::Skipped => return Ok(exit::NEEDS_PERSON),
        Answer::None => services.api.reject(id).await?,
        Answer::AsRead => services.api.accept(id, None).await?,
        Answer::Candidate(candidate) => services.api.accept(id, Some(candidate)).await?,
    };
    writeln!(terminal.out, "{id}\t{}", clean(&decided.state))?;
    choice::tell_how(terminal, id, &decided, &look.candidates)?;
    services.tell_of(id, terminal).await?;
    Ok(code_of(&decided))
}

async fn looked_at(api: &dyn Api, id: DownloadId) -> Result<Look, ApiFailure> {
    Ok(Look {
        download: api.download(id).await?,
        recognition: api.recognition(id).await?,
        candidates: api.candidates(id).await?.items,
    })
}

fn print(terminal: &mut Terminal<'_>, look: &Look) -> Result<(), Stop> {
    show::recognition(terminal, &look.download, &look.recognition)?;
    if !look.candidates.is_empty() {
        writeln!(terminal.out)?;
        show::candidates(terminal, &look.candidates)?;
    }
    Ok(())
}

/// Whether a person has something to decide.
fn is_open(recognition: &RecognitionDto) -> bool {
    matches!(recognition.state.as_str(), "proposed" | "rejected" | "waiting")
}

/// A recognition that waits goes on by itself, so nobody is needed for it.
fn code_of(recognition: &RecognitionDto) -> u8 {
    match recognition.state.as_str() {
        "proposed" | "rejected" => exit::NEEDS_PERSON,
        _ => exit::DONE,
    }
}

/// Asks for another recognition.
pub(crate) async fn recognize(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let services = context.working().await?;
    let recognition = services.api.rerun(id).await?;
    decided(context, &services, id, &recognition, terminal).await
}

/// Lets the recognition hold, with a candidate that is named by id or by work.
pub(crate) async fn accept(
    context: &Context<'_>,
    id: &str,
    candidate: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let services = context.working().await?;
    let candidate = match candidate {
        Some(text) => Some(named(&*services.api, id, text).await?),
        None => None,
    };
    let recognition = services.api.accept(id, candidate).await?;
    decided(context, &services, id, &recognition, terminal).await
}

async fn named(api: &dyn Api, id: DownloadId, text: &str) -> Result<CandidateId, ApiFailure> {
    match text.parse::<Pin>() {
        Ok(pin) => choice::meant(id, &pin, &api.candidates(id).await?.items),
        Err(_) => parse_id(text).map(AnyId::typed).map_err(|_| {
            ApiFailure::not_found(format!(
                "{text:?} is neither the id of a candidate nor a work such as tmdb:603; \
                 `tracker review {id}` shows the candidates"
            ))
        }),
    }
}

/// Says that the recognition is wrong.
pub(crate) async fn reject(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let services = context.working().await?;
    let recognition = services.api.reject(id).await?;
    decided(context, &services, id, &recognition, terminal).await
}

/// The download, where its recognition is now, and what follows of a decision.
async fn decided(
    context: &Context<'_>,
    services: &Working,
    id: DownloadId,
    recognition: &RecognitionDto,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    if context.global.json {
        render::json(terminal, recognition)?;
    } else {
        writeln!(terminal.out, "{}\t{}", recognition.download_id, clean(&recognition.state))?;
    }
    services.tell_of(id, terminal).await?;
    Ok(exit::DONE)
}
