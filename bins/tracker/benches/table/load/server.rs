//! One of the two servers, as a browser meets it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde_json::json;

use crate::daemon::Daemon;

/// What every name of a fact begins with.
pub const FACT: &str = "Bench.Fact.";

/// Where to ask, and as whom.
#[derive(Clone)]
pub struct Server {
    url: String,
    client: Client,
    /// What a program writes with.
    token: String,
}

impl Server {
    /// The one that asks nobody who they are.
    pub fn plain(url: &str) -> Result<Self> {
        Ok(Server { url: url.to_owned(), client: client(None)?, token: String::new() })
    }

    /// The daemon, after a login by its first link.
    pub async fn logged_in(daemon: &Daemon, data: &Path) -> Result<Self> {
        let url = daemon.url()?;
        let link = fs::read_to_string(data.join("login-link")).context("reading the login link")?;
        let (_, secret) = link.trim().split_once("?link=").context("the link has a secret")?;
        let answer = client(None)?
            .post(format!("{url}/login"))
            .header("origin", &url)
            .form(&[("link", secret)])
            .send()
            .await
            .context("logging in")?;
        let cookie = answer.headers().get(SET_COOKIE).and_then(|value| value.to_str().ok());
        let cookie = cookie.and_then(|value| value.split(';').next()).context("a session")?;
        let token = fs::read_to_string(data.join("api-token")).context("reading the token")?;
        Ok(Server { client: client(Some(cookie))?, url, token: token.trim().to_owned() })
    }

    /// The inbox, as it is.
    pub async fn page(&self) -> Result<String> {
        self.get("/", "identity").await?.text().await.context("reading a page")
    }

    /// The inbox as a browser has it sent; its size.
    pub async fn packed_page(&self) -> Result<usize> {
        self.packed("/").await
    }

    /// A stream of facts.
    pub async fn stream(&self) -> Result<Response> {
        self.get("/events/stream", "gzip").await
    }

    /// Has it write the fact that this download is there.
    pub async fn fact(&self, number: usize) -> Result<()> {
        // Far from those that the database was filled with.
        let link = format!("magnet:?xt=urn:btih:{number:08x}{:032x}&dn={FACT}{number}", 7);
        let request = self.client.post(format!("{}/api/v1/downloads", self.url));
        let request = request.header("x-api-key", &self.token).json(&json!({ "magnet": link }));
        let answer = request.send().await.context("writing a fact")?;
        if !answer.status().is_success() {
            bail!("a download was answered with {}", answer.status());
        }
        Ok(())
    }

    /// What a browser is sent that has been here never before.
    pub async fn first_page_bytes(&self) -> Result<usize> {
        let page = self.page().await?;
        let mut bytes = self.packed_page().await?;
        for front in ["href=\"/static/", "src=\"/static/"] {
            for rest in page.split(front).skip(1) {
                let name = rest.split('"').next().unwrap_or_default();
                bytes += self.packed(&format!("/static/{name}")).await?;
            }
        }
        Ok(bytes)
    }

    async fn packed(&self, path: &str) -> Result<usize> {
        let answer = self.get(path, "gzip").await?;
        Ok(answer.bytes().await.context("reading an answer")?.len())
    }

    async fn get(&self, path: &str, encoding: &'static str) -> Result<Response> {
        let request = self.client.get(format!("{}{path}", self.url));
        let answer = request.header(ACCEPT_ENCODING, encoding).send().await;
        let answer = answer.with_context(|| format!("asking for {path}"))?;
        if answer.status() != 200 {
            bail!("{path} was answered with {}", answer.status());
        }
        Ok(answer)
    }
}

fn client(cookie: Option<&str>) -> Result<Client> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/html"));
    if let Some(cookie) = cookie {
        headers.insert(COOKIE, HeaderValue::from_str(cookie).context("a cookie")?);
    }
    // What it unpacked would count as time of the server.
    let client = Client::builder().no_gzip().no_proxy().redirect(Policy::none());
    client.default_headers(headers).tcp_nodelay(true).build().context("making a client")
}
