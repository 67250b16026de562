//! The configuration as a person meets it.

#![allow(clippy::unwrap_used)]

mod backup;
mod client;
mod defaults;
mod media_server;
mod notify;
mod seeding;
mod template;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracker_domain::access::Language;

use proptest::prelude::*;
use tempfile::TempDir;
use tracker_testkit::spec;

use super::*;

/// A home folder with a file, and variables.
struct Home {
    dir: TempDir,
    vars: BTreeMap<String, String>,
    flags: Flags,
}

impl Home {
    fn new(file: &str) -> Self {
        let home = Home::bare();
        home.write("config/tracker/tracker.toml", file);
        home
    }

    fn bare() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let vars = [("HOME", ""), ("XDG_CONFIG_HOME", "config")]
            .map(|(name, below)| (name.to_owned(), dir.path().join(below).display().to_string()));
        Home { dir, vars: vars.into(), flags: Flags::default() }
    }

    fn write(&self, below: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.insert(name.to_owned(), value.to_owned());
        self
    }

    fn environment(&self) -> Environment {
        Environment {
            vars: self.vars.clone(),
            current_dir: self.dir.path().join("here"),
            system_file: self.dir.path().join("etc/tracker.toml"),
        }
    }

    fn load(&self) -> Result<Loaded, ConfigError> {
        load(&self.environment(), &self.flags)
    }

    fn config(&self) -> Config {
        self.load().unwrap().config
    }

    /// The problems, without the changing folder in front.
    fn problems(&self) -> Vec<String> {
        let root = self.dir.path().join("config/tracker").display().to_string();
        let error = self.load().unwrap_err();
        error
            .problems
            .iter()
            .map(|problem| problem.to_string().replace(&format!("{root}/tracker.toml"), "file"))
            .collect()
    }

    fn origin(&self, section: &str, key: &str) -> String {
        let loaded = self.load().unwrap();
        let shown = loaded.values.iter().find(|v| v.section == section && v.key == key).unwrap();
        shown.origin.to_string()
    }
}

const CLIENT: &str = "[[client]]\nname = \"home-box\"\nurl = \"http://127.0.0.1:8080\"\n";

#[test]
fn without_a_file_everything_has_its_default() {
    spec!("configuration#files-have-known-places/no-file-at-all");
    let home = Home::bare();
    let loaded = home.load().unwrap();
    assert_eq!(loaded.file, None);
    assert_eq!(loaded.config.general.data_dir, home.dir.path().join(".local/share/tracker"));
    assert_eq!(loaded.config.general.umask, 0o002);
    assert_eq!(loaded.config.general.token_mode, 0o600);
    assert_eq!(loaded.config.http.listen.to_string(), "127.0.0.1:8466");
    assert!(loaded.config.libraries_are_ours);
    assert!(loaded.values.iter().all(|value| value.origin == Origin::Default));
}

#[test]
fn files_are_looked_for_in_order() {
    spec!("configuration#files-have-known-places/the-first-file-found");
    let mut home = Home::bare();
    home.write("etc/tracker.toml", "[general]\nlanguage = \"ru\"\n");
    assert_eq!(home.config().general.language, Language::Ru);
    home.write("config/tracker/tracker.toml", "[http]\nbase_path = \"/person\"\n");
    assert_eq!(home.config().general.language, Language::En);
    home.flags.config = Some(home.write("other.toml", "[http]\nbase_path = \"/flag\"\n"));
    assert_eq!(home.config().http.base_path.as_str(), "/flag");
}

#[test]
fn a_file_that_was_named_has_to_be_there() {
    spec!("configuration#files-have-known-places/a-named-file-that-is-missing");
    let mut home = Home::new("");
    home.flags.config = Some(PathBuf::from("gone.toml"));
    let told = home.problems().join("\n");
    assert!(told.starts_with("--config: there is no file"), "{told}");
    assert!(told.contains("here/gone.toml"), "{told}");
}

