//! The files of the container. No container runs here: image and compose file
//! are read and compared with each other, and the entrypoint runs in a root of
//! its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tracker_testkit::spec;

use crate::deb::{done, root};

/// The folder of these files.
pub fn folder() -> PathBuf {
    root().join("bins/tracker/packaging/docker")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

fn compose() -> Value {
    serde_saphyr::from_str(&text("compose.yml")).unwrap()
}

/// The instructions of the Dockerfile, in order, each with the rest of its line.
fn instructions() -> Vec<(String, String)> {
    let joined = text("Dockerfile").replace("\\\n", " ");
    let lines = joined.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let split = |line: &str| {
        let (word, rest) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?}"));
        (word.to_owned(), rest.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    lines.map(split).collect()
}

/// The rest of the last instruction of a kind: those of the image itself.
#[track_caller]
fn last(word: &str) -> String {
    let all = instructions();
    let found = all.iter().rev().find(|(found, _)| found == word);
    found.unwrap_or_else(|| panic!("no {word}")).1.clone()
}

/// The variables that the image sets.
pub fn image_variables() -> BTreeMap<String, String> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_owned(), value.to_owned())
    };
    last("ENV").split(' ').map(pair).collect()
}

/// The volumes of a service: where from, where to, and whether read-only.
fn volumes(service: &Value) -> Vec<(String, String, bool)> {
    let parsed = service["volumes"].as_array().unwrap().iter().map(|volume| {
        let mut parts = volume.as_str().unwrap().split(':');
        let (from, to) = (parts.next().unwrap(), parts.next().unwrap());
        (from.to_owned(), to.to_owned(), parts.next() == Some("ro"))
    });
    parsed.collect()
}

#[test]
fn the_image_is_as_people_expect() {
    spec!("packaging#a-container/the-image");
    const KNOWN: [&str; 13] = [
        "FROM",
        "RUN",
        "WORKDIR",
        "COPY",
        "ARG",
        "LABEL",
        "ENV",
        "VOLUME",
        "EXPOSE",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    ];
    for (word, rest) in instructions() {
        assert!(KNOWN.contains(&word.as_str()), "{word} {rest}");
        if word == "COPY" && !rest.contains("--from=") {
            let words: Vec<&str> = rest.split(' ').filter(|word| !word.starts_with("--")).collect();
            for source in &words[..words.len() - 1] {
                assert!(root().join(source).exists(), "{source}");
            }
        }
    }
    assert_eq!(last("STOPSIGNAL"), "SIGTERM");
    assert!(last("HEALTHCHECK").ends_with("CMD [\"tracker\", \"healthcheck\"]"));
    assert_eq!(last("VOLUME"), "/config", "/data has to be one mount of the host");
    assert_eq!(
        (last("CMD").as_str(), last("FROM").as_str()),
        ("[\"serve\"]", "debian:trixie-slim")
    );
    for label in ["title", "description", "licenses", "version", "revision"] {
        assert!(last("LABEL").contains(&format!("org.opencontainers.image.{label}=")), "{label}");
    }
    let entrypoint: Vec<String> = serde_json::from_str(&last("ENTRYPOINT")).unwrap();
    let copied =
        format!("--chmod=755 bins/tracker/packaging/docker/entrypoint.sh {}", entrypoint.join(" "));
    assert!(instructions().contains(&("COPY".to_owned(), copied)));
    let manifest: toml::Table =
        std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let package = &manifest["workspace"]["package"];
    let builder =
        format!("rust:{}-slim-trixie AS build", package["rust-version"].as_str().unwrap());
    assert_eq!(instructions()[0], ("FROM".to_owned(), builder));
    let version = format!("VERSION={}", package["version"].as_str().unwrap());
    assert!(instructions().contains(&("ARG".to_owned(), version)));
    for (name, value) in image_variables() {
        if name.starts_with("XDG_") {
            assert!(value == "/config" || value.starts_with("/config/"), "{name}={value}");
        }
    }
    for ignored in [".git", "target"] {
        assert!(text("Dockerfile.dockerignore").lines().any(|line| line == ignored));
    }
}

