//! Who asks: looked at before anything else, so that nobody without access can tell
//! which addresses and ids exist.
//!
//! A token in a header comes first. Without one it is taken for a browser: it has to
//! know us by one of our names, and is known itself by its session, by the word of a
//! trusted proxy, or by the network it comes from. What it changes that way has to
//! come from a page of ours.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use tracker_app::{Admission, TokenView, UserView};
use tracker_domain::Actor;
use tracker_domain::entity::SessionId;

use crate::AccessPolicy;
use crate::code::Code;
use crate::forwarded::{Sent, only};
use crate::observe::wants_page;
use crate::pages::refusal::Comer;
use crate::problem::Problem;
use crate::shared::{Shared, below};
use crate::{cookie, scope, site};

/// The other header a token may come in, as dashboards of this field send it.
pub(crate) const API_KEY: &str = "x-api-key";

/// What stands behind `web:` in the journal for whoever needs no login. No user can be
/// called that.
const ANYBODY: &str = "(anybody)";

/// The page and the form of the login.
const LOGIN: &str = "/login";

/// The form of language and theme, which the login has as well.
const PREFERENCES: &str = "/preferences";

/// The page of a code.
const PROBLEM: &str = "/problems/{code}";

/// Everything of a path that would mean something in a query.
const IN_QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'>');

/// Who looks at a page: in the extensions of each request that came in without a token.
/// `None` in both is whoever needs no login.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor {
    /// The person.
    pub(crate) user: Option<UserView>,
    /// Their session; a proxy logs in without one.
    pub(crate) session: Option<SessionId>,
}

impl Visitor {
    fn admission(&self) -> Admission {
        match (self.session, &self.user) {
            (Some(session), _) => Admission::Session(session),
            (None, Some(user)) => Admission::Account(user.id),
            (None, None) => Admission::Anybody,
        }
    }
}

/// What stands before every route.
#[derive(Clone)]
pub(crate) struct Guard {
    shared: Shared,
    policy: Arc<AccessPolicy>,
}

/// Who came in.
enum Pass {
    /// Nobody in particular: it is open.
    Open,
    /// A person, seen on a page that is open.
    Seen(Visitor),
    /// A program.
    Token(TokenView),
    /// A person.
    Visitor(Visitor),
}

impl Guard {
    pub(crate) fn new(shared: Shared, policy: AccessPolicy) -> Self {
        Guard { shared, policy: Arc::new(policy) }
    }

    /// What is open and what needs which scope is decided by the route that will answer,
    /// never by the address: two readings of one address could differ.
    async fn look(&self, parts: &Parts, sent: &Sent) -> Result<Pass, Problem> {
        let (method, headers) = (&parts.method, &parts.headers);
        let route = &*self.route(parts);
        if is_probe(method, route) {
            return Ok(Pass::Open);
        }
        let (known, secret) = (self.known_host(sent), token(headers));
        // A choice of language that comes with a token is one of whoever has the token.
        let is_open = is_open(method, route) && !(secret.is_some() && route == PREFERENCES);
        if is_open && known.is_ok() {
            return self.at_open_door(method, route, headers, sent).await;
        }
        let good = match secret {
            Some(secret) => self.shared.app.access.verify_token(secret).await?,
            None => None,
        };
        // Where a good token is, there is no browser that a foreign page could use.
        if good.is_none() && route != "/metrics" {
            known?;
        }
        if is_open {
            return self.at_open_door(method, route, headers, sent).await;
        }
        if secret.is_some() {
            return by_token(good, method, route);
        }
        let visitor = match self.by_session(headers).await? {
            Some(visitor) => visitor,
            None => self.by_network(headers, sent).await?.ok_or_else(nobody)?,
        };
        if changes(method) {
            own_page(headers, sent)?;
        }
        Ok(Pass::Visitor(visitor))
    }

