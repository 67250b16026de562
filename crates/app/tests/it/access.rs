//! Accounts, logins, sessions, links, tokens.

use tracker_app::{Admission, AppError, Caller, Lasts};
use tracker_domain::access::{IDLE, LINK_LASTS, Preferences, Scope, Theme};
use tracker_domain::ports::Clock;
use tracker_domain::{Actor, Secret};
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor};

const PASSWORD: &str = "correct horse battery";

#[tokio::test]
async fn a_token_works_until_it_is_revoked() {
    let fixture = Fixture::new();
    let access = &fixture.app.access;
    let (view, secret) = access.token_new("phone", Scope::Write, &actor()).await.unwrap();
    assert_eq!((view.name.as_str(), view.scope, view.last_used_at), ("phone", Scope::Write, None));
    assert!(secret.starts_with("tracker_") && secret.len() == 72);
    assert_eq!(
        access.verify_token(&secret).await.unwrap().map(|token| token.name).as_deref(),
        Some("phone")
    );
    assert_eq!(access.verify_token("tracker_00").await.unwrap(), None);
    assert_eq!(access.verify_token("").await.unwrap(), None);
    let noted = access.tokens().await.unwrap().remove(0).last_used_at.unwrap();
    fixture.clock.advance_seconds(3599);
    access.verify_token(&secret).await.unwrap();
    assert_eq!(access.tokens().await.unwrap()[0].last_used_at, Some(noted), "once an hour");
    fixture.clock.advance_seconds(1);
    access.verify_token(&secret).await.unwrap();
    assert_ne!(access.tokens().await.unwrap()[0].last_used_at, Some(noted));
    let revoked = access.token_revoke("phone", &actor()).await.unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!(access.verify_token(&secret).await.unwrap(), None);
    let gone = access.token_revoke("phone", &actor()).await;
    assert!(matches!(gone, Err(AppError::TokenNotFound { name }) if name == "phone"));
    let told = format!("{:?}", fixture.app.journal.events(Default::default()).await.unwrap());
    assert!(!told.contains(&secret) && told.contains("TokenRevoked"));
}

#[tokio::test]
async fn names_of_tokens_are_checked_and_unique() {
    let fixture = Fixture::new();
    let access = &fixture.app.access;
    let long = "x".repeat(65);
    for name in ["", "a b", "ümlaut", "a/b", long.as_str()] {
        let refused = access.token_new(name, Scope::Write, &actor()).await.map(|_| ());
        let Err(AppError::InvalidRequest(fields)) = refused else { panic!("{name:?}") };
        assert_eq!(fields[0].pointer, "/name");
    }
    access.token_new("a-b_c.9", Scope::Write, &actor()).await.unwrap();
    assert!(matches!(
        access.token_new("a-b_c.9", Scope::Write, &actor()).await,
        Err(AppError::InvalidRequest(_))
    ));
}

#[tokio::test]
async fn the_local_token_is_renewed_when_its_file_is_lost() {
    let fixture = Fixture::new();
    let access = &fixture.app.access;
    let first = access.local_token("local").await.unwrap();
    assert_eq!(
        access.verify_token(&first).await.unwrap().map(|token| token.name).as_deref(),
        Some("local")
    );
    let second = access.local_token("local").await.unwrap();
    assert_ne!(first, second);
    assert_eq!(access.verify_token(&first).await.unwrap(), None);
    assert_eq!(
        access.verify_token(&second).await.unwrap().map(|token| token.name).as_deref(),
        Some("local")
    );
    assert_eq!(access.tokens().await.unwrap().len(), 1);
}

fn of(seconds: i64) -> u64 {
    seconds.try_into().unwrap()
}

fn secret(text: &str) -> Secret {
    Secret::new(text)
}

fn from(address: &str) -> Caller {
    Caller { address: Some(address.parse().unwrap()), user_agent: Some("Fire\u{7}fox".to_owned()) }
}

/// With a person whose password is known.
async fn with_anna() -> Fixture {
    let fixture = Fixture::new();
    let access = &fixture.app.access;
    access.user_add("anna", Some(&secret(PASSWORD)), &actor()).await.unwrap();
    fixture
}

