//! The configuration as the program reads it.

use std::process::Command;

use tempfile::TempDir;
use tracker_testkit::spec;

use crate::daemon::Said;
use crate::said;

/// Every section and key, as people write them.
const EVERYTHING: &str = r#"
[general]
data_dir = "data"
cache_dir = "cache"
timezone = "UTC"
language = "ru"
umask = "0002"
token_mode = "0640"
[http]
listen = "127.0.0.1:8466"
base_path = ""
hosts = []
trusted_proxies = []
user_header = ""
login = "required"
login_networks = []
[log]
format = "text"
level = "info"
[metrics]
listen = ""
[[client]]
name = "home"
kind = "qbittorrent"
url = "http://127.0.0.1:8080"
username = "admin"
password = "hidden-1"
api_key = ""
poll_interval = "500ms"
save_path = ""
own_folder = true
tags = true
category = ""
path_map = [{ client = "/downloads", local = "/srv/downloads" }]
[[client]]
name = "own"
kind = "embedded"
download_dir = "/srv/downloads"
listen_port = 6881
bind_device = ""
dht = true
proxy = ""
upload_limit = 0
download_limit = 0
[[library]]
name = "movies"
kind = "movie"
root = "/srv/media/Movies"
mode = "hardlink"
[naming]
movie = "{title}"
episode = "{title}/{title} {season:00}x{episode:00}"
anime = "{title} {absolute:000}"
id = "jellyfin"
extras = "skip"
[recognition]
auto_accept = "never"
[metadata]
tmdb_token = "hidden-2"
tmdb_url = "http://127.0.0.1:1/tmdb"
tmdb_image_url = "http://127.0.0.1:1/image"
tvmaze = true
tvmaze_url = "http://127.0.0.1:1/tvmaze"
languages = ["en", "ru"]
[watch]
dir = "/srv/watch"
[seeding]
[telegram]
token = "hidden-3"
allowed_users = [1]
viewers = [2]
allowed_chats = [-5, "-1006/7"]
events = ["batch.*"]
quiet = "23:00-07:00"
group = "1m"
page_url = "https://tracker.example"
api_url = "http://127.0.0.1:1/bot"
webhook_url = "https://tracker.example/telegram"
webhook_listen = "127.0.0.1:8467"
webhook_secret = "hidden-9"
[[notify]]
name = "hook"
kind = "webhook"
url = "http://127.0.0.1:1/hook"
secret = "hidden-4"
events = []
quiet = "23:00-07:00"
group = "30s"
[[media_server]]
name = "living-room"
kind = "jellyfin"
url = "http://127.0.0.1:1"
token = "hidden-5"
path_map = []
[[media_server]]
name = "plex"
kind = "plex"
url = "http://127.0.0.1:1"
token = "hidden-6"
[events]
retention_days = 0
[backup]
target = "s3://bucket/backups"
every = "1d"
keep = 7
endpoint = "http://127.0.0.1:1"
region = "here"
access_key = "hidden-7"
secret_key = "hidden-8"
"#;

/// A home with nothing in it.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Home(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs the program with these variables and no others of ours.
    fn tracker(&self, variables: &[(&str, &str)], args: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracker"));
        command.env_clear().env("HOME", self.0.path()).envs(variables.iter().copied()).args(args);
        said(command, "")
    }
}

#[test]
fn every_section_and_key_is_accepted() {
    spec!("configuration#every-section-is-accepted/as-a-person-writes-it");
    let home = Home::new();
    let path = home.file("all.toml", EVERYTHING);
    let checked = home.tracker(&[], &["config", "check", "--config", &path]);
    assert!(checked.done().starts_with(&format!("{path} is fine\n")), "{}", checked.out);
    let shown = home.tracker(&[], &["config", "show", "--config", &path]);
    assert!(!shown.done().contains("hidden"), "{}", shown.out);
    assert!(shown.out.contains("poll_interval = \"500ms\""), "{}", shown.out);
    let data = home.0.path().join("data");
    assert!(shown.out.contains(data.to_str().unwrap()), "{}", shown.out);
}

