//! When torrents have given enough, in its three places.

use tracker_domain::seeding::{Limit, SeedingAction, SeedingPolicy, SeedingWords};

use crate::wiring;

use super::*;

const FILE: &str = r#"
[seeding]
ratio = 2
min_time = "1d"

[[client]]
name = "home"
url = "http://127.0.0.1:1"
seeding = { time = "30d", action = "remove" }

[[client]]
name = "engine"
kind = "embedded"

[[library]]
name = "films"
kind = "movie"
root = "/films"
seeding = { ratio = "never", keep_while_linked = true, dry_run = true }
"#;

fn policy(home: &Home, client: &str, library: Option<&str>) -> SeedingPolicy {
    wiring::seeding(&home.config()).policy(client, library)
}

#[test]
fn the_nearest_word_is_taken() {
    spec!("seeding#the-nearest-word-holds/key-by-key");
    let home = Home::new(FILE);
    assert_eq!(
        policy(&home, "home", Some("films")),
        SeedingPolicy {
            ratio: None,
            time: Some(Duration::from_secs(30 * 86_400)),
            min_time: Duration::from_secs(86_400),
            keep_while_linked: true,
            action: SeedingAction::Remove,
            dry_run: true,
        }
    );
    let engine = policy(&home, "engine", None);
    assert_eq!((engine.ratio, engine.time), (Some(2.0), None), "the bound is replaced");
    let shown = show::human(&home.load().unwrap().values);
    assert!(
        shown.contains("seeding = { action = \"remove\", time = \"30d\" }"),
        "told with its origin: {shown}"
    );
    assert!(home.origin("client", "seeding").ends_with("tracker.toml:9"));
}

#[test]
fn nothing_set_is_off() {
    spec!("seeding#off-unless-asked-for/nothing-is-set");
    for file in ["", "[seeding]\naction = \"remove-data\"\nmin_time = \"1h\"\nratio = \"\""] {
        assert!(wiring::seeding(&Home::new(file).config()).is_off(), "{file}");
    }
}

#[test]
fn the_engine_is_bound_where_nobody_says_more() {
    spec!("seeding#one-policy-for-the-engine/nobody-names-an-end");
    let bare = Home::bare();
    let name = bare.config().clients[0].name.clone();
    assert_eq!(policy(&bare, &name, None).ratio, None, "the engine itself does it");
    let library = "[[library]]\nname = \"films\"\nkind = \"movie\"\nroot = \"/films\"\n\
                   seeding = { ratio = 3.0 }";
    let home = Home::new(library);
    assert_eq!(policy(&home, &name, Some("films")).ratio, Some(3.0));
    let day = Some(Duration::from_secs(86_400));
    let other = policy(&home, &name, None);
    assert_eq!((other.ratio, other.time), (Some(1.0), day));
    spec!("seeding#one-policy-for-the-engine/a-dry-run");
    let dry = Home::new(&format!("[seeding]\ndry_run = true\n{library}"));
    assert_eq!(policy(&dry, &name, None).ratio, None);
}

#[test]
fn a_variable_may_hold_the_table() {
    let home = Home::new(FILE).var("TRACKER__CLIENT__HOME__SEEDING", "{ ratio = 0.5 }");
    let words = &home.config().clients[0].seeding;
    assert_eq!(words.ratio, Some(Limit::At(0.5)));
    assert_eq!(words.time, None);
    let empty = Home::new(FILE)
        .var("TRACKER__CLIENT__HOME__SEEDING", "")
        .var("TRACKER__SEEDING__RATIO", "never")
        .config();
    assert_eq!(empty.clients[0].seeding, SeedingWords::default());
    assert_eq!(empty.seeding.ratio, Some(Limit::Never));
}

#[test]
fn a_wrong_table_is_told() {
    spec!("configuration#problems-are-told-together/what-to-write");
    let wrong = [
        ("2.0", "this is a number; write a table such as"),
        ("{ ration = 2.0 }", "no key \"ration\"; did you mean ratio?"),
        ("{ ratio = -1 }", "ratio: -1 cannot be used"),
        ("{ time = 5 }", "time: this is a number; write a text in quotes"),
        ("{ action = \"stopp\" }", "action: \"stopp\" is not one of"),
    ];
    for (value, part) in wrong {
        let file = format!("[[client]]\nname = \"a\"\nkind = \"embedded\"\nseeding = {value}");
        let told = Home::new(&file).problems();
        assert_eq!(told.len(), 1, "{told:?}");
        let place = told[0].starts_with("file:4: [[client]] \"a\" seeding: ");
        assert!(place && told[0].contains(part), "{told:?}");
    }
}
