//! People, browsers and proxies.

use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use axum::response::Response;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracker_domain::access::Scope;
use tracker_domain::network::Network;
use tracker_domain::{Actor, Secret};
use tracker_http::{AccessPolicy, HttpPolicy};
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon};

pub const PASSWORD: &str = "correct horse battery";
const HOST: &str = "tracker.example.org";
const FORM: &str = "application/x-www-form-urlencoded";
const NEAR: &str = "192.168.1.7";
pub const PROXY: &str = "10.0.0.1";
pub const FAR: &str = "203.0.113.9";

fn net(address: &str, prefix: u8) -> Network {
    Network { address: address.parse().unwrap(), prefix }
}

/// A daemon with the account `anna` that is reached as `tracker.example.org`.
pub struct Site {
    pub daemon: Daemon,
    router: Router,
}

/// What a browser sends.
#[derive(Clone, Copy)]
pub struct Sent<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub from: &'a str,
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a str,
}

pub const GET: Sent<'static> = Sent { method: "GET", path: "/", from: FAR, headers: &[], body: "" };

impl Site {
    pub async fn with(base: &str, policy: AccessPolicy) -> Self {
        let daemon = Daemon::below(base).await;
        let password = Secret::new(PASSWORD);
        daemon.app.access.user_add("anna", Some(&password), &Actor::System).await.unwrap();
        let access = AccessPolicy { hosts: vec![HOST.to_owned()], ..policy };
        let clock = daemon.clock.clone();
        let policy = HttpPolicy { access, clock, ..crate::fixture::policy(base) };
        let router = tracker_http::router(daemon.app.clone(), policy, CancellationToken::new());
        Site { daemon, router }
    }

    pub async fn start() -> Self {
        Site::with("", AccessPolicy::default()).await
    }

