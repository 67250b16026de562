//! Accounts and their names.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::Fixture;
use tracker_testkit::spec;

#[test]
fn twins_of_a_former_version_are_found_by_their_spelling() {
    spec!("access#accounts/letter-case");
    let fixture = Fixture::new();
    let first = fixture.write(|tx| tx.add_user("bob", None)).unwrap();
    assert_eq!(fixture.write(|tx| tx.add_user("BOB", None)), None);
    let twin = "01jzabcdefghjkmnpqrstvwxyz";
    let database = rusqlite::Connection::open(fixture.dir.path().join("tracker.db")).unwrap();
    database
        .execute(
            "INSERT INTO user (id, name, created_at, updated_at)
             SELECT ?1, 'BOB', created_at, updated_at FROM user",
            [twin],
        )
        .unwrap();
    let named = |name: &'static str| fixture.get(|tx| tx.user_named(name)).unwrap();
    assert_eq!(named("bob").id, first);
    assert_eq!((named("BOB").id.to_string(), named("BOB").name), (twin.to_owned(), "BOB".into()));
    let nearest = named("Bob").id;
    assert_eq!(nearest, first.min(twin.parse().unwrap()), "the older one");
}
