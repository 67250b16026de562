//! The choice among candidates: the question, the ways to answer it elsewhere,
//! and which candidate a person means.

use tracker_domain::DownloadId;
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::{Pin, Provider};
use tracker_wire::{CandidateDto, RecognitionDto};

use crate::failure::ApiFailure;
use crate::run::parse_id;
use crate::terminal::{Stop, Terminal, clean};

/// What a person said.
pub(crate) enum Answer {
    /// It is this one.
    Candidate(CandidateId),
    /// It is what the names say.
    AsRead,
    /// It is none of them.
    None,
    /// Not now.
    Skipped,
}

/// The names count only where no candidate could be the one.
fn names_count(candidates: &[CandidateDto]) -> bool {
    candidates.iter().all(|candidate| candidate.excluded.is_some())
}

/// Asks until there is an answer; the end of the input is none.
pub(crate) fn asked(
    terminal: &mut Terminal<'_>,
    candidates: &[CandidateDto],
) -> Result<Answer, Stop> {
    let as_read = names_count(candidates);
    let what = match (candidates.len(), as_read) {
        (0, _) => "0 for what the names say".to_owned(),
        (1, true) => "1, 0 for what the names say".to_owned(),
        (1, false) => "1".to_owned(),
        (most, true) => format!("1 to {most}, 0 for what the names say"),
        (most, false) => format!("1 to {most}"),
    };
    let what = format!("{what}, n for none of them, s to skip");
    write!(terminal.err, "Which one? {what}: ")?;
    loop {
        terminal.err.flush()?;
        let mut line = Vec::new();
        if terminal.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(terminal.err)?;
            return Ok(Answer::Skipped);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        match text {
            "s" => return Ok(Answer::Skipped),
            "n" => return Ok(Answer::None),
            "0" if as_read => return Ok(Answer::AsRead),
            _ => {}
        }
        if let Some(candidate) = numbered(text, candidates) {
            return Ok(Answer::Candidate(candidate_id(candidate)?));
        }
        write!(terminal.err, "{:?} is no answer here. Possible is {what}: ", clean(text))?;
    }
}

fn numbered<'a>(text: &str, candidates: &'a [CandidateDto]) -> Option<&'a CandidateDto> {
    let number: usize = text.parse().ok()?;
    candidates.get(number.checked_sub(1)?)
}

fn candidate_id(candidate: &CandidateDto) -> Result<CandidateId, ApiFailure> {
    Ok(parse_id(&candidate.id)?.typed())
}

/// Says what a person can do where one is needed.
pub(crate) fn tell_how(
    terminal: &mut Terminal<'_>,
    id: DownloadId,
    recognition: &RecognitionDto,
    candidates: &[CandidateDto],
) -> Result<(), Stop> {
    let rejected = match recognition.state.as_str() {
        "proposed" => false,
        "rejected" => true,
        _ => return Ok(()),
    };
    let as_read = names_count(candidates);
    let mut ways = Vec::new();
    if as_read && recognition.fields.title.is_some() {
        ways.push((format!("accept {id}"), "takes what the names say"));
    }
    if !as_read && !rejected {
        ways.push((format!("accept {id} WORK"), "takes one of the candidates"));
        ways.push((format!("reject {id}"), "takes none of them"));
    }
    if as_read || rejected || recognition.verdict == "unknown" {
        ways.push((
            format!("override {id} title|year|kind VALUE"),
            "sets what the names have wrong or do not say",
        ));
        ways.push((format!("override {id} candidate tmdb:NUMBER"), "names the work"));
        ways.push((format!("hint {id} TEXT"), "says it in free words"));
    }
    writeln!(terminal.err, "A person has to say what it is:")?;
    for (command, what) in ways {
        writeln!(terminal.err, "  `tracker {command}` {what}")?;
    }
    Ok(())
}

/// The candidate that a pin means.
///
/// # Errors
/// When it is none of them, or when it may be several.
pub(crate) fn meant(
    id: DownloadId,
    pin: &Pin,
    candidates: &[CandidateDto],
) -> Result<CandidateId, ApiFailure> {
    let found: Vec<&CandidateDto> =
        candidates.iter().filter(|candidate| is_meant(pin, candidate)).collect();
    match found.as_slice() {
        [] => Err(ApiFailure::not_found(format!(
            "{pin} is none of the candidates; `tracker override {id} candidate {pin}` names it"
        ))),
        [one] => candidate_id(one),
        several => {
            let names: Vec<&str> =
                several.iter().map(|one| one.work.as_deref().unwrap_or(&one.id)).collect();
            Err(ApiFailure::usage(format!(
                "{pin} may be several of the candidates; write one of these: {}",
                clean(&names.join(", "))
            )))
        }
    }
}

fn is_meant(pin: &Pin, candidate: &CandidateDto) -> bool {
    let own: Option<Pin> = candidate.work.as_deref().and_then(|work| work.parse().ok());
    match (pin, own) {
        (Pin::Imdb(title), _) if candidate.imdb.as_ref() == Some(title) => true,
        (Pin::Tmdb(number), Some(Pin::Work(work))) => {
            work.provider == Provider::Tmdb && work.number == *number
        }
        (_, own) => own.as_ref() == Some(pin),
    }
}