async fn told(fixture: &Fixture) -> Vec<(String, String, serde_json::Value)> {
    let events = fixture.app.journal.events(Default::default()).await.unwrap().items;
    events
        .into_iter()
        .map(|event| (event.event_type.to_string(), event.actor, event.data))
        .collect()
}

#[tokio::test]
async fn a_login_opens_a_session_that_is_known_until_it_is_ended() {
    spec!("access#logging-in/name-and-password");
    spec!("access#sessions-end/logout");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let in_ = access.login("anna", &secret(PASSWORD), from("10.0.0.7")).await.unwrap();
    let visitor = access.verify_session(in_.secret.expose()).await.unwrap().unwrap();
    assert_eq!(visitor, in_.visitor);
    assert_eq!(access.verify_session("0").await.unwrap(), None);
    let listed = access.sessions(Some(visitor.user.id)).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].address.as_deref(), Some("10.0.0.7"));
    assert_eq!(listed[0].user_agent.as_deref(), Some("Firefox"));
    let (kind, by, data) = told(&fixture).await.remove(0);
    assert_eq!((kind.as_str(), by.as_str()), ("auth.login", "web:anna"));
    assert_eq!(data["by"], "password");

    let me = Actor::Web("anna".to_owned());
    access.logout(visitor.session, &me).await.unwrap();
    access.logout(visitor.session, &me).await.unwrap();
    assert_eq!(access.verify_session(in_.secret.expose()).await.unwrap(), None);
    assert!(access.sessions(None).await.unwrap().is_empty());
    let events = told(&fixture).await;
    assert_eq!(events.iter().filter(|(kind, ..)| kind == "auth.logout").count(), 1);
    let all = format!("{events:?}");
    assert!(!all.contains(in_.secret.expose()) && !all.contains(PASSWORD));
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_one_refusal() {
    spec!("access#logging-in/wrong");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    access.user_add("bob", None, &actor()).await.unwrap();
    access.user_add("eve", Some(&secret(PASSWORD)), &actor()).await.unwrap();
    access.user_disable("eve", true, &actor()).await.unwrap();
    for (name, password) in [
        ("anna", "wrong password"),
        ("nobody", PASSWORD),
        ("my secret by mistake", PASSWORD),
        ("bob", ""),
        ("bob", PASSWORD),
        ("eve", PASSWORD),
        ("Anna", "wrong password"),
    ] {
        let refused = access.login(name, &secret(password), from("10.0.0.7")).await;
        assert!(matches!(refused, Err(AppError::WrongLogin)), "{name}");
    }
    let events = told(&fixture).await;
    let failed: Vec<_> = events.iter().filter(|(kind, ..)| kind == "auth.failed").collect();
    assert_eq!(failed.len(), 7);
    assert!(failed.iter().all(|(_, by, data)| by == "system" && data["address"] == "10.0.0.7"));
    assert_eq!(failed[6].2["user"], "anna");
    assert!(!format!("{failed:?}").contains("mistake"), "what was typed is not kept");
}

#[tokio::test]
async fn logins_are_counted_by_account_and_by_address() {
    spec!("access#logins-are-throttled/account");
    spec!("access#logins-are-throttled/address");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let wrong = secret("wrong password");
    for last in 0..10_u8 {
        let from = from(&format!("10.0.1.{last}"));
        let refused = access.login("anna", &wrong, from).await;
        assert!(matches!(refused, Err(AppError::WrongLogin)));
    }
    let refused = access.login("anna", &secret(PASSWORD), from("10.0.2.1")).await;
    assert!(matches!(refused, Err(AppError::TooManyAttempts { retry_after: 60 })), "{refused:?}");
    fixture.clock.advance_seconds(60);
    access.login("anna", &secret(PASSWORD), from("10.0.2.1")).await.unwrap();

    // One address, many names; of IPv6 the whole network behind its front.
    for (count, network) in [(30, "10.0.9.9"), (30, "2001:db8::1")] {
        for number in 0..count {
            let refused = access.login_by_link(&secret("no-such"), from(network)).await;
            assert!(matches!(refused, Err(AppError::WrongLink)), "{number}");
        }
    }
    for neighbour in ["10.0.9.9", "::ffff:10.0.9.9", "2001:db8::2"] {
        let refused = access.login("anna", &secret(PASSWORD), from(neighbour)).await;
        assert!(matches!(refused, Err(AppError::TooManyAttempts { .. })), "{neighbour}");
    }
    access.login_by_link(&secret("no-such"), from("2001:db8:0:1::1")).await.unwrap_err();
}