#[test]
fn folders_follow_the_xdg_variables() {
    spec!("configuration#files-have-known-places/data-directory");
    let home = Home::bare().var("XDG_DATA_HOME", "/data").var("XDG_CACHE_HOME", "relative");
    let general = home.config().general;
    assert_eq!(general.data_dir, Path::new("/data/tracker"));
    assert_eq!(general.cache_dir, home.dir.path().join(".cache/tracker"));

    let mut home = Home::bare();
    home.vars.clear();
    let told = home.problems().join("\n");
    assert!(
        told.contains("[general] data_dir: no folder is known") && told.contains("--data-dir"),
        "{told}"
    );
    home.flags.data_dir = Some(PathBuf::from("/elsewhere"));
    assert_eq!(home.config().general.data_dir, Path::new("/elsewhere"));
}

#[test]
fn relative_paths_start_where_they_are_said() {
    spec!("configuration#files-have-known-places/relative-paths");
    let home = Home::new("[general]\ndata_dir = \"data\"\n").var("TRACKER__WATCH__DIR", "in");
    assert_eq!(home.config().general.data_dir, home.dir.path().join("config/tracker/data"));
    assert_eq!(home.config().watch.dir, Some(home.dir.path().join("here/in")));
}

#[test]
fn a_nearer_source_wins() {
    spec!("configuration#sources-have-an-order/each-source-in-turn");
    let mut home = Home::new("[general]\ndata_dir = \"/file\"\n\n[log]\nlevel = \"debug\"\n")
        .var("TRACKER__LOG__LEVEL", "trace");
    assert_eq!(home.config().log.level, "trace");
    assert_eq!(home.origin("log", "level"), "TRACKER__LOG__LEVEL");
    assert_eq!(home.config().general.data_dir, Path::new("/file"));
    assert!(home.origin("general", "data_dir").ends_with("tracker.toml:2"));
    home.vars.insert("TRACKER__GENERAL__DATA_DIR".to_owned(), "/variable".to_owned());
    assert_eq!(home.config().general.data_dir, Path::new("/variable"));
    home.flags.data_dir = Some(PathBuf::from("/flag"));
    assert_eq!(home.config().general.data_dir, Path::new("/flag"));
    assert_eq!(home.origin("general", "data_dir"), "--data-dir");
    assert_eq!(home.origin("http", "listen"), "default");
}

#[test]
fn an_item_is_set_by_its_name() {
    spec!("configuration#sources-have-an-order/an-item-by-its-name");
    for name in ["HOME_BOX", "home-box", "Home_Box"] {
        let home = Home::new(CLIENT)
            .var(&format!("TRACKER__CLIENT__{name}__PASSWORD"), "secret")
            .var(&format!("TRACKER__CLIENT__{name}__POLL_INTERVAL"), "5m");
        let clients = home.config().clients;
        let ClientKind::Qbittorrent(client) = &clients[0].kind else { panic!("{clients:?}") };
        assert_eq!(client.password.as_ref().unwrap().expose(), "secret");
        assert_eq!(client.poll_interval, Duration::from_secs(300));
    }
}

