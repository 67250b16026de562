//! A browser as a person has it before them: pages of one daemon, a window, a
//! language, a colour scheme; what it complains about, and what it looks like.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tracker_testkit::eventually;

use crate::chromium::{Chromium, kept};
use crate::daemon::Daemon;
use crate::webdriver::{Element, Session};
use crate::wire::Wire;

/// For what a page does by itself.
const SOON: Duration = Duration::from_secs(20);

/// More tabs than a page of the tests has stops.
const MANY_TABS: usize = 150;

/// Keys that are no letters, as the protocol names them.
pub mod keys {
    pub const TAB: &str = "\u{e004}";
    pub const ENTER: &str = "\u{e007}";
    pub const ESCAPE: &str = "\u{e00c}";
}

/// How large the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// 360 × 740, touched with fingers.
    Phone,
    /// 1280 × 900.
    Desktop,
    /// As wide as this, in pixels, and looked at with a mouse.
    Wide(u32),
}

/// A browser that looks at one daemon.
pub struct Browser {
    chromium: Chromium,
    wire: Wire,
    window: Cell<Window>,
    /// What it wrote to its console; asked for, it forgets it.
    console: RefCell<Vec<Value>>,
}

impl Window {
    const fn size(self) -> (u32, u32) {
        match self {
            Window::Phone => (360, 740),
            Window::Desktop => (1280, 900),
            Window::Wide(width) => (width, 900),
        }
    }
}

impl Browser {
    /// A new one, with a desktop window, English and light, that nobody is
    /// logged in with.
    pub async fn open(daemon: &Daemon) -> Self {
        Self::at(&daemon.url()).await
    }

    /// The same at the root of any server.
    pub async fn at(url: &str) -> Self {
        let window = Cell::new(Window::Desktop);
        let console = RefCell::default();
        let (chromium, wire) = (Chromium::start().await, Wire::to(url).await);
        let browser = Browser { chromium, wire, window, console };
        browser.devtools("Network.enable", json!({})).await;
        browser.window(Window::Desktop).await;
        browser.language("en").await;
        browser.colours("light").await;
        browser
    }

    /// From now on it is somebody who may do everything.
    pub async fn log_in(&self, daemon: &Daemon) {
        self.enter(daemon).await;
        self.see("h1", "Inbox").await;
    }

    /// The same, whatever language the person has chosen.
    pub async fn enter(&self, daemon: &Daemon) {
        self.goto_login_link(daemon).await;
        self.click("main button").await;
    }

    /// Opens a login link, and does not use it.
    pub async fn goto_login_link(&self, daemon: &Daemon) {
        let said = daemon.tracker(&["user", "login-link"]);
        let link = said.done();
        let path = &link[link.find("/login?link=").unwrap()..];
        self.goto(path.trim()).await;
    }

    /// Opens a page, by its path.
    pub async fn goto(&self, path: &str) {
        self.visit(&format!("{}{path}", self.root())).await;
    }

    /// Opens a page of anybody.
    pub async fn visit(&self, url: &str) {
        let done = self.session().post("url", &json!({ "url": url })).await;
        done.unwrap_or_else(|refused| panic!("{url}: {refused:?}"));
    }

    /// The root of the daemon, as the browser names it.
    pub fn root(&self) -> String {
        self.wire.url()
    }

    /// Clicks the first element that is found and can be clicked.
    pub async fn click(&self, selector: &str) {
        self.act(selector, "click", &json!({})).await;
    }

    /// Empties a field and writes into it.
    pub async fn fill(&self, selector: &str, text: &str) {
        self.act(selector, "clear", &json!({})).await;
        self.act(selector, "value", &json!({ "text": text })).await;
    }

    /// Presses keys where the focus is: letters, and those of [`keys`].
    pub async fn press(&self, keys: &str) {
        let strokes = keys.chars().flat_map(|key| ["keyDown", "keyUp"].map(|kind| (kind, key)));
        let strokes: Vec<Value> =
            strokes.map(|(kind, key)| json!({ "type": kind, "value": key })).collect();
        let board = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        let done = self.session().post("actions", &json!({ "actions": [board] })).await;
        done.unwrap_or_else(|refused| panic!("{keys:?}: {refused:?}"));
    }

    /// Chooses in a list.
    pub async fn choose(&self, list: &str, value: &str) {
        self.click(&format!("{list} option[value='{value}']")).await;
    }

    /// Goes to an element as somebody does who is about to press it: what it is part of
    /// does not change under them any more.
    pub async fn rest_on(&self, selector: &str) {
        let go = "document.querySelector(arguments[0])?.focus()";
        self.until(&format!("the focus on {selector}"), async || {
            self.script(go, &[selector.into()]).await;
            self.is_focused(selector).await.then_some(())
        })
        .await;
    }