#[test]
fn downloads_and_library_are_one_mount_for_all() {
    spec!("packaging#a-container/one-mount");
    let compose = compose();
    let services = &compose["services"];
    let ours = volumes(&services["tracker"]);
    let below = |to: &str| ours.iter().filter(|(_, at, _)| at.starts_with(to)).count();
    assert_eq!((ours.len(), below("/config"), below("/data")), (2, 1, 1), "{ours:?}");
    let data = ours.iter().find(|(_, to, _)| to == "/data").unwrap();
    assert!(volumes(&services["qbittorrent"]).contains(data), "the same path inside both");
    let (from, to, read_only) = volumes(&services["jellyfin"]).pop().unwrap();
    assert_eq!((from, to.as_str()), (format!("{}/media", data.0), "/data/media"));
    assert!(read_only);

    let settings: toml::Table =
        compose["configs"]["tracker"]["content"].as_str().unwrap().parse().unwrap();
    let client = &settings["client"][0];
    assert_eq!(client["save_path"].as_str(), Some("/data/torrents"));
    let made: Vec<String> = text("compose.yml")
        .lines()
        .filter_map(|line| line.strip_prefix("#   mkdir -p "))
        .flat_map(|line| line.split(' ').map(|folder| format!("./{folder}")))
        .collect();
    for library in settings["library"].as_array().unwrap() {
        let root = library["root"].as_str().unwrap();
        assert!(Path::new(root).starts_with("/data/media"), "{root}");
        let host = root.replacen("/data", &data.0, 1);
        assert!(made.contains(&host), "{host} is made before the start: {made:?}");
    }
    for (name, service) in services.as_object().unwrap() {
        for (from, _, _) in volumes(service) {
            let there = made.iter().any(|folder| Path::new(folder).starts_with(&from));
            assert!(there, "{name}: {from}");
        }
    }
}

#[test]
fn the_services_reach_each_other() {
    spec!("packaging#a-container/compose");
    let compose = compose();
    let services = &compose["services"];
    let ours = &services["tracker"];
    let settings: toml::Table =
        compose["configs"]["tracker"]["content"].as_str().unwrap().parse().unwrap();
    let url = settings["client"][0]["url"].as_str().unwrap();
    let port = services["qbittorrent"]["environment"]["WEBUI_PORT"].as_str().unwrap();
    assert_eq!(url, format!("http://qbittorrent:{port}"));
    let image = image_variables();
    let (_, listening) = image["TRACKER__HTTP__LISTEN"].rsplit_once(':').unwrap();
    assert_eq!(last("EXPOSE"), listening);
    let published = ours["ports"][0].as_str().unwrap();
    assert_eq!(published, format!("127.0.0.1:{listening}:{listening}"));

    let build = &ours["build"];
    let context = folder().join(build["context"].as_str().unwrap()).canonicalize().unwrap();
    assert_eq!(context, root());
    let dockerfile = context.join(build["dockerfile"].as_str().unwrap());
    assert_eq!(dockerfile, folder().join("Dockerfile"));

    // Each variable means something to whom it is given.
    let entrypoint = text("entrypoint.sh");
    for (name, value) in ours["environment"].as_object().unwrap() {
        assert!(value.is_string(), "{name}: YAML reads a bare number as it likes");
        let known = name == "TZ"
            || name.starts_with("TRACKER__")
            || entrypoint.contains(&format!("${{{name}:-"));
        assert!(known, "{name}");
    }
    assert_eq!(ours["read_only"], true);
    assert_eq!(ours["cap_drop"][0], "ALL");
    assert_eq!(ours["configs"][0]["target"], "/etc/tracker/tracker.toml");
}

#[test]
fn its_configuration_holds() {
    spec!("packaging#a-container/compose");
    let compose = compose();
    let content = compose["configs"]["tracker"]["content"].as_str().unwrap();
    let place = tempfile::tempdir().unwrap();
    let uncommented: Vec<&str> = content
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
        .collect();
    assert_ne!(uncommented.join("\n"), content.trim_end(), "there is an example in it");
    for text in [content.to_owned(), uncommented.join("\n")] {
        let file = place.path().join("tracker.toml");
        std::fs::write(&file, text).unwrap();
        let mut check = Command::new(env!("CARGO_BIN_EXE_tracker"));
        check.env_clear().envs(image_variables());
        for (name, value) in compose["services"]["tracker"]["environment"].as_object().unwrap() {
            check.env(name, value.as_str().unwrap());
        }
        done(&check.arg("--config").arg(file).args(["config", "check"]).output().unwrap());
    }
}

#[test]
fn the_documentation_speaks_of_the_same() {
    spec!("packaging#a-container/compose");
    let docs = std::fs::read_to_string(root().join("docs/OPERATIONS.md")).unwrap();
    let section = docs.split("### In a container").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    for word in [
        "bins/tracker/packaging/docker/compose.yml",
        "bins/tracker/packaging/docker/Dockerfile",
        "`PUID`",
        "`PGID`",
        "`UMASK`",
        "`TZ`",
        "`/config`",
        "`/data`",
        "`/data/torrents`",
        "`/data/media`",
        "`/config/tracker/tracker.toml`",
        "--user 1000:1000",
        "tracker healthcheck",
    ] {
        assert!(section.contains(word), "{word}");
    }
}
