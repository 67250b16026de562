//! The mark of a backup as metadata of its object.

use object_store::{Attribute, Attributes};
use tracker_domain::ports::BackupMark;

const BACKUP_ID: &str = "backup-id";
const CREATED_AT: &str = "created-at";
const SCHEMA_VERSION: &str = "schema-version";
const SHA256: &str = "sha256";

/// The metadata of an object with this mark.
pub(crate) fn written(mark: &BackupMark) -> Attributes {
    [
        (BACKUP_ID, mark.id.to_string()),
        (CREATED_AT, mark.created_at.to_string()),
        (SCHEMA_VERSION, mark.schema_version.to_string()),
        (SHA256, mark.sha256.clone()),
    ]
    .map(|(name, value)| (Attribute::Metadata(name.into()), value))
    .into_iter()
    .collect()
}

/// The mark that metadata is; `None` is an object of somebody else.
pub(crate) fn read(attributes: &Attributes) -> Option<BackupMark> {
    let value =
        |name: &'static str| attributes.get(&Attribute::Metadata(name.into())).map(AsRef::as_ref);
    let sha256: &str = value(SHA256)?;
    let hex = sha256.len() == 64 && sha256.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
    hex.then_some(BackupMark {
        id: value(BACKUP_ID)?.parse().ok()?,
        created_at: value(CREATED_AT)?.parse().ok()?,
        schema_version: value(SCHEMA_VERSION)?.parse().ok()?,
        sha256: sha256.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tracker_testkit::backup_mark;

    use super::*;

    proptest! {
        #[test]
        fn a_mark_is_read_back_and_nothing_else_is(number in 0..200u8, key in 0..4usize, text in ".{0,80}") {
            let mark = backup_mark(number);
            let whole = written(&mark);
            prop_assert_eq!(read(&whole), Some(mark.clone()));
            let names = [BACKUP_ID, CREATED_AT, SCHEMA_VERSION, SHA256];
            let mut broken: Attributes = whole.clone();
            broken.insert(Attribute::Metadata(names[key].into()), text.clone().into());
            prop_assert!(read(&broken).is_none_or(|it| written(&it) == broken || key == 2));
            let less: Attributes = whole
                .iter()
                .filter(|(name, _)| **name != Attribute::Metadata(names[key].into()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            prop_assert_eq!(read(&less), None);
        }
    }
}