    /// Sends it; the answer may be a stream.
    pub async fn open(&self, sent: Sent<'_>) -> Response {
        let mut request = Request::builder().method(sent.method).uri(sent.path);
        let own = sent.headers.iter().any(|(name, _)| *name == "host");
        for (name, value) in sent.headers.iter().chain((!own).then_some(&("host", HOST))) {
            request = request.header(*name, *value);
        }
        let peer = SocketAddr::new(sent.from.parse().unwrap(), 4711);
        let mut request = request.body(Body::from(sent.body.to_owned())).unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// The same, read whole.
    pub async fn ask(&self, sent: Sent<'_>) -> Answer {
        let (parts, body) = self.open(sent).await.into_parts();
        let text = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
        Answer { status: parts.status, headers: parts.headers, text }
    }

    pub async fn form(&self, path: &str, cookie: &str, body: &str) -> Answer {
        let origin = format!("https://{HOST}");
        let headers = [("origin", origin.as_str()), ("content-type", FORM), ("cookie", cookie)];
        self.ask(Sent { method: "POST", path, headers: &headers, body, ..GET }).await
    }

    /// The cookie of a fresh login.
    pub async fn login(&self) -> String {
        let body = format!("name=anna&password={}", PASSWORD.replace(' ', "+"));
        let answer = self.form("/login", "", &body).await;
        assert_eq!(answer.status.as_u16(), 303, "{}", answer.text);
        answer.header("set-cookie").split(';').next().unwrap().to_owned()
    }

    pub async fn status(&self, path: &str, from: &str, headers: &[(&str, &str)]) -> u16 {
        self.ask(Sent { path, from, headers, ..GET }).await.status.as_u16()
    }
}

#[tokio::test]
async fn a_person_logs_in_by_the_form_and_out_again() {
    spec!("access#logging-in/the-form");
    spec!("access#sessions-end/logout");
    let site = Site::with("/tracker", AccessPolicy::default()).await;
    let page = site.ask(Sent { path: "/tracker/login?next=/download/x", ..GET }).await;
    assert_eq!(page.status.as_u16(), 200);
    for part in
        ["name=\"name\"", "name=\"password\"", "value=\"/download/x\"", "action=\"/tracker/login\""]
    {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let wrong = site.form("/tracker/login", "", "name=an%22na&password=x&next=/download/x").await;
    assert_eq!((wrong.status.as_u16(), wrong.header("set-cookie")), (422, ""));
    for part in [
        "The name or the password is wrong.",
        "value=\"an&#34;na\"",
        "value=\"/download/x\"",
        "aria-describedby",
    ] {
        assert!(wrong.text.contains(part), "{part}: {}", wrong.text);
    }
    let body = format!("name=anna&password={PASSWORD}&next=/api/v1/health");
    let right = site.form("/tracker/login", "", &body).await;
    assert_eq!((right.status.as_u16(), right.header("location")), (303, "/tracker/api/v1/health"));
    let cookie = right.header("set-cookie");
    assert!(
        cookie.ends_with("; Path=/tracker; Max-Age=7776000; HttpOnly; SameSite=Lax"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap();
    let kept = [("cookie", cookie)];
    assert_eq!(site.status("/tracker/api/v1/health", FAR, &kept).await, 200);
    let again = site.ask(Sent { path: "/tracker/login?next=/jobs", headers: &kept, ..GET }).await;
    assert_eq!((again.status.as_u16(), again.header("location")), (303, "/tracker/jobs"));
    let magnet = format!("{{\"magnet\":\"{}\"}}", "a".repeat(40));
    let headers = [
        ("cookie", cookie),
        ("origin", "http://tracker.example.org"),
        ("content-type", "application/json"),
    ];
    let path = "/api/v1/downloads";
    let made =
        site.ask(Sent { method: "POST", path, headers: &headers, body: &magnet, ..GET }).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text);
    let events = site.daemon.get("/api/v1/events?type=download.created").await.json();
    assert_eq!(events["items"][0]["actor"], "web:anna");

    let out = site.form("/tracker/logout", cookie, "").await;
    assert_eq!((out.status.as_u16(), out.header("location")), (303, "/tracker/login"));
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(site.status("/tracker/api/v1/health", FAR, &kept).await, 401);
}

#[tokio::test]
async fn the_login_leads_to_pages_of_ours_only() {
    spec!("access#logging-in/only-to-a-page-of-ours");
    let site = Site::start().await;
    for next in
        ["https://evil.example/", "//evil.example", "/%5Cevil.example", "/login", "%0A//evil"]
    {
        let body = format!("name=anna&password={PASSWORD}&next={next}");
        let answer = site.form("/login", "", &body).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/"), "{next}");
    }
}

#[tokio::test]
async fn a_link_is_used_by_its_button() {
    spec!("access#login-links/looking-does-not-use-it-up");
    let site = Site::start().await;
    let (_, secret) = site.daemon.app.access.login_link(None, &Actor::System).await.unwrap();
    let path = format!("/login?link={}", secret.expose());
    for _ in 0..3 {
        let page = site.ask(Sent { path: &path, ..GET }).await;
        assert_eq!(page.status.as_u16(), 200);
        assert!(page.text.contains(secret.expose()) && !page.text.contains("name=\"password\""));
    }
    let body = format!("link={}", secret.expose());
    let used = site.form("/login", "", &body).await;
    let cookie = used.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(site.status("/api/v1/health", FAR, &[("cookie", &cookie)]).await, 200);
    let twice = site.form("/login", "", &body).await;
    assert_eq!((twice.status.as_u16(), twice.header("set-cookie")), (422, ""));
    assert!(twice.text.contains("This link was used") && twice.text.contains("name=\"password\""));
}

#[tokio::test]
async fn whoever_has_no_password_is_told_to_set_one() {
    spec!("access#login-links/no-password-yet");
    let site = Site::start().await;
    let access = &site.daemon.app.access;
    access.user_add("boris", None, &Actor::System).await.unwrap();
    for (name, is_told) in [("boris", true), ("anna", false)] {
        let (_, link) = access.login_link(Some(name), &Actor::System).await.unwrap();
        let body = format!("link={}&next=/jobs", link.expose());
        let login = site.form("/login", "", &body).await;
        assert_eq!((login.status.as_u16(), login.header("location")), (303, "/jobs"));
        let cookies: Vec<_> = login
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap())
            .collect();
        let cookies = cookies.join("; ");
        let headers = [("cookie", cookies.as_str())];
        let page = site.ask(Sent { path: "/jobs", headers: &headers, ..GET }).await;
        assert_eq!(page.text.contains("Your account has no password"), is_told, "{}", page.text);
        if is_told {
            let session = cookies.split(';').next().unwrap();
            let set = site.form("/settings", session, "do=password&new=a+long+enough+one").await;
            assert_eq!(set.header("location"), "/settings");
            assert!(set.header("set-cookie").starts_with("tracker_told=password.0;"));
            let zone = site.form("/settings", session, "do=zone&timezone=Europe/Paris").await;
            assert!(zone.header("set-cookie").starts_with("tracker_told=zone.0;"));
            let one = site.daemon.app.access.sessions(None).await.unwrap().pop().unwrap();
            let out = format!("do=end-session&session={}", one.id);
            let out = site.form("/settings", session, &out).await;
            assert!(out.header("set-cookie").starts_with("tracker_told=browser-out.0;"));
            let session = &site.login().await;
            let wrong = site.form("/settings", session, "do=zone&timezone=Nowhere").await;
            assert_eq!((wrong.status.as_u16(), wrong.header("set-cookie")), (422, ""));
            assert!(wrong.text.contains("value=\"Nowhere\""));
        }
    }
}

#[tokio::test]
async fn the_login_speaks_the_language_that_is_chosen_there() {
    spec!("access#logging-in/another-language-and-a-lost-password");
    let site = Site::with("/tracker", AccessPolicy::default()).await;
    let path = "/tracker/login?next=/jobs";
    let page = site.ask(Sent { path, ..GET }).await;
    for part in [
        "action=\"/tracker/preferences\"",
        "name=\"next\" value=\"/login?next=/jobs\"",
        "name=\"language\" value=\"ru\"",
        "<code>tracker user login-link</code>",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let body = "language=ru&next=/login?next=/jobs";
    let chosen = site.form("/tracker/preferences", "", body).await;
    assert_eq!((chosen.status.as_u16(), chosen.header("location")), (303, path));
    let cookie = chosen.header("set-cookie").split(';').next().unwrap();
    let headers = [("cookie", cookie)];
    let page = site.ask(Sent { path, headers: &headers, ..GET }).await;
    assert!(page.text.contains("<html lang=\"ru\"") && page.text.contains("Забыли пароль?"));
    // Also after a wrong password, with where it was to go on to.
    let wrong = site.form("/tracker/login", "", "name=a&password=b&next=/jobs").await;
    let next = "name=\"next\" value=\"/login?next=%2Fjobs\"";
    assert!(wrong.text.contains(next), "{}", wrong.text);
    // No other site chooses it, and nobody is sent elsewhere.
    let foreign = [("origin", "https://evil.example"), ("content-type", FORM)];
    let path = "/tracker/preferences";
    let asked = Sent { method: "POST", path, headers: &foreign, body, ..GET };
    assert_eq!(site.ask(asked).await.status.as_u16(), 403);
    let away = site.form(path, "", "language=ru&next=//evil.example").await;
    assert_eq!(away.header("location"), "/tracker/");
}

#[tokio::test]
async fn too_many_logins_have_to_wait() {
    spec!("access#logins-are-throttled/account");
    let site = Site::start().await;
    for _ in 0..10 {
        site.form("/login", "", "name=anna&password=wrong").await;
    }
    let refused = site.form("/login", "", "name=anna&password=wrong").await;
    assert_eq!(refused.status.as_u16(), 429);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() > 0);
    assert!(refused.text.contains("Too many attempts") && refused.text.contains("value=\"anna\""));
}

#[tokio::test]
async fn pages_lead_to_the_login_and_the_api_does_not() {
    spec!("access#pages-ask-for-a-login/a-browser");
    let html = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for (base, path, location) in [
        ("", "/", "/login"),
        ("", "/download/x?a=b&c=d", "/login?next=/download/x?a=b%26c=d"),
        ("/tracker", "/tracker/search?q=%2F", "/tracker/login?next=/search?q=%252F"),
        ("/tracker", "/search", "/tracker/login?next=/search"),
    ] {
        let site = Site::with(base, AccessPolicy::default()).await;
        let answer = site.ask(Sent { path, headers: &[html], ..GET }).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, location));
        let broken = [html, ("cookie", "tracker_session=0123")];
        assert_eq!(site.status(path, FAR, &broken).await, 303);
        assert_eq!(site.status(path, FAR, &[]).await, 401);
        assert_eq!(site.status("/api/v1/health", FAR, &[html]).await, 401);
        // A program that shows a page with a token is not led anywhere.
        assert_eq!(site.status(path, FAR, &[html, ("x-api-key", "wrong")]).await, 401);
    }
}