#[tokio::test]
async fn the_first_link_makes_the_first_account_once() {
    spec!("access#the-first-start/the-link-makes-the-first-account");
    spec!("access#login-links/once");
    let fixture = Fixture::new();
    let access = &fixture.app.access;
    let (link, first) = access.login_link(None, &Actor::System).await.unwrap();
    assert_eq!(link.user, None);
    let (_, second) = access.login_link(None, &Actor::System).await.unwrap();
    let in_ = access.login_by_link(&first, Caller::default()).await.unwrap();
    let user = &in_.visitor.user;
    assert_eq!((user.name.as_str(), user.has_password), ("admin", false));
    for used in [&first, &second] {
        let refused = access.login_by_link(used, Caller::default()).await;
        assert!(matches!(refused, Err(AppError::WrongLink)));
    }
    assert_eq!(access.users().await.unwrap().len(), 1);
    // From now on a link without a name is for the only person there is.
    let (link, third) = access.login_link(None, &Actor::System).await.unwrap();
    assert_eq!(link.user.as_deref(), Some("admin"));
    access.login_by_link(&third, Caller::default()).await.unwrap();
    let set = access
        .own_password(user.id, Some(in_.visitor.session), None, &secret(PASSWORD), &actor())
        .await;
    assert!(set.unwrap().has_password);
    assert!(access.verify_session(in_.secret.expose()).await.unwrap().is_some(), "it is kept");
    assert_eq!(access.sessions(None).await.unwrap().len(), 1, "the others ended");
}

#[tokio::test]
async fn a_link_lasts_fifteen_minutes() {
    spec!("access#login-links/too-late");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let (_, late) = access.login_link(Some("anna"), &actor()).await.unwrap();
    fixture.clock.advance_seconds(of(LINK_LASTS));
    let refused = access.login_by_link(&late, Caller::default()).await;
    assert!(matches!(refused, Err(AppError::WrongLink)));
    let (_, good) = access.login_link(Some("anna"), &actor()).await.unwrap();
    fixture.clock.advance_seconds(of(LINK_LASTS) - 1);
    assert_eq!(
        access.login_by_link(&good, Caller::default()).await.unwrap().visitor.user.name,
        "anna"
    );
    let (_, of_eve) = access.login_link(Some("anna"), &actor()).await.unwrap();
    access.user_disable("anna", true, &actor()).await.unwrap();
    access.login_by_link(&of_eve, Caller::default()).await.unwrap_err();
    assert!(matches!(access.login_link(None, &actor()).await, Err(AppError::InvalidRequest(_))));
    assert!(matches!(
        access.login_link(Some("nobody"), &actor()).await,
        Err(AppError::UserNotFound { .. })
    ));
    let all = format!("{:?}", told(&fixture).await);
    assert!(!all.contains(good.expose()) && all.contains("auth.link_created"));
}