    /// The pattern of the route that will answer, without the base path; empty where
    /// there is none.
    fn route<'a>(&self, parts: &'a Parts) -> Cow<'a, str> {
        let matched = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        below(matched, self.shared.base())
    }

    /// The login has to be sent from its own page, too: else a foreign site could log a
    /// person in as somebody else. Who it is matters to pages alone, and only they look.
    async fn at_open_door(
        &self,
        method: &Method,
        route: &str,
        headers: &HeaderMap,
        sent: &Sent,
    ) -> Result<Pass, Problem> {
        if changes(method) {
            own_page(headers, sent)?;
        }
        let shows_who = route == LOGIN && !changes(method);
        if !shows_who && !matches!(route, PREFERENCES | PROBLEM) {
            return Ok(Pass::Open);
        }
        let mut visitor = self.by_session(headers).await?;
        // The login is for those as well who come in without one.
        if visitor.is_none() && matches!(route, PREFERENCES | PROBLEM) {
            visitor = self.by_network(headers, sent).await?;
        }
        Ok(visitor.map_or(Pass::Open, Pass::Seen))
    }

    async fn by_session(&self, headers: &HeaderMap) -> Result<Option<Visitor>, Problem> {
        let Some(secret) = cookie::read(headers) else { return Ok(None) };
        let found = self.shared.app.access.verify_session(secret).await?;
        Ok(found
            .map(|visitor| Visitor { user: Some(visitor.user), session: Some(visitor.session) }))
    }

    async fn by_network(
        &self,
        headers: &HeaderMap,
        sent: &Sent,
    ) -> Result<Option<Visitor>, Problem> {
        if let Some(header) = self.policy.user_header.as_deref().filter(|_| sent.by_proxy)
            && let Some(name) = only(headers, header)
        {
            let user = self.shared.app.access.user_of_proxy(name.trim()).await?;
            return Ok(user.map(|user| Visitor { user: Some(user), session: None }));
        }
        let is_near = sent
            .address
            .is_some_and(|from| self.policy.open_networks.iter().any(|net| net.contains(from)));
        Ok(is_near.then(Visitor::default))
    }

    /// The page of ours that a request was sent from.
    fn sent_from(&self, headers: &HeaderMap, sent: &Sent) -> Option<String> {
        let from = site::sent_from(headers, sent.host.as_deref())?;
        Some(below(from, self.shared.base()).into_owned())
    }

    fn known_host(&self, sent: &Sent) -> Result<(), Problem> {
        // A browser always says where it goes; what does not is none.
        let Some(host) = &sent.host else { return Ok(()) };
        if site::is_known(host, &self.policy.hosts) {
            return Ok(());
        }
        Err(Problem::new(Code::UnknownHost).detail(format!(
            "{host:?} is not known as a name of this machine; add it to http.hosts, or use the \
             address"
        )))
    }

    /// To the login, and from there back to where it was: for a form, the page that it
    /// stood on.
    fn to_login(&self, parts: &Parts, path: &str, sent: &Sent) -> Response {
        let mut url = self.shared.url("/login");
        let next = if matches!(parts.method, Method::GET | Method::HEAD) {
            let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            format!("{path}{query}")
        } else {
            self.sent_from(&parts.headers, sent).unwrap_or_else(|| "/".to_owned())
        };
        if next != "/" {
            url.push_str("?next=");
            url.push_str(&utf8_percent_encode(&next, IN_QUERY).to_string());
        }
        match HeaderValue::from_str(&url) {
            Ok(url) => (StatusCode::SEE_OTHER, [(header::LOCATION, url)]).into_response(),
            Err(_) => nobody().into_response(),
        }
    }
}

/// Lets a request pass that needs no access or has it, and notes whose it is.
pub(crate) async fn require_access(
    State(guard): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let base = guard.shared.base();
    let is_page = wants_page(&request, base);
    let (mut parts, body) = request.into_parts();
    let path = below(parts.uri.path(), base).into_owned();
    let sent = Sent::of(&parts, &guard.policy);
    let passed = guard.look(&parts, &sent).await;
    let extensions = &mut parts.extensions;
    extensions.insert(sent.clone());
    let mut inside = None;
    match passed {
        Ok(Pass::Open) => {}
        Ok(Pass::Seen(visitor)) => {
            inside = Some(visitor.clone());
            extensions.insert(visitor);
        }
        Ok(Pass::Token(token)) => {
            inside = Some(Visitor::default());
            extensions.insert(Admission::Token(token.id));
            extensions.insert(Actor::Api(token.name));
        }
        Ok(Pass::Visitor(visitor)) => {
            let name = visitor.user.as_ref().map_or(ANYBODY, |user| &user.name);
            extensions.insert(Actor::Web(name.to_owned()));
            inside = Some(visitor.clone());
            extensions.insert(visitor.admission());
            extensions.insert(visitor);
        }
        Err(problem)
            if problem.status() == StatusCode::UNAUTHORIZED
                && is_page
                && token(&parts.headers).is_none() =>
        {
            return guard.to_login(&parts, &path, &sent);
        }
        Err(problem) => return problem.into_response(),
    }
    let comer = inside.filter(|_| is_page).map(|visitor| {
        let from = guard.sent_from(&parts.headers, &sent).map(|from| site::local(&from).to_owned());
        Comer { visitor, from }
    });
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if let Some(comer) = comer {
        response.extensions_mut().insert(comer);
    }
    response
}