#[test]
fn names_are_shown_and_bad_patterns_refused_together() {
    spec!("configuration#patterns-of-names-are-checked/examples");
    let home = Home::new();
    let own = "[naming]\nepisode = \"{title}/{season}x{episode:00}< {id}>\"\nid = \"plex\"\n";
    let path = home.file("own.toml", own);
    let checked = home.tracker(&[], &["config", "check", "--config", &path]);
    let lines: Vec<&str> = checked.done().lines().skip(1).collect();
    assert_eq!(
        lines[1..3],
        ["episode: The Harbour/1x02 {tmdb-603}.mkv", "special: The Harbour/0x01 {tmdb-603}.mkv",]
    );
    let json = home.tracker(&[], &["config", "check", "--json", "--config", &path]).json();
    assert_eq!(json["names"]["special"], "The Harbour/0x01 {tmdb-603}.mkv");

    spec!("configuration#patterns-of-names-are-checked/mistakes");
    let bad = "[naming]\nmovie = \"{titel}\"\nepisode = \"{title}\"\nanime = \"<x\"\nid = \"imdb\"\n\
               extras = \"copy\"\n";
    let path = home.file("bad.toml", bad);
    let refused = home.tracker(&[], &["config", "check", "--config", &path]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    for part in [
        "5 problems",
        "[naming] movie",
        "at character 1: {titel} is not known here; write one of {title}",
        "[naming] episode",
        "needs {episode}",
        "[naming] anime",
        "none, jellyfin, plex",
        "link, skip",
    ] {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
}

#[test]
fn sources_win_in_their_order() {
    spec!("configuration#sources-have-an-order/through-the-program");
    let home = Home::new();
    home.file(".config/tracker/tracker.toml", "[general]\ndata_dir = \"/from/file\"\n");
    let shown = |variables: &[(&str, &str)], args: &[&str]| {
        let found = home.tracker(variables, &[&["config", "show", "--json"], args].concat()).json();
        let items = found["items"].as_array().unwrap().clone();
        let is_it = |item: &&serde_json::Value| item["key"] == "data_dir";
        items.iter().find(is_it).unwrap().clone()
    };
    let by_file = shown(&[], &[]);
    assert_eq!(
        (&by_file["value"], &by_file["origin"]["kind"]),
        (&"/from/file".into(), &"file".into())
    );
    let variable = [("TRACKER__GENERAL__DATA_DIR", "/from/variable")];
    let by_variable = shown(&variable, &[]);
    assert_eq!(by_variable["value"], "/from/variable");
    assert_eq!(by_variable["origin"]["name"], "TRACKER__GENERAL__DATA_DIR");
    let by_flag = shown(&variable, &["--data-dir", "/from/flag"]);
    assert_eq!(
        (&by_flag["value"], &by_flag["origin"]["kind"]),
        (&"/from/flag".into(), &"flag".into())
    );

    let bare = Home::new();
    let xdg = bare.0.path().join("xdg");
    let found = bare.tracker(&[("XDG_DATA_HOME", xdg.to_str().unwrap())], &["config", "show"]);
    assert!(found.done().contains(xdg.join("tracker").to_str().unwrap()), "{}", found.out);
    let none = bare.tracker(&[], &["config", "check"]);
    let (first, names) = none.done().split_once('\n').unwrap();
    assert_eq!(first, "there is no configuration file; the defaults hold");
    assert_eq!(names.lines().count(), 4, "{names}");
    assert_eq!(bare.tracker(&[], &["config", "check", "--config", "/no/such.toml"]).code, 2);
}

#[test]
fn secrets_come_from_files_and_only_once() {
    spec!("configuration#secrets-stay-secret/through-the-program");
    let home = Home::new();
    let path = home.file("all.toml", EVERYTHING);
    let secret = home.file("secret", "from-the-file\n");
    let file = ("TRACKER__CLIENT__HOME__PASSWORD_FILE", secret.as_str());
    let plain = ("TRACKER__CLIENT__HOME__PASSWORD", "plain");
    let shown = home.tracker(&[file], &["config", "show", "--config", &path]);
    assert!(shown.done().contains("password = \"***\""), "{}", shown.out);
    assert!(shown.out.contains("# TRACKER__CLIENT__HOME__PASSWORD_FILE"), "{}", shown.out);
    let both = home.tracker(&[file, plain], &["config", "check", "--config", &path]);
    assert_eq!((both.code, both.out.as_str()), (2, ""));
    assert!(both.err.contains("both set") && !both.err.contains("plain\""), "{}", both.err);
}

#[test]
fn all_problems_are_told_at_once_and_stop_every_command() {
    spec!("configuration#problems-are-told-together/one-run-tells-all");
    let home = Home::new();
    let text = "[general]\ndatadir = \"/x\"\n[htpp]\n[[client]]\nname = \"a\"\nurl = \"nowhere\"\n\
                poll_interval = \"2\"\n[[library]]\nname = \"l\"\nkind = \"film\"\nroot = \"/l\"\n";
    let path = home.file("bad.toml", text);
    for line in [&["config", "check"][..], &["list"], &["serve"], &["doctor"]] {
        let found =
            home.tracker(&[("TRACKER__HTTP__LISTN", "1")], &[line, &["--config", &path]].concat());
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{line:?}");
        for part in [
            "6 problems",
            "did you mean data_dir?",
            "did you mean http?",
            "url",
            "500ms, 2s, 5m, 1h or 1d",
            "movie, series, anime, other",
            "did you mean TRACKER__HTTP__LISTEN?",
        ] {
            let problems = found.err.contains(part);
            assert!(problems, "{line:?} {part}: {}", found.err);
        }
    }
}

#[test]
fn a_file_is_begun_once() {
    spec!("configuration#a-first-file-can-be-written/a-file-is-there-already");
    let home = Home::new();
    let path = home.0.path().join(".config/tracker/tracker.toml");
    let made = home.tracker(&[], &["config", "init"]);
    assert_eq!(made.done(), format!("{}\n", path.display()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(home.tracker(&[], &["config", "init"]).code, 5);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(home.tracker(&[], &["config", "init", "--stdout"]).done(), text);
    home.tracker(&[], &["config", "check"]).done();
}

#[test]
fn durations_have_a_unit() {
    spec!("configuration#problems-are-told-together/durations");
    let home = Home::new();
    for (text, code) in
        [("500ms", 0), ("2s", 0), ("5m", 0), ("1h", 0), ("2", 2), ("2 s", 2), ("1w", 2), ("-1s", 2)]
    {
        let client =
            format!("[[client]]\nname = \"a\"\nurl = \"http://a\"\npoll_interval = \"{text}\"\n");
        let path = home.file("d.toml", &client);
        assert_eq!(home.tracker(&[], &["config", "check", "--config", &path]).code, code, "{text}");
    }
    let path = home.file("d.toml", "[backup]\nevery = \"1d\"\n");
    home.tracker(&[], &["config", "check", "--config", &path]).done();
}