#[test]
fn lists_and_pairs_can_be_variables() {
    spec!("configuration#sources-have-an-order/a-list-in-a-variable");
    let home = Home::new(CLIENT)
        .var("TRACKER__HTTP__TRUSTED_PROXIES", "10.0.0.0/8, ::1")
        .var("TRACKER__TELEGRAM__ALLOWED_USERS", "[1, 2]")
        .var("TRACKER__CLIENT__HOME_BOX__PATH_MAP", r#"[{ client = "/a", local = "/b" }]"#);
    let config = home.config();
    let inside =
        |text: &str| config.http.trusted_proxies.iter().any(|n| n.contains(text.parse().unwrap()));
    assert!(inside("10.1.2.3") && inside("::1") && inside("::ffff:10.0.0.1"));
    assert!(!inside("11.0.0.1") && !inside("::2"));
    assert_eq!(config.telegram.allowed_users, [1, 2]);
    let ClientKind::Qbittorrent(client) = &config.clients[0].kind else { panic!() };
    assert_eq!(client.path_map[0].local, Path::new("/b"));
}

#[test]
fn tz_stands_in_for_the_time_zone() {
    spec!("configuration#sources-have-an-order/the-zone-of-the-surroundings");
    let home = Home::bare().var("TZ", "Europe/Moscow");
    assert_eq!(home.config().general.timezone_name, "Europe/Moscow");
    assert_eq!(home.origin("general", "timezone"), "TZ");
    let home = Home::new("[general]\ntimezone = \"Asia/Tokyo\"\n").var("TZ", "Europe/Moscow");
    assert_eq!(home.config().general.timezone_name, "Asia/Tokyo");
    assert_eq!(Home::bare().var("TZ", ":/etc/localtime").config().general.timezone_name, "UTC");
}

#[test]
fn a_secret_can_be_in_a_file() {
    spec!("configuration#secrets-stay-secret/a-secret-in-a-file");
    let home = Home::new(CLIENT);
    let file = home.write("password", "from file\n").display().to_string();
    let home = home.var("TRACKER__CLIENT__HOME_BOX__PASSWORD_FILE", &file);
    let clients = home.config().clients;
    let ClientKind::Qbittorrent(client) = &clients[0].kind else { panic!() };
    assert_eq!(client.password.as_ref().unwrap().expose(), "from file");

    let gone = Home::bare().var("TRACKER__TELEGRAM__TOKEN_FILE", "/nowhere/token").problems();
    assert!(gone[0].contains("/nowhere/token cannot be read"), "{gone:?}");
}

#[test]
fn a_secret_given_twice_is_refused() {
    spec!("configuration#secrets-stay-secret/given-twice");
    let home = Home::bare()
        .var("TRACKER__TELEGRAM__TOKEN", "a")
        .var("TRACKER__TELEGRAM__TOKEN_FILE", "/b");
    assert_eq!(
        home.problems(),
        [
            "TRACKER__TELEGRAM__TOKEN: [telegram] token: TRACKER__TELEGRAM__TOKEN and TRACKER__TELEGRAM__TOKEN_FILE are both set; unset one of them"
        ]
    );
}

#[test]
fn no_secret_is_ever_shown() {
    spec!("configuration#secrets-stay-secret/never-shown");
    let file = "[[client]]\nname = \"q\"\nurl = \"http://q\"\npassword = \"hunter2\"\napi_key = \"hunter2\"\n\
        [telegram]\ntoken = \"hunter2\"\nwebhook_secret = \"hunter2\"\n[metadata]\ntmdb_token = \"hunter2\"\n\
        [backup]\ntarget = \"s3://bucket\"\naccess_key = \"hunter2\"\nsecret_key = \"hunter2\"\n\
        [[notify]]\nname = \"n\"\nurl = \"http://n\"\nsecret = \"hunter2\"\n\
        [[media_server]]\nname = \"m\"\nurl = \"http://m\"\ntoken = \"hunter2\"\n";
    let loaded = Home::new(file).load().unwrap();
    let human = show::human(&loaded.values);
    let json = show::json(loaded.file.as_deref(), &loaded.values).to_string();
    let debug = format!("{loaded:?}");
    for text in [&human, &json, &debug] {
        assert!(!text.contains("hunter2"), "{text}");
    }
    assert_eq!(human.matches("\"***\"").count(), 9, "{human}");

    // An address is shown, so it must not hold a password either.
    let told = Home::new("[[client]]\nname = \"q\"\nurl = \"http://me:hunter2@q\"\n").problems();
    assert!(told[0].contains("keys of their own") && !told[0].contains("hunter2"), "{told:?}");
}

#[test]
fn each_value_is_shown_with_its_origin() {
    spec!("configuration#values-show-their-origin/human-and-json");
    let home = Home::new("[http]\nbase_path = \"/t\"\n").var("TRACKER__LOG__FORMAT", "json");
    let loaded = home.load().unwrap();
    let human = show::human(&loaded.values);
    let line = |start: &str| human.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert!(line("base_path = \"/t\"").ends_with("tracker/tracker.toml:2"), "{human}");
    assert!(line("format = \"json\"").ends_with("# TRACKER__LOG__FORMAT"), "{human}");
    assert!(line("umask = \"0002\"").ends_with("# default"), "{human}");
    let json = show::json(loaded.file.as_deref(), &loaded.values);
    let items = json["items"].as_array().unwrap();
    let find = |key: &str| items.iter().find(|item| item["key"] == key).unwrap();
    assert_eq!(find("base_path")["origin"]["line"], 2);
    assert_eq!(find("format")["origin"]["name"], "TRACKER__LOG__FORMAT");
    assert_eq!(find("umask")["origin"]["kind"], "default");
    // What is shown is TOML that says the same again.
    let again = Home::new(&human.replace("retention_days = 0", "retention_days = 5"));
    assert_eq!(again.config().events.retention_days, 5);
}

#[test]
fn all_problems_are_told_at_once() {
    spec!("configuration#problems-are-told-together/one-run-tells-all");
    let home =
        Home::new("[http]\nlisten = 8466\nbase_path = \"t/\"\n\n[backup]\nevery = \"5 minutes\"\n")
            .var("TRACKER__LOG__FORMAT", "yaml");
    assert_eq!(
        home.problems(),
        [
            "file:2: [http] listen: this is a number; write a text in quotes",
            "file:3: [http] base_path: \"t/\" is not a base path; leave it empty, or write one such as \"/tracker\", without a slash at the end",
            "file:6: [backup] every: \"5 minutes\" is not a duration; write a number and a unit, such as 500ms, 2s, 5m, 1h or 1d",
            "TRACKER__LOG__FORMAT: [log] format: \"yaml\" is not one of text, json",
        ]
    );
    assert!(
        home.load().unwrap_err().to_string().starts_with("the configuration has 4 problems:\n  /")
    );
}

#[test]
fn broken_toml_is_told_with_line_and_column() {
    spec!("configuration#problems-are-told-together/broken-toml");
    let told = Home::new("[http]\nlisten = \"a\n[log]\nlevel = = 1\n").problems();
    assert!(told[0].starts_with("file:2:") && told[0].contains("this is not TOML"), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("file:4:9: ")), "{told:?}");
}

