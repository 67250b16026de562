//! What holds where the file has no client and no library.

use super::*;

const NONE: &str = "client = []\nlibrary = []\n";

fn roots(config: &Config) -> Vec<&Path> {
    config.libraries.iter().map(|library| library.root.as_path()).collect()
}

#[test]
#[cfg(feature = "embedded")]
fn without_a_client_the_engine_downloads() {
    spec!("configuration#nothing-needs-to-be-configured/no-client");
    let home = Home::bare().var("TRACKER__CLIENT__EMBEDDED__DHT", "false");
    let loaded = home.load().unwrap();
    let [client] = loaded.config.clients.as_slice() else { panic!("{:?}", loaded.config.clients) };
    let ClientKind::Embedded(engine) = &client.kind else { panic!("{client:?}") };
    assert_eq!(engine.download_dir, loaded.config.general.data_dir.join("downloads"));
    assert!(!engine.dht, "a variable changes it without a file");
    assert!(loaded.config.clients_are_ours);
}

#[test]
fn without_a_library_there_is_one_of_each_kind() {
    spec!("configuration#nothing-needs-to-be-configured/no-library");
    let mut home = Home::bare();
    fs::create_dir_all(home.dir.path().join("here")).unwrap();
    home.flags.data_dir = Some(PathBuf::from("../data"));
    let config = home.config();
    // A root has no "..", whatever way the folder was named.
    let below = home.dir.path().canonicalize().unwrap().join("data/library");
    assert_eq!(roots(&config), ["Movies", "Series", "Anime"].map(|name| below.join(name)));
    assert!(config.libraries_are_ours);
}

#[test]
fn an_empty_list_is_none() {
    spec!("configuration#nothing-needs-to-be-configured/none-on-purpose");
    let config = Home::new(NONE).config();
    assert!(config.clients.is_empty() && config.libraries.is_empty());
    assert!(!config.clients_are_ours && !config.libraries_are_ours);
}

#[test]
fn one_of_a_persons_own_stands_alone() {
    spec!("configuration#nothing-needs-to-be-configured/configured-ones-stand-alone");
    let config = Home::new(CLIENT).config();
    assert_eq!(config.clients.len(), 1);
    assert!(!config.clients_are_ours && config.libraries_are_ours);
}

#[test]
fn the_defaults_are_told_as_such() {
    spec!("configuration#nothing-needs-to-be-configured/told-as-defaults");
    let loaded = Home::new("[http]\nbase_path = \"/x\"\n").load().unwrap();
    let root = loaded.values.iter().find(|value| value.key == "root").unwrap();
    assert_eq!((root.section, root.item.as_deref()), ("library", Some("movies")));
    assert_eq!(root.origin, Origin::Default);
}