#[tokio::test]
async fn another_site_cannot_act_in_the_name_of_a_person() {
    spec!("access#no-other-site-acts/a-foreign-form");
    let site = Site::start().await;
    let cookie = site.login().await;
    let magnet = format!("{{\"magnet\":\"{}\"}}", "a".repeat(40));
    let token = site.daemon.token.as_str();
    for origin in [
        &[][..],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://tracker.example.org:8467")],
        &[("sec-fetch-site", "cross-site")],
        &[("referer", "https://evil.example/")],
    ] {
        let json = [("cookie", cookie.as_str()), ("content-type", "application/json")];
        let headers = [&json[..], origin].concat();
        let path = "/api/v1/downloads";
        let ask = Sent { method: "POST", path, headers: &headers, body: &magnet, ..GET };
        let refused = site.ask(ask).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "cross-site"));
        for path in ["/login", "/logout"] {
            assert_eq!(site.ask(Sent { path, ..ask }).await.code(), "cross-site", "{path}");
        }
    }
    assert_eq!(site.daemon.get("/api/v1/downloads").await.json()["items"], serde_json::json!([]));
    let headers = [
        ("x-api-key", token),
        ("origin", "https://evil.example"),
        ("content-type", "application/json"),
    ];
    let path = "/api/v1/downloads";
    let made =
        site.ask(Sent { method: "POST", path, headers: &headers, body: &magnet, ..GET }).await;
    assert_eq!(made.status.as_u16(), 201, "a foreign site has no token");
}

