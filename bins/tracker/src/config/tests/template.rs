//! The first file that `tracker config init` writes.

use tracker_domain::seeding::Limit;

use super::*;

/// The template with each setting in force.
fn uncommented() -> String {
    let setting = |line: &str| {
        let rest = line.strip_prefix('#')?;
        (rest.starts_with("[[") || rest.starts_with(|c: char| c.is_ascii_lowercase()))
            .then(|| rest.to_owned())
    };
    template().lines().map(|line| setting(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

#[test]
fn every_key_of_the_template_is_accepted() {
    spec!("configuration#every-section-is-accepted/all-keys-at-once");
    let loaded = Home::new(&uncommented()).load().unwrap();
    // Every key that is known stands in the template, and the other way round.
    for value in &loaded.values {
        assert!(matches!(value.origin, Origin::File { .. }), "{} {}", value.section, value.key);
    }
    assert_eq!(loaded.config.clients.len(), 2);
    assert_eq!(loaded.config.libraries[0].root, Path::new("/srv/media/Movies"));
    assert_eq!(loaded.config.seeding.ratio, Some(Limit::At(2.0)));
    assert_eq!(loaded.config.library_seeding["movies"].keep_while_linked, Some(true));
    let sections: Vec<&str> = SECTIONS.iter().chain(ARRAYS).copied().collect();
    assert!(sections.iter().all(|name| loaded.values.iter().any(|value| value.section == *name)));
}

#[test]
fn the_template_says_the_same_as_no_file() {
    spec!("configuration#a-first-file-can-be-written/it-says-the-defaults");
    let home = Home::bare();
    let plain = format!("{:?}", home.config());
    let path = init(&home.environment(), &home.flags).unwrap();
    assert_eq!(path, home.dir.path().join("config/tracker/tracker.toml"));
    assert_eq!(home.load().unwrap().file, Some(path));
    assert_eq!(format!("{:?}", home.config()), plain);
}

#[test]
fn a_file_that_is_there_stays() {
    spec!("configuration#a-first-file-can-be-written/a-file-is-there-already");
    let home = Home::new("# mine\n");
    let error = init(&home.environment(), &home.flags).unwrap_err();
    assert!(matches!(&error, InitError::Exists(path) if path.ends_with("tracker.toml")));
    let text = fs::read_to_string(home.dir.path().join("config/tracker/tracker.toml")).unwrap();
    assert_eq!(text, "# mine\n");
}