#[tokio::test]
async fn sessions_slide_and_their_use_is_noted_by_the_hour() {
    spec!("access#sessions-end/unused");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let in_ = access.login("anna", &secret(PASSWORD), Caller::default()).await.unwrap();
    let seen = |sessions: Vec<tracker_app::SessionView>| sessions[0].last_seen_at;
    let first = seen(access.sessions(None).await.unwrap());
    fixture.clock.advance_seconds(3599);
    access.verify_session(in_.secret.expose()).await.unwrap().unwrap();
    assert_eq!(seen(access.sessions(None).await.unwrap()), first);
    fixture.clock.advance_seconds(1);
    access.verify_session(in_.secret.expose()).await.unwrap().unwrap();
    assert_ne!(seen(access.sessions(None).await.unwrap()), first);
    fixture.clock.advance_seconds(of(IDLE) - 1);
    assert!(access.verify_session(in_.secret.expose()).await.unwrap().is_some());
    fixture.clock.advance_seconds(of(IDLE));
    assert_eq!(access.verify_session(in_.secret.expose()).await.unwrap(), None);
    // What ended long ago goes with a later login.
    fixture.clock.advance_seconds(31 * 86_400);
    access.login("anna", &secret(PASSWORD), Caller::default()).await.unwrap();
    let kept = fixture.db.read(|tx| tx.sessions(None)).await.unwrap();
    assert_eq!(kept.len(), 1);
}

#[tokio::test]
async fn another_password_and_a_disabled_account_end_sessions() {
    spec!("access#sessions-end/revoked");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let password = secret(PASSWORD);
    let login = || access.login("anna", &password, Caller::default());
    let open = |one: tracker_app::LoggedIn| async move {
        access.verify_session(one.secret.expose()).await.unwrap().is_some()
    };
    let one = login().await.unwrap();
    access.user_passwd("anna", &secret(PASSWORD), &actor()).await.unwrap();
    assert!(!open(one).await);
    let one = login().await.unwrap();
    access.session_revoke(one.visitor.session, &actor()).await.unwrap();
    assert!(!open(one).await);
    let one = login().await.unwrap();
    access.user_disable("anna", true, &actor()).await.unwrap();
    assert!(!open(one).await);
    assert_eq!(access.user_of_proxy("anna").await.unwrap(), None);
    access.user_disable("anna", false, &actor()).await.unwrap();
    assert_eq!(access.user_of_proxy("anna").await.unwrap().unwrap().name, "anna");
    let events = told(&fixture).await;
    assert_eq!(events.iter().filter(|(kind, ..)| kind == "auth.session_revoked").count(), 3);
}

#[tokio::test]
async fn ids_of_people_sessions_and_links_are_found() {
    spec!("access#the-journal-tells/ids");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let user = access.users().await.unwrap().remove(0);
    let session = access.login("anna", &secret(PASSWORD), Caller::default()).await.unwrap();
    let (link, _) = access.login_link(None, &actor()).await.unwrap();
    for (id, kind) in [
        (user.id.any(), "user"),
        (session.visitor.session.any(), "session"),
        (link.id.any(), "login_link"),
    ] {
        let story = fixture.app.journal.story(id).await.unwrap();
        assert_eq!(story.entity.kind.as_str(), kind);
        assert!(!story.events.is_empty(), "{kind}");
        let related = if kind == "user" { 2 } else { 1 };
        assert_eq!(story.related.len(), related, "{kind}");
    }
}

#[tokio::test]
async fn passwords_and_preferences_are_checked() {
    spec!("access#accounts/what-is-refused");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let pointer = |refused: Result<tracker_app::UserView, AppError>| match refused {
        Err(AppError::InvalidRequest(fields)) => fields[0].pointer.clone(),
        other => panic!("{other:?}"),
    };
    for bad in ["", "123456789", &"x".repeat(257)] {
        assert_eq!(
            pointer(access.user_add("bob", Some(&secret(bad)), &actor()).await),
            "/password"
        );
    }
    access.user_add("carl", Some(&secret(&"ж".repeat(256))), &actor()).await.unwrap();
    for name in ["", "a:b", "anna"] {
        assert_eq!(pointer(access.user_add(name, None, &actor()).await), "/name");
    }
    let anna = access.users().await.unwrap().remove(0).id;
    let wrong = secret("not the password");
    let refused = access.own_password(anna, None, Some(&wrong), &wrong, &actor()).await;
    assert_eq!(pointer(refused), "/former");
    let zone = |zone: &str| Preferences {
        timezone: Some(zone.to_owned()),
        theme: Some(Theme::Dark),
        language: None,
    };
    assert_eq!(
        pointer(access.set_preferences(anna, zone("Mars/Crater"), &actor()).await),
        "/timezone"
    );
    let set = access.set_preferences(anna, zone("Europe/Berlin"), &actor()).await.unwrap();
    assert_eq!(set.preferences, zone("Europe/Berlin"));
}

