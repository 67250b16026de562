//! `review`, `recognize`, `accept`, `reject`: what a download is taken for, and
//! decisions on it.

use serde_json::json;
use tracker_domain::DownloadId;
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::Pin;
use tracker_wire::{CandidateDto, Page, RecognitionDto};

use crate::api::Api;
use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::recognition as show;
use crate::render;
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Shows what it is taken for and what it may be; on a terminal, asks.
pub(crate) async fn review(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let asks = terminal.width.is_some() && !context.global.json;
    if !asks {
        let api = context.api(Access::Read).await?;
        let (recognition, candidates) = looked_at(&*api, id).await?;
        if context.global.json {
            let whole = json!({ "recognition": recognition, "candidates": candidates });
            render::json(terminal, &whole)?;
        } else {
            print(terminal, &recognition, &candidates)?;
            tell_how(terminal, id, &recognition)?;
        }
        return Ok(code_of(&recognition));
    }
    let services = context.working().await?;
    let (recognition, candidates) = looked_at(&*services.api, id).await?;
    print(terminal, &recognition, &candidates)?;
    if !is_open(&recognition) {
        return Ok(code_of(&recognition));
    }
    let decided = match asked(terminal, &candidates.items)? {
        Answer::Skipped => return Ok(exit::NEEDS_PERSON),
        Answer::None => services.api.reject(id).await?,
        Answer::AsRead => services.api.accept(id, None).await?,
        Answer::Candidate(candidate) => services.api.accept(id, Some(candidate)).await?,
    };
    writeln!(terminal.out, "{id}\t{}", clean(&decided.state))?;
    tell_how(terminal, id, &decided)?;
    services.tell(terminal)?;
    Ok(code_of(&decided))
}

/// Says what a person can do where one is needed.
fn tell_how(
    terminal: &mut Terminal<'_>,
    id: DownloadId,
    recognition: &RecognitionDto,
) -> Result<(), Stop> {
    let how = match recognition.state.as_str() {
        "proposed" => format!("`tracker accept {id} WORK` takes one, `tracker reject {id}` none"),
        "rejected" => {
            format!("`tracker override {id} candidate WORK` or `tracker hint {id} TEXT` says it")
        }
        _ => return Ok(()),
    };
    writeln!(terminal.err, "A person has to say what it is: {how}")?;
    Ok(())
}

async fn looked_at(
    api: &dyn Api,
    id: DownloadId,
) -> Result<(RecognitionDto, Page<CandidateDto>), ApiFailure> {
    Ok((api.recognition(id).await?, api.candidates(id).await?))
}

fn print(
    terminal: &mut Terminal<'_>,
    recognition: &RecognitionDto,
    candidates: &Page<CandidateDto>,
) -> Result<(), Stop> {
    show::recognition(terminal, recognition)?;
    if !candidates.items.is_empty() {
        writeln!(terminal.out)?;
        show::candidates(terminal, &candidates.items)?;
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

/// What a person said.
enum Answer {
    Candidate(CandidateId),
    AsRead,
    None,
    Skipped,
}

/// Asks until there is an answer; the end of the input is none.
fn asked(terminal: &mut Terminal<'_>, candidates: &[CandidateDto]) -> Result<Answer, Stop> {
    // The names count only where no candidate could be the one.
    let as_read = candidates.iter().all(|candidate| candidate.excluded.is_some());
    let what = match (candidates.len(), as_read) {
        (0, _) => "0 for what the names say".to_owned(),
        (most, true) => format!("1 to {most}, 0 for what the names say"),
        (most, false) => format!("1 to {most}"),
    };
    loop {
        write!(terminal.err, "Which one? {what}, n for none of them, s to skip: ")?;
        terminal.err.flush()?;
        let mut line = String::new();
        if terminal.input.read_line(&mut line)? == 0 {
            writeln!(terminal.err)?;
            return Ok(Answer::Skipped);
        }
        match line.trim() {
            "s" => return Ok(Answer::Skipped),
            "n" => return Ok(Answer::None),
            "0" if as_read => return Ok(Answer::AsRead),
            text => {
                if let Some(candidate) = numbered(text, candidates) {
                    return Ok(Answer::Candidate(candidate_id(candidate)?));
                }
            }
        }
    }
}

fn numbered<'a>(text: &str, candidates: &'a [CandidateDto]) -> Option<&'a CandidateDto> {
    let number: usize = text.parse().ok()?;
    candidates.get(number.checked_sub(1)?)
}

fn candidate_id(candidate: &CandidateDto) -> Result<CandidateId, ApiFailure> {
    Ok(parse_id(&candidate.id)?.typed())
}

/// Asks for another recognition.
pub(crate) async fn recognize(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let recognition = services.api.rerun(id.typed()).await?;
    decided(context, &recognition, terminal)?;
    services.tell(terminal)?;
    Ok(exit::DONE)
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
    decided(context, &recognition, terminal)?;
    services.tell(terminal)?;
    Ok(exit::DONE)
}

async fn named(api: &dyn Api, id: DownloadId, text: &str) -> Result<CandidateId, ApiFailure> {
    let Ok(pin) = text.parse::<Pin>() else { return Ok(parse_id(text)?.typed()) };
    let word = pin.to_string();
    let candidates = api.candidates(id).await?.items;
    let found = candidates.iter().find(|one| one.work.as_deref() == Some(word.as_str()));
    match found {
        Some(candidate) => candidate_id(candidate),
        None => Err(ApiFailure::not_found(format!(
            "{word} is none of the candidates; `tracker override {id} candidate {word}` names it"
        ))),
    }
}

/// Says that the recognition is wrong.
pub(crate) async fn reject(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = parse_id(id)?;
    let services = context.working().await?;
    let recognition = services.api.reject(id.typed()).await?;
    decided(context, &recognition, terminal)?;
    services.tell(terminal)?;
    Ok(exit::DONE)
}

/// The download, and where its recognition is now.
fn decided(
    context: &Context<'_>,
    recognition: &RecognitionDto,
    terminal: &mut Terminal<'_>,
) -> Result<(), Stop> {
    if context.global.json {
        return render::json(terminal, recognition);
    }
    writeln!(terminal.out, "{}\t{}", recognition.download_id, clean(&recognition.state))?;
    Ok(())
}