#[tokio::test]
async fn a_foreign_name_that_points_here_is_not_answered() {
    spec!("access#known-hosts/rebinding");
    let site = Site::start().await;
    let cookie = site.login().await;
    let evil = ("host", "evil.example:8466");
    for path in ["/", "/login", "/problems/stale", "/api/v1/health", "/api/v1/openapi.json"] {
        let headers = [evil, ("cookie", cookie.as_str())];
        let refused = site.ask(Sent { path, headers: &headers, ..GET }).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (421, "unknown-host"),
            "{path}"
        );
    }
    for path in ["/healthz", "/readyz", "/ping"] {
        assert_eq!(site.status(path, FAR, &[evil]).await, 200, "{path}");
    }
    assert_eq!(site.status("/metrics", FAR, &[evil]).await, 401);
    // A token counts once it was looked at, and not by being there.
    for path in ["/", "/login", "/static/app.css", "/problems/stale", "/api/v1/health"] {
        for key in [("x-api-key", "x"), ("authorization", "Bearer x")] {
            assert_eq!(site.status(path, FAR, &[evil, key]).await, 421, "{path}");
        }
    }
    let headers =
        [evil, ("x-api-key", "x"), ("origin", "http://evil.example:8466"), ("content-type", FORM)];
    let body = format!("name=anna&password={PASSWORD}");
    let ask = Sent { method: "POST", path: "/login", headers: &headers, body: &body, ..GET };
    let refused = site.ask(ask).await;
    assert_eq!((refused.status.as_u16(), refused.header("set-cookie")), (421, ""));
    assert_eq!(site.daemon.app.access.sessions(None).await.unwrap().len(), 1);
    let token = [evil, ("x-api-key", site.daemon.token.as_str())];
    for path in ["/api/v1/health", "/login", "/static/app.css"] {
        assert_eq!(site.status(path, FAR, &token).await, 200, "{path}");
    }
    for own in ["127.0.0.1:8466", "[::1]:8466", "localhost:8466", "TRACKER.example.org:8443"] {
        assert_eq!(site.status("/login", FAR, &[("host", own)]).await, 200, "{own}");
    }
}

pub fn behind_a_proxy() -> AccessPolicy {
    AccessPolicy {
        trusted_proxies: vec![net(PROXY, 32)],
        user_header: Some("X-Remote-User".to_owned()),
        ..AccessPolicy::default()
    }
}