/// One line of a file and a part of what is told about it.
const WRONG: &[(&str, &str)] = &[
    ("[general]\numask = 2", "this is a number"),
    ("[general]\numask = \"0o22\"", "octal digits"),
    ("[general]\numask = \"1777\"", "octal digits"),
    ("[general]\ntoken_mode = \"0644\"", "let others in"),
    ("[general]\ntoken_mode = \"0400\"", "lock us out"),
    ("[general]\ntimezone = \"Moscow\"", "IANA"),
    ("[general]\nlanguage = \"de\"", "not one of en, ru"),
    ("[general]\ndata_dir = \"~/data\"", "~ is not resolved"),
    ("[http]\nlisten = \"localhost\"", "an address and a port"),
    ("[http]\nbase_path = \"/a//b\"", "base path"),
    ("[http]\nbase_path = \"/\"", "base path"),
    ("[http]\nbase_path = \"/api\"", "[http] base_path: /api is the beginning of paths"),
    ("[http]\nbase_path = \"/settings/x\"", "[http] base_path: /settings is the beginning"),
    ("[http]\ntrusted_proxies = [\"10.0.0.0/33\"]", "not a network"),
    ("[http]\ntrusted_proxies = \"10.0.0.1\"", "a list between"),
    ("[http]\nhosts = [\"https://a.example\"]", "not the name of a host"),
    ("[http]\nuser_header = \"X Remote\"", "not the name of a header"),
    ("[http]\nuser_header = \"X-Remote-User\"", "from a trusted proxy only"),
    ("[http]\nlogin = \"none\"", "name their networks"),
    ("[http]\nlogin_networks = [\"10.0.0.0/8\"]", "login = \"none\" only"),
    ("[log]\nlevel = \"loud\"", "not a level"),
    ("[log]\nlevel = \"info,tracker=loud\"", "not a level"),
    ("[recognition]\nauto_accept = \"confidant\"", "did you mean confident?"),
    ("[metadata]\ntvmaze = \"yes\"", "true or false"),
    ("[metadata]\nlanguages = [\"english\"]", "not a language"),
    ("[metadata]\ntmdb_url = \"themoviedb.org\"", "not an address"),
    ("[metadata]\ntmdb_url = \"ftp://themoviedb.org\"", "starts with http:// or https://"),
    ("[seeding]\nratio = -1", "not negative"),
    ("[seeding]\ntime = \"1w\"", "not a duration"),
    ("[seeding]\ntime = \"1w\"", "or never"),
    ("[seeding]\nratio = 0", "reached at once"),
    ("[seeding]\ntime = \"0s\"", "reached at once"),
    ("[seeding]\nratio = \"often\"", "or \"never\""),
    ("[seeding]\naction = \"delete\"", "not one of stop, remove, remove-data"),
    ("[seeding]\nkeep_while_linked = \"yes\"", "true or false"),
    ("[telegram]\nallowed_users = [\"me\"]", "number of a user"),
    ("[telegram]\nviewers = [\"me\"]", "number of a user"),
    ("[telegram]\nallowed_chats = [5]", "the number of a group"),
    ("[telegram]\nwebhook_url = \"http://tracker.example/t\"", "https://"),
    ("[telegram]\nwebhook_url = \"http://10.0.0.1/t\"", "https://"),
    ("[telegram]\nwebhook_listen = \"8467\"", "an address and a port"),
    ("[telegram]\nwebhook_secret = \"no such sign\"", "1 to 256 of"),
    ("[events]\nretention_days = -1", "from 0 to"),
    ("[events]\nretention_days = 1.5", "without quotes"),
    ("[backup]\ntarget = \"/srv\"", "file:// or s3://"),
    ("[backup]\nkeep = 0", "from 1 to"),
    ("[general]\nlanguage = 1979-05-27", "this is a date"),
    ("[client]\nname = \"a\"", "[[client]]"),
    ("[[http]]\nlisten = \"\"", "write it as a table, [http]"),
    ("http = 1", "write it as a table, [http]"),
    ("[[client]]\nurl = \"http://a\"", "the name is missing"),
    ("[[client]]\nname = \"a/b\"\nurl = \"http://a\"", "not a name"),
    ("[[client]]\nname = \"a\"", "the value is missing; write the address"),
    ("[[client]]\nname = \"a\"\nurl = \"\"", "not an address"),
    (
        "[[client]]\nname = \"a\"\nkind = \"transmission\"\nfoo = 1",
        "not one of qbittorrent, embedded",
    ),
    ("[[client]]\nname = \"a\"\nkind = \"embedded\"\nurl = \"http://a\"", "there is no such key"),
    ("[[client]]\nname = \"a\"\nkind = \"embedded\"\nlisten_port = 70000", "from 1 to 65535"),
    ("[[client]]\nname = \"a\"\nurl = \"http://a\"\npoll_interval = \"0s\"", "from 100ms to 1h"),
    (
        "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{ client = \"/a\" }]",
        "lacks local",
    ),
    (
        "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{ client = \"/a\", local = \"b\" }]",
        "whole path",
    ),
    (
        "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{ client = \"/a\", local = \"/b/../c\" }]",
        "leads upwards",
    ),
    (
        "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{ client = \"downloads\", local = \"/b\" }]",
        "client is \"downloads\", which is not a whole path",
    ),
    (
        "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{ client = 'D:\\a\\..\\b', local = \"/b\" }]",
        "not a whole path without ..",
    ),
    (
        "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{ remote = \"/a\" }]",
        "no key \"remote\"",
    ),
    ("[[library]]\nname = \"a\"\nroot = \"/a\"", "write one of movie, series, anime, other"),
    ("[[library]]\nname = \"a\"\nkind = \"movie\"", "write the folder"),
    ("[[library]]\nname = \"a\"\nkind = \"movie\"\nroot = \"a\"", "whole path"),
    ("[[library]]\nname = \"a\"\nkind = \"movie\"\nroot = \"/a/../b\"", "whole path"),
    (
        "[[library]]\nname = \"a\"\nkind = \"movie\"\nroot = \"/a\"\nmode = \"hard\"",
        "not one of hardlink",
    ),
    ("[[notify]]\nname = \"a\"\nkind = \"mail\"\nurl = \"http://a\"", "not one of webhook"),
    (
        "[[media_server]]\nname = \"a\"\nkind = \"emby\"\nurl = \"http://a\"",
        "not one of jellyfin, plex",
    ),
];