    /// Goes on with the Tab key alone until the focus is on an element that is found.
    pub async fn tab_to(&self, selector: &str) {
        for _ in 0..MANY_TABS {
            self.press(keys::TAB).await;
            if self.is_focused(selector).await {
                return;
            }
        }
        panic!("{selector} is not reached by {MANY_TABS} tabs on {}", self.address().await);
    }

    /// Waits until the focus is on an element that is found.
    pub async fn see_focus(&self, selector: &str) {
        self.until(&format!("the focus on {selector}"), async || {
            self.is_focused(selector).await.then_some(())
        })
        .await;
    }

    async fn is_focused(&self, selector: &str) -> bool {
        let is = "return document.activeElement?.matches(arguments[0]) === true";
        self.script(is, &[selector.into()]).await == true
    }

    /// Waits until it is at this path, with its query.
    pub async fn see_path(&self, path: &str) {
        let wanted = format!("{}{path}", self.root());
        self.until(&format!("the page {path}"), async || {
            (self.address().await == wanted).then_some(())
        })
        .await;
    }

    /// Waits until the body of a function returns something that is wanted.
    pub async fn until_script(&self, body: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.until(body, async || Some(self.script(body, &[]).await).filter(|value| wanted(value)))
            .await
    }

    /// Waits until an element that is found shows this text.
    pub async fn see(&self, selector: &str, text: &str) {
        self.until(&format!("{selector} that shows {text:?}"), async || {
            let shown = self.shown(selector).await?;
            shown.iter().any(|shown| shown.contains(text)).then_some(())
        })
        .await;
    }

    /// Waits until nothing that is shown is found.
    pub async fn see_no(&self, selector: &str) {
        self.until(&format!("no {selector}"), async || {
            for element in self.session().find(selector).await.ok()? {
                let shown = self.session().ask(&element, "displayed").await.ok()?;
                if shown == true {
                    return None;
                }
            }
            Some(())
        })
        .await;
    }

    /// The text that the first element shows, once there is one.
    pub async fn text(&self, selector: &str) -> String {
        self.until(selector, async || self.shown(selector).await?.into_iter().next()).await
    }

    /// An attribute of the first element, once there is one.
    pub async fn attr(&self, selector: &str, name: &str) -> Option<String> {
        self.until(selector, async || {
            let element = self.first(selector).await?;
            let what = format!("attribute/{name}");
            let value = self.session().ask(&element, &what).await.ok()?;
            Some(value.as_str().map(str::to_owned))
        })
        .await
    }

    /// The title of the page.
    pub async fn title(&self) -> String {
        self.session().get("title").await.unwrap().as_str().unwrap().to_owned()
    }

    /// Where it is.
    pub async fn address(&self) -> String {
        self.session().get("url").await.unwrap().as_str().unwrap().to_owned()
    }

    /// What the body of a function returns. The argument of the page's own
    /// scripts it is not: it runs where they are forbidden, too.
    pub async fn script(&self, body: &str, arguments: &[Value]) -> Value {
        let value = self.session().script(body, arguments).await;
        value.unwrap_or_else(|refused| panic!("{body:.80}: {refused:?}"))
    }

    /// Has a window of this size.
    pub async fn window(&self, window: Window) {
        self.window.set(window);
        let phone = window == Window::Phone;
        let (width, height) = window.size();
        // A window on a desktop cannot be as narrow as a phone is.
        let size = json!({
            "width": width, "height": height, "mobile": phone,
            "deviceScaleFactor": if phone { 2 } else { 1 },
        });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let touched = json!({ "enabled": phone, "maxTouchPoints": if phone { 5 } else { 1 } });
        self.devtools("Emulation.setTouchEmulationEnabled", touched).await;
    }

