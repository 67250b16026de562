//! The few words of the WebDriver protocol that the tests need, and the door to
//! the developer tools that the driver of Chromium adds.
//!
//! It is written here because the crates that speak it either keep JSON in
//! another order in the whole build, and so in the program under test, or bring
//! second copies of much that is there.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// The name that the protocol gives to the id of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// For one answer; a page that does not load is given up earlier.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session with a driver.
pub struct Session {
    http: reqwest::Client,
    port: u16,
    id: String,
}

/// What the driver refused.
#[derive(Debug)]
#[expect(dead_code, reason = "it is read by whom a test tells why it failed")]
pub struct Refused {
    /// Such as `no such element`.
    pub error: String,
    /// The first line of what it says.
    pub message: String,
}

/// An element of the page that was open when it was found.
#[derive(Clone, Debug)]
pub struct Element(String);

impl Session {
    /// Opens a browser.
    pub async fn open(port: u16, capabilities: &Value) -> Self {
        // Nothing of a machine's proxy settings may come in between.
        let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
        let url = format!("http://127.0.0.1:{port}/session");
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let value = value_of(http.post(url).json(&body)).await;
        let value = value.unwrap_or_else(|refused| panic!("no browser: {refused:?}"));
        let id = value["sessionId"].as_str().unwrap().to_owned();
        Session { http, port, id }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Result<Value, Refused> {
        value_of(self.http.get(self.url(path))).await
    }

    /// POST.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Refused> {
        value_of(self.http.post(self.url(path)).json(body)).await
    }

    /// The elements that a CSS selector finds, in the order of the page.
    pub async fn find(&self, selector: &str) -> Result<Vec<Element>, Refused> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.post("elements", &body).await?;
        let ids = found.as_array().unwrap().iter();
        Ok(ids.map(|element| Element(element[ELEMENT].as_str().unwrap().to_owned())).collect())
    }

    /// POST to an element.
    pub async fn act(&self, on: &Element, what: &str, body: &Value) -> Result<Value, Refused> {
        self.post(&format!("element/{}/{what}", on.0), body).await
    }

    /// GET of an element.
    pub async fn ask(&self, about: &Element, what: &str) -> Result<Value, Refused> {
        self.get(&format!("element/{}/{what}", about.0)).await
    }

    /// Runs the body of a function; a promise is waited for. It does so where
    /// the page forbids scripts, and where they are switched off.
    pub async fn script(&self, body: &str, arguments: &[Value]) -> Result<Value, Refused> {
        self.post("execute/sync", &json!({ "script": body, "args": arguments })).await
    }

    /// A command of the developer tools.
    pub async fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        let answer = self.post("goog/cdp/execute", &body).await;
        answer.unwrap_or_else(|refused| panic!("{command}: {refused:?}"))
    }

    /// Closes the browser, from where nothing can be awaited.
    pub fn close(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.id, self.port
        )?;
        // It answers when the browser is gone.
        stream.read_exact(&mut [0])
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/session/{}/{path}", self.port, self.id)
    }
}

/// Sends a request. That the driver is away or answers in no form of the
/// protocol is no answer, and ends the test.
async fn value_of(request: reqwest::RequestBuilder) -> Result<Value, Refused> {
    let reply = request.send().await.expect("the driver answers");
    let good = reply.status().is_success();
    let mut body: Value = reply.json().await.expect("the driver answers in JSON");
    let value = body["value"].take();
    if good {
        return Ok(value);
    }
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let message = text("message").lines().next().unwrap_or_default().to_owned();
    Err(Refused { error: text("error"), message })
}