#[test]
fn each_wrong_value_is_told_with_what_to_write() {
    spec!("configuration#problems-are-told-together/what-to-write");
    for (file, part) in WRONG {
        let told = Home::new(file).problems();
        assert_eq!(told.len(), 1, "{file}: {told:?}");
        assert!(told[0].contains(part), "{file}: {told:?}");
        assert!(told[0].starts_with("file:"), "{file}: {told:?}");
    }
}

#[test]
fn names_of_items_are_unique() {
    spec!("configuration#problems-are-told-together/equal-names");
    let other = CLIENT.replace("home-box", "Home_Box");
    let told = Home::new(&format!("{CLIENT}{other}")).problems();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("file:5: [[client]] name: \"Home_Box\" is taken by \"home-box\""),
        "{told:?}"
    );
}

#[test]
fn what_is_unknown_is_told_with_a_suggestion() {
    spec!("configuration#unknown-names-are-errors/in-the-file");
    let told =
        Home::new("[htpp]\n\n[http]\nlisen = \"127.0.0.1:1\"\n\n[log]\ncolour = true\n").problems();
    assert_eq!(
        told,
        [
            "file:1: [htpp]: there is no such section; did you mean http?",
            "file:4: [http] lisen: there is no such key; did you mean listen?",
            "file:7: [log] colour: there is no such key",
        ]
    );
}