#[tokio::test]
async fn a_trusted_proxy_names_who_is_logged_in() {
    spec!("access#trusted-proxies/login-by-the-proxy");
    let site = Site::with("", behind_a_proxy()).await;
    let health = "/api/v1/health";
    let anna = ("x-remote-user", "anna");
    assert_eq!(site.status(health, PROXY, &[anna]).await, 200);
    assert_eq!(site.status(health, FAR, &[anna]).await, 401);
    assert_eq!(site.status(health, PROXY, &[("x-remote-user", "bob")]).await, 401);
    assert_eq!(site.status(health, PROXY, &[anna, ("x-remote-user", "eve")]).await, 401);
    assert_eq!(site.status(health, PROXY, &[]).await, 401);
    let own = [anna, ("origin", "https://tracker.example.org")];
    let post = Sent { method: "POST", path: "/api/v1/backups", from: PROXY, ..GET };
    assert_eq!(site.ask(Sent { headers: &own, ..post }).await.status.as_u16(), 202);
    assert_eq!(site.ask(Sent { headers: &[anna], ..post }).await.code(), "cross-site");
    let events = site.daemon.get("/api/v1/events?type=job.created").await.json();
    assert_eq!(events["items"][0]["actor"], "web:anna");
    site.daemon.app.access.user_disable("anna", true, &Actor::System).await.unwrap();
    assert_eq!(site.status(health, PROXY, &[anna]).await, 401);
}

#[tokio::test]
async fn behind_tls_the_cookie_is_for_tls_alone() {
    spec!("access#trusted-proxies/over-tls");
    let site = Site::with("", behind_a_proxy()).await;
    let body = format!("name=anna&password={PASSWORD}");
    let headers = [
        ("host", "127.0.0.1:8466"),
        ("x-forwarded-host", HOST),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-for", FAR),
        ("origin", "https://tracker.example.org"),
        ("content-type", FORM),
    ];
    let ask = Sent { method: "POST", path: "/login", headers: &headers, body: &body, ..GET };
    let answer = site.ask(Sent { from: PROXY, ..ask }).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text);
    assert!(answer.header("set-cookie").ends_with("; Secure"));
    let session = site.daemon.app.access.sessions(None).await.unwrap().remove(0);
    assert_eq!(session.address.as_deref(), Some(FAR));
    // The same from anybody else: the name in Host is what it was sent to.
    assert_eq!(site.ask(ask).await.code(), "cross-site");
}

#[tokio::test]
async fn a_network_may_come_in_without_a_login() {
    spec!("access#networks-without-a-login/from-near-and-from-afar");
    let open_networks = vec![net("192.168.0.0", 16), net(PROXY, 32)];
    let site = Site::with("", AccessPolicy { open_networks, ..behind_a_proxy() }).await;
    let health = "/api/v1/health";
    assert_eq!(site.status(health, NEAR, &[]).await, 200);
    assert_eq!(site.status(health, FAR, &[]).await, 401);
    assert_eq!(site.status(health, FAR, &[("x-forwarded-for", NEAR)]).await, 401);
    assert_eq!(site.status(health, PROXY, &[("x-forwarded-for", NEAR)]).await, 200);
    assert_eq!(site.status(health, PROXY, &[("x-forwarded-for", FAR)]).await, 401);
    assert_eq!(site.status(health, PROXY, &[]).await, 401, "the proxy itself is nobody");
    let post = Sent { method: "POST", path: "/api/v1/backups", from: NEAR, ..GET };
    assert_eq!(site.ask(post).await.code(), "cross-site");
    let own = [("origin", "http://tracker.example.org")];
    assert_eq!(site.ask(Sent { headers: &own, ..post }).await.status.as_u16(), 202);
    let events = site.daemon.get("/api/v1/events?type=job.created").await.json();
    assert_eq!(events["items"][0]["actor"], "web:(anybody)");
}

#[tokio::test]
async fn who_has_no_account_cannot_set_anything_for_it() {
    spec!("access#networks-without-a-login/no-account");
    let open_networks = vec![net("192.168.0.0", 16)];
    let site = Site::with("", AccessPolicy { open_networks, ..AccessPolicy::default() }).await;
    let headers = [("origin", "http://tracker.example.org"), ("content-type", FORM)];
    for body in ["do=password&new=another+good+one", "do=zone&timezone=Europe/Berlin"] {
        let ask = Sent { method: "POST", path: "/settings", from: NEAR, headers: &headers, body };
        let refused = site.ask(ask).await;
        assert_eq!(refused.status.as_u16(), 422, "{body}");
        assert!(refused.text.contains("nobody is logged in"), "{}", refused.text);
        // A token has no account either.
        assert_eq!(site.daemon.form("/settings", body).await.status.as_u16(), 422, "{body}");
    }
    assert_eq!(
        site.daemon.get("/api/v1/events?type=user.changed").await.json()["items"][0],
        serde_json::Value::Null
    );
}

