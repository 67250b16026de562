//! Help, completions, database, tokens, configuration, health.

use std::io::{self, Write};

use tracker_testkit::spec;

use super::fake::Fake;
use super::{json, ran, typed};
use crate::{ApiFailure, CheckFinding, Surroundings, Terminal, command, parse, run};

#[test]
fn the_definition_holds_together() {
    command().debug_assert();
}

#[test]
fn the_help_names_every_command() {
    spec!("command-line#one-definition/help");
    let help = command().term_width(100).render_help().to_string();
    insta::assert_snapshot!(help, @r"
    From a magnet link to a link in the library

    Usage: tracker [OPTIONS] <COMMAND>

    Commands:
      serve        Run the daemon: workers, REST, pages
      ingest       Accept magnet links, infohashes and .torrent files
      list         List downloads, newest first
      show         Show what an id belongs to, of whatever kind
      search       Find a title, a download, or whatever has an id
      events       List the journal, newest first
      retry        Try a failed or cancelled download again, or the step that is blocked
      move         Move a queued download to another client
      cancel       Give a download up; its torrent is stopped and kept
      remove       Take an ended download out of the lists; nothing else goes but what is said
      priority     Put a download before or after all others
      pause        Pause a download; of one that is done, seeding stops
      resume       Let a download go on that is paused or was stopped in the client
      files        List the files of a download, or choose which of them are wanted
      review       Show what a download is taken for and what it may be; on a terminal, choose
      recognize    Recognise a download again
      hint         Say in free text what a download is; it is recognised again
      override     Set what the names have wrong; it is recognised again
      remembered   List what is remembered for release groups, or forget it
      ask          Ask before a download is accepted, or each one of its title, however sure it is
      accept       It is this: the candidate, or the best one, or what the names say
      reject       It is not what was found; nothing is linked
      plan         Show what would be linked, what is left out and why, and what is in the way
      apply        Link a download into its library; of one that is done, older links go
      relink       Link a download anew after a correction; the older links go
      undo         Undo a batch of links: removes those that still are what was linked
      verify       Look whether links still stand: those of one download, or all
      parse        Read release names and print what they say; needs no database
      seeding      List torrents of ours that seed, what ends that, and what would be done now
      discover     List torrents in the clients that are nobody's
      adopt        Take over torrents that are in a client already
      db           Look after the database
      backup       Make a backup of the database, and put it to the target
      restore      Put a backup in the place of the database; the former one is kept aside
      jobs         List jobs, newest first: backups, their trials, and the upkeep of the journal
      doctor       Run every health check now
      healthcheck  Say by exit code whether the daemon is alive, for containers
      demo         Show the main job on torrents that are made for it; nothing leaves this machine
      config       Look after the configuration
      notify       Look after the receivers of messages
      token        Look after API tokens
      user         Look after the people who may log in
      completions  Print completions for a shell
      man          Print the man page, or write one for each command

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Everywhere:
          --data-dir <DIR>     Where the database is
          --config <FILE>      The configuration file
          --server <URL>       Ask the daemon at this address [env: TRACKER_SERVER]
          --token-file <FILE>  The file with the token for it [env: TRACKER_TOKEN_FILE, or the token
                               itself in TRACKER_TOKEN]
          --json               Print the shapes of REST

    Exit codes: 0 done, 1 failed, 2 usage or bad input, 3 not found, 4 needs a person, 5 refused, 6
    daemon or client unreachable, 7 not authorised.
    ");
}

#[tokio::test]
async fn help_and_version_are_answers() {
    spec!("command-line#the-answer-goes-to-stdout/help-and-version");
    let fake = Fake::new();
    let version = ran(&fake, &["--version"]).await;
    assert_eq!(version.out, format!("tracker {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!((version.code, version.err.as_str()), (0, ""));
    let help = ran(&fake, &["ingest", "--help"]).await;
    assert!(help.out.contains("--hint") && help.code == 0);
}

#[tokio::test]
async fn what_cannot_be_parsed_is_usage() {
    spec!("command-line#exit-codes-say-what-happened/usage");
    let fake = Fake::new();
    for line in [&["lst"][..], &["list", "--nonsense"], &["show"], &[], &["ingest"]] {
        let found = ran(&fake, line).await;
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{line:?}");
        assert!(!found.err.is_empty());
    }
}

#[tokio::test]
async fn completions_and_man_know_every_command() {
    spec!("command-line#one-definition/completions-and-man-page");
    let fake = Fake::new();
    let man = ran(&fake, &["man"]).await.out;
    for shell in ["bash", "zsh", "fish"] {
        let text = ran(&fake, &["completions", shell]).await.out;
        for inner in command().get_subcommands() {
            assert!(text.contains(inner.get_name()), "{shell} {}", inner.get_name());
            assert!(
                man.contains(&format!("tracker {}", inner.get_name()).replace('-', "\\-")),
                "{}",
                inner.get_name()
            );
        }
    }
    assert!(man.contains("remove\\-torrent"));
}

#[tokio::test]
async fn each_command_has_a_page() {
    spec!("command-line#one-definition/a-page-for-each-command");
    let fake = Fake::new();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("man1");
    let written = ran(&fake, &["man", "--dir", dir.to_str().unwrap()]).await;
    assert_eq!((written.code, written.err.as_str()), (0, ""));
    let mut paths: Vec<&str> = written.out.lines().collect();
    paths.sort_unstable();
    let mut there: Vec<_> =
        std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    there.sort_unstable();
    assert_eq!(paths, there.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>());
    for name in ["tracker", "tracker-ingest", "tracker-db", "tracker-db-migrate"] {
        let text = std::fs::read_to_string(dir.join(format!("{name}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {name} 1")), "{text}");
    }
    for inner in command().get_subcommands() {
        assert!(dir.join(format!("tracker-{}.1", inner.get_name())).is_file(), "{inner}");
    }
    let ingest = std::fs::read_to_string(dir.join("tracker-ingest.1")).unwrap();
    assert!(ingest.contains("\\-\\-hint") && ingest.contains("\\-\\-data\\-dir"), "{ingest}");
}

#[tokio::test]
async fn pages_that_cannot_be_written_are_named() {
    spec!("command-line#one-definition/a-folder-that-cannot-be-written");
    let fake = Fake::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "mine").unwrap();
    let found = ran(&fake, &["man", "--dir", file.to_str().unwrap()]).await;
    assert_eq!((found.code, found.out.as_str()), (1, ""));
    assert!(found.err.contains(file.to_str().unwrap()), "{}", found.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

#[tokio::test]
async fn a_migration_is_told_step_by_step() {
    spec!("command-line#the-database-is-looked-after/migrate");
    let fake = Fake::new();
    let found = ran(&fake, &["db", "migrate", "--to", "6"]).await;
    assert_eq!(found.out, "V6  tokens\nnow at version 6 (was 5)\n");
    assert_eq!(found.err, "A copy from before is /copy.db\n");
    let dry = ran(&fake, &["db", "migrate", "--dry-run", "--json"]).await;
    assert_eq!(json(&dry.out)["steps"][0]["version"], 6);
    assert_eq!(json(&dry.out)["tables"][0]["after"], 4);
    assert_eq!(fake.calls(), ["migrate Some(6) false", "migrate None true"]);
    let old = Fake::failing(ApiFailure::refused("schema-newer", "version 9 is newer"));
    assert_eq!(ran(&old, &["db", "migrate"]).await.code, 5);
}

#[tokio::test]
async fn a_rehearsal_compares_and_fails_where_something_would_be_wrong() {
    spec!("command-line#the-database-is-looked-after/rehearsal");
    let fake = Fake::new();
    let found = ran(&fake, &["db", "migrate", "--dry-run"]).await;
    assert_eq!(
        (found.code, found.out.as_str()),
        (
            0,
            "V6  tokens\n\
             TABLE     BEFORE  AFTER\n\
             download  4       4\n\
             unknown_state: 1\n\
             counts and relations agree\n\
             would be version 6 (was 5)\n"
        )
    );
    fake.state.lock().unwrap().findings =
        vec![CheckFinding { check: "migration".to_owned(), detail: "a row is lost".to_owned() }];
    let found = ran(&fake, &["db", "migrate", "--dry-run"]).await;
    assert_eq!(found.code, 1);
    assert!(found.out.contains("migration: a row is lost\n"), "{}", found.out);
    assert!(!found.out.contains("agree"));
}

#[tokio::test]
async fn damage_is_listed_and_fails() {
    spec!("command-line#the-database-is-looked-after/check");
    let fake = Fake::new();
    let found = ran(&fake, &["db", "check"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, "ok, version 6\n"));
    fake.state.lock().unwrap().findings =
        vec![CheckFinding { check: "one-owner".to_owned(), detail: "two own it".to_owned() }];
    let found = ran(&fake, &["db", "check"]).await;
    assert_eq!((found.code, found.out.as_str()), (1, "one-owner: two own it\n"));
    let shape = ran(&fake, &["db", "check", "--json"]).await;
    assert_eq!(
        (shape.code, json(&shape.out)["findings"][0]["check"].as_str()),
        (1, Some("one-owner"))
    );
}

#[tokio::test]
async fn a_token_is_shown_once() {
    spec!("command-line#tokens-are-made-beside-the-database/new-list-revoke");
    let fake = Fake::new();
    let new = ran(&fake, &["token", "new", "phone"]).await;
    assert_eq!(new.out, "the-secret\n");
    assert_eq!(
        json(&ran(&fake, &["token", "new", "phone", "--json"]).await.out)["secret"],
        "the-secret"
    );
    let list = ran(&fake, &["token", "list"]).await;
    assert!(list.out.contains("local  valid") && !list.out.contains("the-secret"), "{}", list.out);
    assert_eq!(ran(&fake, &["token", "revoke", "phone"]).await.out, "phone\trevoked\n");
    assert_eq!(fake.calls()[3], "token revoke phone");
    ran(&fake, &["token", "new", "watcher", "--scope", "read"]).await;
    assert_eq!(fake.calls()[0], "token new phone write", "the scope that is meant most often");
    assert_eq!(fake.calls()[4], "token new watcher read");
    assert_eq!(ran(&fake, &["token", "new", "x", "--scope", "all"]).await.code, 2);
}

#[tokio::test]
async fn people_are_looked_after_beside_the_database() {
    spec!("access#accounts/the-command");
    let fake = Fake::new();
    let file = fake.dir.path().join("password");
    std::fs::write(&file, "from the file\nsecond line\n").unwrap();
    let file = file.to_str().unwrap();
    let added = ran(&fake, &["user", "add", "anna", "--password-file", file]).await;
    assert_eq!((added.code, added.out.as_str()), (0, "anna\tmade\n"));
    ran(&fake, &["user", "add", "bob", "--no-password"]).await;
    let piped = typed(
        &fake,
        &["user", "passwd", "anna", "--password-file", "-"],
        "from the input\n",
        &Surroundings::default(),
    )
    .await;
    assert_eq!(piped.out, "anna\tchanged\n");
    fake.state.lock().unwrap().typed = ["at the screen", "at the screen"].map(str::to_owned).into();
    ran(&fake, &["user", "passwd", "anna"]).await;
    ran(&fake, &["user", "disable", "anna"]).await;
    ran(&fake, &["user", "enable", "anna"]).await;
    let list = ran(&fake, &["user", "list"]).await;
    assert!(list.out.contains("anna  active  set"), "{}", list.out);
    let link = ran(&fake, &["user", "login-link"]).await;
    assert_eq!(link.out, "http://127.0.0.1:8466/base/login?link=the-secret\n");
    assert_eq!(
        fake.calls(),
        [
            "user add anna Some(\"from the file\")",
            "user add bob None",
            "user passwd anna from the input",
            "user passwd anna at the screen",
            "user disable anna true",
            "user disable anna false",
            "user list",
            "user login-link None",
        ]
    );
    // Typed differently, and no terminal at all: nothing is asked of the database.
    fake.state.lock().unwrap().typed = ["one password", "another one"].map(str::to_owned).into();
    assert_eq!(ran(&fake, &["user", "add", "eve"]).await.code, 2);
    let none = ran(&fake, &["user", "add", "eve"]).await;
    assert!(none.code == 2 && none.err.contains("--password-file"), "{}", none.err);
    let afar = ran(&fake, &["user", "list", "--server", "http://127.0.0.1:1"]).await;
    assert!(afar.code == 2 && afar.err.contains("beside the database only"));
    assert_eq!(fake.calls().len(), 8);
}

#[tokio::test]
async fn tokens_are_not_made_from_afar() {
    spec!("command-line#tokens-are-made-beside-the-database/with-a-server-named");
    let fake = Fake::new();
    let found = ran(&fake, &["token", "new", "x", "--server", "http://127.0.0.1:1"]).await;
    assert_eq!(found.code, 2);
    assert!(found.err.contains("beside the database only"));
    assert_eq!(fake.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn the_configuration_is_shown_checked_and_begun() {
    spec!("command-line#the-configuration-is-looked-after/show-check-init");
    let fake = Fake::new();
    assert_eq!(ran(&fake, &["config", "show"]).await.out, "[http]\n");
    assert_eq!(json(&ran(&fake, &["config", "show", "--json"]).await.out)["next"], json("null"));
    let told = "/the/tracker.toml is fine\nfilm: Film/Film.mkv\n";
    assert_eq!(ran(&fake, &["config", "check"]).await.out, told);
    let checked = ran(&fake, &["config", "check", "--json"]).await;
    let clean = serde_json::json!({
        "file": "/the/tracker.toml", "problems": [], "names": {"film": "Film/Film.mkv"},
    });
    assert_eq!(json(&checked.out), clean);
    assert_eq!(ran(&fake, &["config", "init", "--stdout"]).await.out, "# template\n");
    assert_eq!(ran(&fake, &["config", "init"]).await.out, "/new/tracker.toml\n");
    let broken = Fake::failing(ApiFailure::usage("the configuration has 2 problems:\n  a\n  b"));
    let found = ran(&broken, &["config", "check"]).await;
    assert_eq!((found.code, found.err.lines().count()), (2, 3));
}

#[tokio::test]
async fn the_doctor_fails_on_errors_only() {
    spec!("command-line#health-by-exit-code/doctor");
    let fake = Fake::new();
    for (level, code) in [("ok", 0), ("notice", 0), ("warning", 0), ("error", 1)] {
        fake.state.lock().unwrap().health = level;
        let found = ran(&fake, &["doctor"]).await;
        assert_eq!(found.code, code, "{level}");
        assert_eq!(found.out.contains("Start it."), level != "ok", "{}", found.out);
        let overall = if level == "ok" { "notice" } else { level };
        assert!(found.out.ends_with(&format!("\noverall: {overall}\n")), "{}", found.out);
    }
    let shape = ran(&fake, &["doctor", "--json"]).await;
    assert_eq!((shape.code, json(&shape.out)["status"].as_str()), (1, Some("error")));
}

#[tokio::test]
async fn the_doctor_says_that_no_daemon_runs() {
    spec!("command-line#health-by-exit-code/no-daemon");
    let found = ran(&Fake::new(), &["doctor"]).await;
    assert_eq!(found.code, 0);
    let told = "notice   no-daemon: no daemon runs on this data directory\n         start `tracker serve`\n";
    assert!(found.out.starts_with(told), "{}", found.out);
    let shape = json(&ran(&Fake::new(), &["doctor", "--json"]).await.out);
    assert_eq!(shape["status"], "notice");
    assert_eq!(shape["checks"][0]["code"], "no-daemon");
    assert_eq!(shape["checks"][0]["checked_at"], shape["checks"][1]["checked_at"]);
}

#[tokio::test]
async fn serve_runs_the_daemon() {
    spec!("command-line#exit-codes-say-what-happened/the-daemon-ends");
    let fake = Fake::new();
    assert_eq!(ran(&fake, &["serve"]).await.code, 0);
    assert_eq!(fake.calls(), ["serve"]);
    let other = Fake::failing(ApiFailure::refused("running", "another one runs with the pid 7"));
    assert_eq!(ran(&other, &["serve"]).await.code, 5);
}

/// A pipe whose reader went away.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_closed_pipe_is_no_failure() {
    spec!("command-line#the-answer-goes-to-stdout/a-closed-pipe");
    let (mut err, mut input) = (Vec::new(), io::empty());
    let mut terminal = Terminal {
        out: &mut Closed,
        err: &mut err,
        input: &mut input,
        width: Some(80),
        bars: false,
    };
    let cli = parse(["tracker", "config", "show"].map(Into::into), &mut terminal).unwrap();
    assert_eq!(run(cli, &Surroundings::default(), &Fake::new(), &mut terminal).await, 0);
    assert!(err.is_empty());
    let shown = typed(&Fake::new(), &["config", "show"], "", &Surroundings::default()).await;
    assert_eq!(shown.code, 0);
}