    /// Prefers a colour scheme: `light` or `dark`.
    pub async fn colours(&self, scheme: &str) {
        let wish = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [wish] })).await;
    }

    /// Prefers a language, such as `ru`.
    pub async fn language(&self, language: &str) {
        let version = self.devtools("Browser.getVersion", json!({})).await;
        let agent = &version["userAgent"];
        let wish = json!({ "userAgent": agent, "acceptLanguage": language });
        self.devtools("Network.setUserAgentOverride", wish).await;
    }

    /// Lets pages run scripts or not, from the next page on.
    pub async fn scripts(&self, on: bool) {
        self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": !on })).await;
    }

    /// Cuts it off from the server, or no longer; open streams end.
    pub async fn offline(&self, off: bool) {
        self.wire.cut(off);
        let how = json!({
            "offline": off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.devtools("Network.emulateNetworkConditions", how).await;
    }

    /// What it has complained about since it was opened: scripts that failed,
    /// what could not be loaded, what a policy forbade.
    pub async fn complaints(&self) -> Vec<String> {
        let fresh = self.session().post("se/log", &json!({ "type": "browser" })).await.unwrap();
        let mut console = self.console.borrow_mut();
        console.extend(fresh.as_array().unwrap().iter().cloned());
        let bad = console
            .iter()
            .filter(|entry| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")));
        bad.map(|entry| format!("{}: {}", entry["source"], entry["message"])).collect()
    }

    /// Fails where it has complained about anything.
    pub async fn no_complaints(&self) {
        let found = self.complaints().await;
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    /// How much wider the page is than the window, and the elements that reach
    /// beyond it.
    pub async fn overflow(&self) -> (u64, Vec<String>) {
        // Not `innerWidth`: on a phone the window grows with what is too wide.
        let (width, _) = self.window.get().size();
        let found = self.script(OVERFLOW, &[width.into()]).await;
        let wide = found["wide"].as_array().unwrap().iter();
        let wide = wide.map(|name| name.as_str().unwrap().to_owned()).collect();
        (found["width"].as_u64().unwrap().saturating_sub(width.into()), wide)
    }

    /// Fails where the page has to be scrolled sideways.
    pub async fn no_overflow(&self) {
        let (too_wide, elements) = self.overflow().await;
        let address = self.address().await;
        assert_eq!(too_wide, 0, "{address} is too wide by: {}", elements.join(", "));
    }

    /// Fails where a word is broken within something that people press or read at a glance.
    pub async fn no_broken_words(&self) {
        let broken = self.script(BROKEN_WORDS, &[]).await;
        let address = self.address().await;
        assert_eq!(broken, json!([]), "{address} breaks words");
    }

    /// Keeps a picture of the whole page, to be looked at after the tests.
    pub async fn screenshot(&self, name: &str) {
        let whole = json!({ "format": "png", "captureBeyondViewport": true });
        let answer = self.devtools("Page.captureScreenshot", whole).await;
        let picture = STANDARD.decode(answer["data"].as_str().unwrap()).unwrap();
        let folder = kept().join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }

    /// A command of the developer tools.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.session().devtools(command, &parameters).await
    }

    /// The process group that it and its driver are in.
    pub fn group(&self) -> u32 {
        self.chromium.group()
    }

    const fn session(&self) -> &Session {
        &self.chromium.session
    }

    async fn first(&self, selector: &str) -> Option<Element> {
        self.session().find(selector).await.ok()?.into_iter().next()
    }

    /// What the elements show; nothing where one of them went away meanwhile.
    async fn shown(&self, selector: &str) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        for element in self.session().find(selector).await.ok()? {
            let text = self.session().ask(&element, "text").await.ok()?;
            texts.push(text.as_str()?.to_owned());
        }
        Some(texts)
    }

    /// Does something to the first element as soon as it can be done: it may be
    /// about to come, to be covered or to be exchanged.
    async fn act(&self, selector: &str, what: &str, body: &Value) {
        self.until(&format!("{what} of {selector}"), async || {
            let element = self.first(selector).await?;
            self.session().act(&element, what, body).await.ok().map(drop)
        })
        .await;
    }

    /// Waits, and says what the page shows where that was in vain.
    async fn until<T>(&self, what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
        let wait = eventually(SOON * 2, what, async || probe().await);
        if let Ok(found) = tokio::time::timeout(SOON, wait).await {
            return found;
        }
        let page = self.shown("body").await.unwrap_or_default().join("\n");
        panic!("not within {SOON:?}: {what}; {} shows:\n{page}", self.address().await);
    }
}

/// The width of the page, and what reaches beyond the window while nothing
/// around it scrolls or cuts.
const OVERFLOW: &str = "
const limit = arguments[0];
const held = (element) => {
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
    if (getComputedStyle(up).overflowX !== 'visible') return true;
  }
  return false;
};
const name = (element) => element.tagName.toLowerCase()
  + (element.id ? '#' + element.id : '')
  + [...element.classList].map((one) => '.' + one).join('');
const wide = [...document.body.querySelectorAll('*')]
  .filter((element) => element.getBoundingClientRect().right > limit + 0.5 && !held(element));
return { width: document.documentElement.scrollWidth, wide: wide.slice(0, 10).map(name) };
";

/// The words that stand on two lines.
const BROKEN_WORDS: &str = "
const broken = [];
for (const element of document.querySelectorAll('button, .button, .mark, [data-whole], nav.site a')) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const word of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
}
return broken;
";
