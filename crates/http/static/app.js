// What pages do better with a script. Without it every form and link works all the same.
(() => {
  "use strict";
  const base = document.documentElement.dataset.base || "";
  const words = document.getElementById("words")?.dataset || {};
  const live = document.getElementById("live");
  const say = (text) => { if (live && text) live.textContent = text; };

  // The script of fragments: no evaluation of text, no style of its own.
  const htmx = window.htmx;
  if (htmx) {
    htmx.config.allowEval = false;
    htmx.config.includeIndicatorStyles = false;
    htmx.config.selfRequestsOnly = true;
    // What is no page takes nothing off this one.
    htmx.config.responseHandling = [{ code: "2..", swap: true }, { code: "...", swap: false }];
    // A session that ended leads to the login, and from there back to this page.
    document.addEventListener("htmx:beforeSwap", (event) => {
      if (event.detail.xhr.status === 401) location.reload();
    });
  }

  // --- live rows ------------------------------------------------------------------
  const regions = () => document.querySelectorAll("[data-live]");
  // What a person has filled in or chosen.
  const changed = (field) => {
    if (field.type === "hidden") return false;
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
    const first = [...field.options].findIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(0, first);
  };
  // A row must not move away under a pointer, a selection or the keyboard.
  const busy = (element) =>
    (element.dataset.live !== "form" && element.matches(":hover")) ||
    element.contains(document.activeElement) ||
    [...element.querySelectorAll("input, select, textarea")].some(changed);
  const SPAN = 10000;
  let late = false;
  let pending = 0;
  let looked = Date.now();
  function refresh() {
    looked = Date.now();
    if (!htmx) return;
    const idle = [...regions()].filter((element) => !busy(element));
    late = idle.length < regions().length;
    if (!idle.length) return;
    // One page for all: of several requests at once htmx drops those in the middle.
    const selectOOB = idle.map((element) => `#${element.id}`).join(",");
    htmx.ajax("GET", location.href, { target: "body", swap: "none", selectOOB });
  }
  // Somebody may have come to it while the page was on its way.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (!busy(event.detail.target)) return;
    event.detail.shouldSwap = false;
    late = true;
  });
  const soon = () => {
    // Not put off any further: where much happens there is always something more.
    pending ||= window.setTimeout(() => { pending = 0; refresh(); }, 300);
  };
  document.addEventListener("pointerout", () => { if (late) soon(); });
  document.addEventListener("focusout", () => { if (late) soon(); });

  function progress(ticks) {
    // Speeds and times are in words of the server.
    if (Date.now() - looked > SPAN) soon();
    for (const tick of ticks) {
      for (const row of document.querySelectorAll(`[data-download="${tick.download_id}"]`)) {
        const bar = row.querySelector("progress");
        const { bytes_done: done, bytes_total: total } = tick.progress;
        if (!bar || done === null || !total) continue;
        const share = Math.min(100, Math.floor((done / total) * 100));
        bar.value = share;
        bar.hidden = false;
        const text = row.querySelector("[data-share]");
        if (text) text.textContent = `${share}\u00a0%`;
      }
    }
  }

  let source = null;
  let poll = 0;
  const paused = document.getElementById("paused");
  function stop() {
    source?.close();
    source = null;
    window.clearInterval(poll);
    poll = 0;
  }
  function start() {
    if (!regions().length || source || document.hidden) return;
    const stream = new EventSource(`${base}/events/stream`);
    source = stream;
    source.addEventListener("open", () => {
      window.clearInterval(poll);
      poll = 0;
      if (paused) paused.hidden = true;
      // What happened between the page and the stream.
      soon();
    });
    source.addEventListener("error", () => {
      if (paused) paused.hidden = false;
      // An answer that is no stream ends it for good: that of a proxy whose server is
      // away, or a refusal since the login is over, to which the page then leads.
      if (stream.readyState === EventSource.CLOSED && source === stream) {
        source = null;
        soon();
      }
      poll ||= window.setInterval(() => { refresh(); start(); }, SPAN);
    });
    source.addEventListener("progress", (event) => progress(JSON.parse(event.data)));
    source.addEventListener("fact", soon);
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop(); else { start(); soon(); }
  });
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", start);
  start();

  // --- copying --------------------------------------------------------------------
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.dataset.copy;
    navigator.clipboard?.writeText(text).then(() => say(words.copied));
  });
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  // An id that is shown short is copied whole.
  document.addEventListener("copy", (event) => {
    const whole = window.getSelection()?.anchorNode?.parentElement?.closest("[data-whole]");
    if (!whole || window.getSelection().toString().trim() !== whole.textContent.trim()) return;
    event.clipboardData.setData("text/plain", whole.dataset.whole);
    event.preventDefault();
  });

  // --- dropping a file on the page ------------------------------------------------
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    const input = document.querySelector("input[type=file][name=torrent]");
    const form = document.querySelector("form.quick");
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (input && files?.length) {
      input.files = files;
      input.form.requestSubmit();
    } else if (form) {
      const text = event.dataTransfer?.getData("text/plain");
      if (text) { form.elements.magnet.value = text; form.requestSubmit(); }
    }
  });

  // --- the magnet handler ---------------------------------------------------------
  const handler = document.getElementById("magnet-handler");
  if (handler && window.isSecureContext && navigator.registerProtocolHandler) {
    handler.hidden = false;
    handler.addEventListener("click", () => {
      navigator.registerProtocolHandler("magnet", `${location.origin}${base}/add?magnet=%s`);
    });
  }

  // --- the time zone, once -----------------------------------------------------------
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !/(^|; )tracker_zone=/.test(document.cookie)) {
    document.cookie = `tracker_zone=${encodeURIComponent(zone)}; Path=${base || "/"}; SameSite=Lax; Max-Age=31536000`;
  }

  // --- keys -----------------------------------------------------------------------
  const typing = (element) =>
    element.closest("input, textarea, select, [contenteditable], dialog[open]");
  const rows = () => [...document.querySelectorAll("[data-row]")];
  const current = () => document.activeElement?.closest?.("[data-row]");
  function move(step) {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(current());
    const next = all[Math.min(all.length - 1, Math.max(0, at + step))] || all[0];
    next.querySelector("a, button")?.focus();
  }
  const visit = (path) => { location.href = base + path; };
  const places = { i: "/", l: "/library", h: "/health", a: "/add", e: "/events", s: "/settings" };
  let go = 0;
  const keys = document.getElementById("keys");
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && keys?.open) { keys.close(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (document.documentElement.dataset.keys === "off") return;
    if (go && Date.now() - go < 1500) {
      go = 0;
      if (places[event.key]) { event.preventDefault(); visit(places[event.key]); }
      return;
    }
    const act = {
      "/": () => visit("/search"),
      a: () => document.querySelector("form.quick textarea")?.focus(),
      g: () => { go = Date.now(); },
      j: () => move(1),
      k: () => move(-1),
      r: () => (current() || document).querySelector("[data-key=review]")?.click(),
      x: () => current()?.querySelector("input[type=checkbox]")?.click(),
      u: () => document.querySelector("main [data-key=undo]")?.focus(),
      "?": () => keys?.showModal(),
    }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  document.addEventListener("change", (event) => {
    const box = event.target.closest("input[name=chosen]");
    if (!box) return;
    box.closest("[data-row]")?.toggleAttribute("data-chosen", box.checked);
    const any = document.querySelector("input[name=chosen]:checked");
    for (const element of document.querySelectorAll("[data-bulk]")) element.hidden = !any;
  });
  for (const element of document.querySelectorAll("[data-bulk]")) element.hidden = true;
  document.querySelector("[data-summary]")?.focus();
})();