#[test]
fn unknown_variables_are_told_too() {
    spec!("configuration#unknown-names-are-errors/in-the-environment");
    let home = Home::new(CLIENT)
        .var("TRACKER__HTTP__LISEN", "x")
        .var("TRACKER__HTPP__LISTEN", "x")
        .var("TRACKER__CLIENT__OFFICE__PASSWORD", "x")
        .var("TRACKER__CLIENT__HOME_BOX__PASWORD", "x")
        .var("TRACKER__CLIENT__HOME_BOX__NAME", "x")
        .var("TRACKER__CLIENT__PASSWORD", "x")
        .var("TRACKER__HTTP__LISTEN_FILE", "x")
        .var("TRACKER__", "x")
        .var("TRACKER_SERVER", "not one of these");
    let told = home.problems();
    let about =
        |name: &str| told.iter().find(|line| line.starts_with(&format!("{name}: "))).unwrap();
    assert!(about("TRACKER__HTTP__LISEN").ends_with("did you mean TRACKER__HTTP__LISTEN?"));
    assert!(about("TRACKER__HTPP__LISTEN").ends_with("did you mean http?"));
    assert!(about("TRACKER__CLIENT__OFFICE__PASSWORD").contains("(it has: home-box)"));
    assert!(
        about("TRACKER__CLIENT__HOME_BOX__PASWORD")
            .ends_with("did you mean TRACKER__CLIENT__HOME_BOX__PASSWORD?")
    );
    assert!(about("TRACKER__CLIENT__HOME_BOX__NAME").contains("in the file only"));
    assert!(about("TRACKER__CLIENT__PASSWORD").contains("TRACKER__CLIENT__NAME__KEY"));
    assert!(about("TRACKER__HTTP__LISTEN_FILE").contains("set TRACKER__HTTP__LISTEN itself"));
    assert_eq!(told.len(), 8, "{told:?}");
}