#[tokio::test]
async fn a_token_reaches_as_far_as_its_scope() {
    spec!("access#token-scopes/a-token-that-does-not-reach");
    let daemon = Daemon::start().await;
    let access = &daemon.app.access;
    let mut secrets = Vec::new();
    for scope in Scope::ALL {
        let name = format!("to-{scope}");
        secrets.push(access.token_new(&name, *scope, &Actor::System).await.unwrap().1);
    }
    for (method, path, answers) in [
        (Method::GET, "/api/v1/downloads", [200, 200, 200]),
        (Method::POST, "/api/v1/backups", [403, 202, 202]),
        (Method::POST, "/api/v1/backups/reconcile", [403, 403, 200]),
        (Method::GET, "/metrics", [200, 200, 200]),
    ] {
        for (secret, expected) in secrets.iter().zip(answers) {
            let headers = vec![("x-api-key", secret.as_str())];
            let ask = Ask { method: method.clone(), path, headers, ..Ask::default() };
            let answer = daemon.raw(ask).await;
            assert_eq!(answer.status.as_u16(), expected, "{method} {path}: {}", answer.text);
            if expected == 403 {
                assert_eq!(answer.code(), "forbidden");
                assert!(answer.json()["detail"].as_str().unwrap().contains("the token has"));
            }
        }
    }
}

#[tokio::test]
async fn pages_and_data_have_their_guards() {
    spec!("access#guarding-headers/on-pages-and-data");
    let site = Site::start().await;
    let page = site.ask(Sent { path: "/login", ..GET }).await;
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"));
    let data = site.ask(Sent { path: "/api/v1/openapi.json", ..GET }).await;
    assert_eq!(
        data.header("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'"
    );
    for answer in [&page, &data] {
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
        assert!(answer.header("permissions-policy").contains("camera=()"));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn tokens_and_sessions_are_looked_after_over_rest() {
    spec!("access#token-scopes/over-rest");
    let site = Site::start().await;
    let daemon = &site.daemon;
    let made = daemon.post("/api/v1/tokens", r#"{"name":"phone","scope":"read"}"#).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    assert_eq!(made.json()["token"]["scope"], "read");
    let phone = [("x-api-key", secret.as_str())];
    assert_eq!(site.status("/api/v1/downloads", FAR, &phone).await, 200);
    assert_eq!(site.status("/api/v1/tokens", FAR, &phone).await, 403);
    let listed = daemon.get("/api/v1/tokens").await;
    assert_eq!(listed.json()["items"][1]["name"], "phone");
    assert!(!listed.text.contains(&secret));
    for bad in [
        r#"{"name":"phone","scope":"read"}"#,
        r#"{"name":"a b","scope":"read"}"#,
        r#"{"name":"b","scope":"all"}"#,
        r#"{"name":"b"}"#,
    ] {
        let refused = daemon.post("/api/v1/tokens", bad).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (422, "invalid-request"),
            "{bad}"
        );
    }
    let gone = daemon.send(Method::DELETE, "/api/v1/tokens/phone", "").await;
    assert!(gone.json()["revoked_at"].is_string());
    assert_eq!(daemon.send(Method::DELETE, "/api/v1/tokens/phone", "").await.code(), "not-found");
    assert_eq!(site.status("/api/v1/downloads", FAR, &phone).await, 401);

    let cookie = site.login().await;
    let session = daemon.get("/api/v1/sessions").await.json()["items"][0].clone();
    assert_eq!(session["user"], "anna");
    let path = format!("/api/v1/sessions/{}", session["id"].as_str().unwrap());
    assert!(daemon.send(Method::DELETE, &path, "").await.json()["revoked_at"].is_string());
    assert_eq!(site.status("/api/v1/downloads", FAR, &[("cookie", &cookie)]).await, 401);
    assert_eq!(daemon.get("/api/v1/sessions").await.json()["items"], serde_json::json!([]));
}
