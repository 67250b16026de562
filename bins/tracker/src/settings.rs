//! The settings as the services show them: what `config show` tells.

use tracker_app::{NameExampleView, OriginView, SettingView, SettingsSection, SettingsView};
use tracker_layout::naming::{ANIME, EPISODE, MOVIE};

use crate::config::show::toml_text;
use crate::config::{Loaded, Origin, ShownValue};

/// Each value with its origin. A secret never was among them.
pub(crate) fn view(loaded: &Loaded) -> SettingsView {
    let mut sections: Vec<SettingsSection> = Vec::new();
    for shown in &loaded.values {
        let value = value_of(shown);
        match sections.last_mut() {
            Some(last) if last.name == shown.section && last.item == shown.item => {
                last.values.push(value);
            }
            _ => sections.push(SettingsSection {
                name: shown.section.to_owned(),
                item: shown.item.clone(),
                values: vec![value],
            }),
        }
    }
    SettingsView { file: loaded.file.clone(), sections, names: names(loaded) }
}

fn value_of(shown: &ShownValue) -> SettingView {
    SettingView {
        key: shown.key.to_owned(),
        value: (!shown.value.is_null()).then(|| toml_text(&shown.value)),
        secret: shown.secret,
        origin: OriginView {
            kind: shown.origin.kind(),
            place: (shown.origin != Origin::Default).then(|| shown.origin.to_string()),
        },
    }
}

fn names(loaded: &Loaded) -> Vec<NameExampleView> {
    let examples = loaded.config.naming.names.examples().into_iter();
    examples
        .map(|example| {
            let (key, built_in) = match example.what {
                "film" => ("movie", MOVIE),
                "anime" => ("anime", ANIME),
                _ => ("episode", EPISODE),
            };
            let set =
                loaded.values.iter().find(|shown| (shown.section, shown.key) == ("naming", key));
            let own = set.and_then(|shown| shown.value.as_str());
            NameExampleView {
                what: example.what,
                pattern: own.unwrap_or(built_in).to_owned(),
                path: example.path,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