#[test]
fn a_word_that_was_begun_is_suggested_whole() {
    spec!("configuration#unknown-names-are-errors/in-the-file");
    let home = Home::new("[[client]]\nname = \"a\"\nurl = \"http://a\"\nuser = \"me\"\n");
    let told = home.problems();
    assert!(told[0].ends_with("did you mean username?"), "{told:?}");
}

#[test]
fn folders_of_other_systems_can_be_mapped() {
    spec!("configuration#problems-are-told-together/what-to-write");
    for client in ["/downloads", "D:\\Torrents", "d:", "\\\\nas\\share", "//nas/share"] {
        let text = format!(
            "[[client]]\nname = \"a\"\nurl = \"http://a\"\npath_map = [{{ client = '{client}', local = \"/b\" }}]\n"
        );
        let config = Home::new(&text).config();
        let ClientKind::Qbittorrent(found) = &config.clients[0].kind else { panic!() };
        assert_eq!(found.path_map[0].theirs, client);
    }
}

#[test]
fn durations_read_back() {
    for (text, millis) in
        [("500ms", 500), ("2s", 2_000), ("5m", 300_000), ("1h", 3_600_000), ("1d", 86_400_000)]
    {
        assert_eq!(values::duration(text), Ok(Duration::from_millis(millis)));
        assert_eq!(values::duration_text(Duration::from_millis(millis)), text);
    }
    for text in
        ["", "5", "s", "-1s", "1.5s", "5 s", "5S", "99999999999999999999s", "999999999999999999d"]
    {
        assert!(values::duration(text).is_err(), "{text}");
    }
}

/// The keys that hold a plain text and the section they are in.
fn text_key() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(vec![
        ("naming", "movie"),
        ("naming", "episode"),
        ("naming", "anime"),
        ("backup", "region"),
    ])
}

/// A value for one of these keys that is made of any word.
fn value_of(key: &str, word: &str) -> String {
    match key {
        "movie" => format!("{{title}} {word}"),
        "episode" | "anime" => format!("{word} {{episode}}"),
        _ => word.to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever is set where: the variable wins where there is one, else the
    /// file, and nothing is lost or invented.
    #[test]
    fn variables_win_over_the_file(
        file in prop::collection::btree_map(text_key(), "[a-z]{1,8}", 0..4),
        vars in prop::collection::btree_map(text_key(), "[a-z]{1,8}", 0..4),
    ) {
        let with_value = |words: BTreeMap<(&'static str, &'static str), String>| {
            let value = |(place, word): ((&'static str, &'static str), String)| {
                (place, value_of(place.1, &word))
            };
            words.into_iter().map(value).collect::<BTreeMap<_, _>>()
        };
        let (file, vars) = (with_value(file), with_value(vars));
        let mut text = String::new();
        for ((section, key), value) in &file {
            text += &format!("{section}.{key} = \"{value}\"\n");
        }
        let mut home = Home::new(&text);
        for ((section, key), value) in &vars {
            home = home.var(&format!("TRACKER__{}__{}", section.to_uppercase(), key.to_uppercase()), value);
        }
        let loaded = home.load().unwrap();
        let keys = ["movie", "episode", "anime", "region"];
        for shown in loaded.values.iter().filter(|v| keys.contains(&v.key)) {
            let place = (shown.section, shown.key);
            let wanted = vars.get(&place).or_else(|| file.get(&place));
            prop_assert_eq!(shown.value.as_str(), wanted.map(String::as_str));
            let kind = if vars.contains_key(&place) { "variable" } else if file.contains_key(&place) { "file" } else { "default" };
            prop_assert_eq!(shown.origin.kind(), kind);
        }
    }

    /// No text makes the reader fall over.
    #[test]
    fn any_text_is_read_or_refused(text in "(\\[{1,2}[a-z]{1,6}\\]{1,2}\n|[a-z_]{1,8} = [\"0-9a-z\\[{]{0,6}\n|.{0,12}\n){0,6}") {
        let home = Home::new(&text);
        if let Err(error) = home.load() {
            prop_assert!(!error.problems.is_empty());
        }
    }
}