fn by_token(good: Option<TokenView>, method: &Method, route: &str) -> Result<Pass, Problem> {
    let token = good.ok_or_else(|| {
        Problem::new(Code::Unauthorised).detail("the token is unknown or revoked")
    })?;
    let needed = scope::needed(method, route);
    if token.scope.allows(needed) {
        return Ok(Pass::Token(token));
    }
    Err(Problem::new(Code::Forbidden)
        .detail(format!("this needs the scope {needed}; the token has {}", token.scope)))
}

fn nobody() -> Problem {
    Problem::new(Code::Unauthorised)
        .detail("a login or a token is needed: Authorization: Bearer … or X-Api-Key")
}

fn own_page(headers: &HeaderMap, sent: &Sent) -> Result<(), Problem> {
    if site::is_own(headers, sent.host.as_deref()) {
        return Ok(());
    }
    Err(Problem::new(Code::CrossSite)
        .detail("the request does not come from a page of this address"))
}

fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// What programs look at that know no name of this machine.
fn is_probe(method: &Method, route: &str) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
        && matches!(route, "/healthz" | "/readyz" | "/ping")
}

/// The whole list of what is answered to everybody.
fn is_open(method: &Method, route: &str) -> bool {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return *method == Method::POST && matches!(route, LOGIN | PREFERENCES);
    }
    is_probe(method, route)
        || matches!(route, "/api/v1/openapi.json" | LOGIN | PROBLEM | "/static/{name}")
}

/// The token of a request. Another scheme in `Authorization` is that of a proxy
/// in front, so `X-Api-Key` counts then.
fn token(headers: &HeaderMap) -> Option<&str> {
    bearer(headers).or_else(|| headers.get(API_KEY)?.to_str().ok().map(str::trim))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Marks the headers that must never be shown, for whatever prints a request.
pub(crate) async fn mark_secrets(mut request: Request, next: Next) -> Response {
    for name in [header::AUTHORIZATION.as_str(), header::COOKIE.as_str(), API_KEY] {
        if let Some(value) = request.headers_mut().get_mut(name) {
            value.set_sensitive(true);
        }
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use axum::http::{HeaderMap, HeaderName, Method};

    use super::{is_open, token};

    #[test]
    fn what_is_open_is_a_short_list() {
        for route in ["/healthz", "/readyz", "/ping", "/api/v1/openapi.json", "/problems/{code}"] {
            assert!(is_open(&Method::GET, route), "{route}");
            assert!(is_open(&Method::HEAD, route), "{route}");
            assert!(!is_open(&Method::POST, route), "{route}");
        }
        assert!(is_open(&Method::POST, "/login") && is_open(&Method::POST, "/preferences"));
        for route in ["/login", "/static/{name}"] {
            assert!(is_open(&Method::GET, route), "{route}");
            assert!(!is_open(&Method::PUT, route), "{route}");
        }
        for route in
            ["", "/", "/logout", "/preferences", "/metrics", "/api/v1/health", "/download/{id}"]
        {
            assert!(!is_open(&Method::GET, route), "{route}");
        }
    }

    #[test]
    fn a_token_comes_in_one_of_two_headers() {
        let read = |pairs: &[(&str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                let name: HeaderName = name.parse().unwrap();
                headers.insert(name, value.parse().unwrap());
            }
            token(&headers).map(str::to_owned)
        };
        assert_eq!(read(&[("authorization", "bEARER a")]).as_deref(), Some("a"));
        assert_eq!(read(&[("x-api-key", " a ")]).as_deref(), Some("a"));
        let behind_proxy = [("authorization", "Basic xyz"), ("x-api-key", "a")];
        assert_eq!(read(&behind_proxy).as_deref(), Some("a"));
        assert_eq!(read(&[("authorization", "Bearer")]), None);
        assert_eq!(read(&[("authorization", "a")]), None);
        assert_eq!(read(&[]), None);
    }
}
