//! `ingest`: a line for each input, whatever becomes of the others.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use tracker_app::IngestOptions;
use tracker_domain::torrent::MAX_TORRENT_BYTES;
use tracker_domain::{Magnet, Torrent};
use tracker_wire::DownloadDto;

use crate::api::Input;
use crate::args::IngestArgs;
use crate::failure::{ApiFailure, exit};
use crate::render;
use crate::run::{Context, Working};
use crate::terminal::{Outcome, Stop, Terminal, clean};
use crate::wait;

mod piped;

use piped::{Line, Piped};

/// Accepts every input in its turn. The exit code is the highest of the single ones.
pub(crate) async fn ingest(
    context: &Context<'_>,
    args: IngestArgs,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let options = IngestOptions {
        hint: args.hint,
        pin: args.pin,
        library: args.library,
        client: args.client,
    };
    let mut intake = Intake {
        context,
        services: None,
        options,
        waits: args.wait,
        number: 0,
        accepted: Vec::new(),
        worst: exit::DONE,
    };
    for input in args.inputs {
        if input == "-" {
            intake.piped(terminal).await?;
        } else {
            intake.one(understand(&input), terminal).await?;
        }
    }
    let Some(services) = intake.services.filter(|_| !intake.accepted.is_empty()) else {
        return Ok(intake.worst);
    };
    if !args.wait {
        services.tell(terminal)?;
        return Ok(intake.worst);
    }
    terminal.out.flush()?;
    let waited = wait::until_rest(context, services, intake.accepted, terminal).await;
    context.backends.end_work().await;
    Ok(waited?.max(intake.worst))
}

struct Intake<'a> {
    context: &'a Context<'a>,
    /// Opened for the first usable input: bad input needs no daemon to be told.
    services: Option<Working>,
    options: IngestOptions,
    /// Whether what was accepted is seen through.
    waits: bool,
    number: usize,
    accepted: Vec<DownloadDto>,
    worst: u8,
}

impl Intake<'_> {
    /// What stands on standard input: one file, or a line for each input.
    async fn piped(&mut self, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
        let mut front = match piped::look(terminal.input)? {
            Piped::File(bytes) => {
                return self.one(torrent_in(&bytes, "standard input"), terminal).await;
            }
            Piped::Lines(front) => front,
        };
        let before = self.number;
        while let Some(line) = piped::line(&mut front, terminal.input)? {
            let input = match line {
                Line::Text(text) => understand(OsStr::from_bytes(&text)),
                Line::TooLong => Err(ApiFailure::usage(
                    "the line is longer than any link; give one magnet link, infohash or path a \
                     line, or a single .torrent",
                )),
            };
            self.one(input, terminal).await?;
        }
        if self.number == before {
            // Nothing is wrong with no links; with a pipe that broke there is.
            writeln!(terminal.err, "tracker: there is no link on standard input")?;
        }
        Ok(())
    }

    async fn one(
        &mut self,
        input: Result<Input, ApiFailure>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Stop> {
        self.number += 1;
        let failure = match input {
            Ok(input) => {
                let services = match self.services.take() {
                    Some(services) => services,
                    // Where there is nobody to ask, the next input would only say so again.
                    None if self.waits => self.context.seen_through().await?,
                    None => self.context.working().await?,
                };
                let services = self.services.insert(services);
                match services.api.ingest(input, self.options.clone()).await {
                    Ok(answer) => {
                        render::ingested(terminal, self.context.global.json, &answer)?;
                        self.accepted.push(answer.download);
                        return Ok(());
                    }
                    Err(failure) => failure,
                }
            }
            Err(failure) => failure,
        };
        self.worst = self.worst.max(failure.exit);
        // A link is named by its place: it may carry a passkey.
        writeln!(terminal.err, "tracker: input {}: {}", self.number, clean(&failure.to_string()))?;
        Ok(())
    }
}

/// A magnet link, an infohash, or a file with a torrent. A file may have any
/// name; what is no text is nothing but a name.
fn understand(input: &OsStr) -> Result<Input, ApiFailure> {
    let Some(text) = input.to_str() else { return torrent_at(Path::new(input)) };
    let refused = match Magnet::parse(text) {
        Ok(magnet) => return Ok(Input::Link { text: text.to_owned(), magnet: Box::new(magnet) }),
        Err(error) => error,
    };
    let is_link =
        text.trim_start().get(..7).is_some_and(|start| start.eq_ignore_ascii_case("magnet:"));
    if is_link {
        return Err(ApiFailure::usage(refused.to_string()));
    }
    torrent_at(Path::new(text))
}

fn torrent_at(path: &Path) -> Result<Input, ApiFailure> {
    if !path.exists() {
        return Err(ApiFailure::usage(format!(
            "{path:?} is neither a magnet link, nor an infohash, nor a file that is there"
        )));
    }
    let unreadable = |error| ApiFailure::usage(format!("{path:?} cannot be read: {error}"));
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    // One more than is allowed, so that the parser sees what is too large.
    let limit = u64::try_from(MAX_TORRENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    torrent_in(&bytes, &format!("{path:?}"))
}

fn torrent_in(bytes: &[u8], place: &str) -> Result<Input, ApiFailure> {
    let torrent =
        Torrent::parse(bytes).map_err(|error| ApiFailure::usage(format!("{place}: {error}")))?;
    Ok(Input::Torrent(Box::new(torrent)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::PathBuf;

    use tracker_testkit::spec;

    use super::*;

    #[test]
    fn a_file_may_have_a_name_that_is_no_text() {
        spec!("command-line#ingest-answers-each-input/a-file-name-that-is-no-text");
        let folder = tempfile::tempdir().unwrap();
        let name = OsStr::from_bytes(b"\xcf\xf0.torrent");
        let path: PathBuf = folder.path().join(name);
        std::fs::write(&path, b"d4:infod6:lengthi1e4:name1:a6:pieces20:aaaaaaaaaaaaaaaaaaaaee")
            .unwrap();
        assert!(matches!(understand(path.as_os_str()), Ok(Input::Torrent(_))));
        let missing = understand(name).unwrap_err();
        assert_eq!(missing.exit, exit::USAGE);
    }
}