#[tokio::test]
async fn names_of_people_are_the_same_in_any_letter_case() {
    spec!("access#accounts/letter-case");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    for twin in ["ANNA", "Anna", "anna"] {
        let refused = access.user_add(twin, None, &actor()).await;
        let Err(AppError::InvalidRequest(fields)) = refused else { panic!("{twin}") };
        assert_eq!(fields[0].pointer, "/name");
    }
    let in_ = access.login("ANNA", &secret(PASSWORD), Caller::default()).await.unwrap();
    assert_eq!(in_.visitor.user.name, "anna");
    assert_eq!(access.user_of_proxy("aNNa").await.unwrap().unwrap().name, "anna");
    assert_eq!(access.user_disable("Anna", true, &actor()).await.unwrap().name, "anna");
    access.user_disable("ANNA", false, &actor()).await.unwrap();
    // One account has one count of attempts.
    for number in 0..9_u8 {
        let name = if number % 2 == 0 { "ANNA" } else { "anna" };
        access.login(name, &secret("wrong password"), Caller::default()).await.unwrap_err();
    }
    let refused = access.login("aNNA", &secret(PASSWORD), Caller::default()).await;
    assert!(matches!(refused, Err(AppError::TooManyAttempts { .. })));
}

#[tokio::test]
async fn a_disabled_account_and_another_password_end_login_links() {
    spec!("access#login-links/ended");
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let link = || async { access.login_link(Some("anna"), &actor()).await.unwrap().1 };
    let used = |link: tracker_domain::Secret| async move {
        access.login_by_link(&link, Caller::default()).await
    };
    let before = link().await;
    access.user_disable("anna", true, &actor()).await.unwrap();
    let refused = access.login_link(Some("anna"), &actor()).await.map(|_| ());
    assert!(matches!(refused, Err(AppError::InvalidRequest(_))));
    access.user_disable("anna", false, &actor()).await.unwrap();
    assert!(matches!(used(before).await, Err(AppError::WrongLink)));
    let before = link().await;
    access.user_passwd("anna", &secret(PASSWORD), &actor()).await.unwrap();
    assert!(matches!(used(before).await, Err(AppError::WrongLink)));
    used(link().await).await.unwrap();
}

#[tokio::test]
async fn an_admission_lasts_as_long_as_what_it_was_given_for() {
    let fixture = with_anna().await;
    let access = &fixture.app.access;
    let journal = &fixture.app.journal;
    let in_ = access.login("anna", &secret(PASSWORD), Caller::default()).await.unwrap();
    let (token, _) = access.token_new("phone", Scope::Read, &actor()).await.unwrap();
    let by_token = Admission::Token(token.id);
    let by_session = Admission::Session(in_.visitor.session);
    let by_proxy = Admission::Account(in_.visitor.user.id);
    for open in [by_token, by_proxy, Admission::Anybody] {
        assert_eq!(access.lasts(open).await.unwrap(), Lasts::UntilEnded);
    }
    let until = fixture.clock.now().plus_seconds(IDLE);
    assert_eq!(access.lasts(by_session).await.unwrap(), Lasts::Until(until));
    let mark = journal.ends().await.unwrap();
    access.login("anna", &secret("wrong password"), Caller::default()).await.unwrap_err();
    assert_eq!(journal.ends().await.unwrap(), mark, "nobody has to go");
    access.token_revoke("phone", &actor()).await.unwrap();
    let after = journal.ends().await.unwrap();
    assert_ne!(after, mark);
    access.user_disable("anna", true, &actor()).await.unwrap();
    assert_ne!(journal.ends().await.unwrap(), after);
    for over in [by_token, by_session, by_proxy] {
        assert_eq!(access.lasts(over).await.unwrap(), Lasts::NoMore, "{over:?}");
    }
    assert_eq!(access.lasts(Admission::Anybody).await.unwrap(), Lasts::UntilEnded);
}
