//! A better or repaired release of something that is linked: offered, never put in
//! its place by itself.

use std::path::PathBuf;

use tracker_domain::recognised::{Fields, Recognised};
use tracker_layout::{Conflict, ConflictKind, Plan};
use tracker_store::{ReadTx, StoreError};

use super::prepare::Basis;
use crate::Pipeline;

/// What may take the place of what is linked, in words; `None` where nothing is
/// better about it.
pub(super) async fn offer(
    pipeline: &Pipeline,
    basis: &Basis,
    plan: &Plan,
) -> Result<Option<String>, StoreError> {
    let taken: Vec<(u32, PathBuf)> = plan.conflicts.iter().filter_map(of_a_file).collect();
    let (id, recognised) = (basis.row.id, basis.recognised.clone());
    pipeline
        .db
        .read(move |tx| {
            for (file, target) in taken {
                let Some(linked) = tx.link_at(&target)? else { continue };
                if linked.download == id {
                    continue;
                }
                let Some(old) = fields_of(tx, &linked)? else { continue };
                if let Some(better) = better(fields_in(&recognised, file), &old) {
                    return Ok(Some(format!(
                        "{} is linked by the download {}, and this one is better ({better}): \
                         `tracker apply {id} --on-conflict replace` puts it in its place, and \
                         undoing that brings the other back",
                        target.display(),
                        linked.download
                    )));
                }
            }
            Ok(None)
        })
        .await
}

fn of_a_file(conflict: &Conflict) -> Option<(u32, PathBuf)> {
    (conflict.kind == ConflictKind::TargetExists).then(|| (conflict.file, conflict.target.clone()))
}

/// What was recognised of the file that a link leads to.
fn fields_of(
    tx: &ReadTx<'_>,
    linked: &tracker_store::FileLink,
) -> Result<Option<Fields>, StoreError> {
    let Some(recognition) = tx.recognition_of(linked.download)? else { return Ok(None) };
    let own = recognition.files.iter().find(|file| Some(file.index) == linked.file_index);
    let own = own.map(|file| file.fields.clone());
    Ok(Some(filled(own.unwrap_or_default(), &recognition.fields)))
}

fn fields_in(recognised: &Recognised, file: u32) -> Fields {
    let own = recognised.files.iter().find(|one| one.index == file);
    filled(own.map(|one| one.fields.clone()).unwrap_or_default(), &recognised.fields)
}

/// What a file does not say itself the torrent says for it.
fn filled(mut own: Fields, whole: &Fields) -> Fields {
    own.resolution = own.resolution.or_else(|| whole.resolution.clone());
    own.proper |= whole.proper;
    own.repack |= whole.repack;
    own.version = own.version.or(whole.version);
    own
}

/// What is better about the new one, where something is.
fn better(new: Fields, old: &Fields) -> Option<String> {
    let height = |fields: &Fields| {
        let text = fields.resolution.as_deref()?;
        text.trim_end_matches(|one: char| !one.is_ascii_digit()).parse::<u32>().ok()
    };
    let word = |fields: &Fields| fields.resolution.clone().unwrap_or_default();
    match (height(&new), height(old)) {
        (Some(more), Some(less)) if more > less => {
            return Some(format!("{} instead of {}", word(&new), word(old)));
        }
        (Some(less), Some(more)) if less < more => return None,
        _ => {}
    }
    let version = |fields: &Fields| fields.version.unwrap_or(1);
    if new.proper && !old.proper {
        Some("a proper".to_owned())
    } else if new.repack && !old.repack {
        Some("a repack".to_owned())
    } else if version(&new) > version(old) {
        Some(format!("version {}", version(&new)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use tracker_testkit::spec;

    use super::*;

    fn release(resolution: &str, change: impl FnOnce(&mut Fields)) -> Fields {
        let resolution = Some(resolution.to_owned()).filter(|text| !text.is_empty());
        let mut fields = Fields { resolution, ..Fields::default() };
        change(&mut fields);
        fields
    }

    #[test]
    fn what_is_better() {
        spec!("batches#better-releases-are-offered/what-is-better");
        let plain = |resolution| release(resolution, |_| {});
        let proper = |resolution| release(resolution, |fields| fields.proper = true);
        let second = |resolution| release(resolution, |fields| fields.version = Some(2));
        let cases = [
            (plain("1080p"), plain("720p"), Some("1080p instead of 720p")),
            (plain("720p"), plain("1080p"), None),
            (proper("720p"), plain("1080p"), None),
            (plain("1080p"), plain("1080p"), None),
            (proper("1080p"), plain("1080p"), Some("a proper")),
            (proper("1080p"), proper("1080p"), None),
            (second(""), plain(""), Some("version 2")),
            (release("", |fields| fields.repack = true), plain("576p"), Some("a repack")),
        ];
        for (new, old, expected) in cases {
            let shown = format!("{new:?}");
            assert_eq!(better(new, &old).as_deref(), expected, "{shown}");
        }
    }
}
