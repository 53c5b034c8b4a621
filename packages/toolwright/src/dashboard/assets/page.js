"use strict";
// Updates the live parts of pages after changes, and handles keyboard shortcuts. Pages work without it.
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const body = document.body;
let position = Number(body.dataset.position ?? 0);

const findByKey = (key) => all("[data-key]").find((element) => element.dataset.key === key);
const keyOf = (element) => element?.closest("[data-key]")?.dataset.key;

// What the reader has opened and scrolled in a part of the page, for the part that replaces it.
const stateOf = (part) => ({
  open: all("details[open][data-key]", part).map((element) => element.dataset.key),
  scrolled: all(".scroll[data-key]", part).map((element) => [
    element.dataset.key,
    element.scrollLeft,
    element.scrollTop,
  ]),
  keys: new Set(all("[data-key]", part).map((element) => element.dataset.key)),
});
const restore = (part, { open, scrolled, keys }) => {
  for (const element of all("details[data-key]", part)) element.open = open.includes(element.dataset.key);
  for (const [key, left, top] of scrolled) findByKey(key)?.scrollTo(left, top);
  for (const element of all(".card[data-key], .timeline > li", part))
    if (!keys.has(element.dataset.key)) element.classList.add("fresh");
};

const isTyping = (part) =>
  part.contains(document.activeElement) && /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);

// Replaces the live parts that have changed by those of a newer page.
const swap = (next) => {
  for (const part of all("[data-live]")) {
    const other = one('[data-live="' + part.dataset.live + '"]', next);
    if (other === null || other.innerHTML === part.dataset.was || isTyping(part)) continue;
    const was = other.innerHTML;
    const focused = part.contains(document.activeElement) ? document.activeElement : undefined;
    const key = keyOf(focused);
    const within = key === undefined ? -1 : all("a, button, summary", findByKey(key)).indexOf(focused);
    const state = stateOf(part);
    part.replaceChildren(...document.adoptNode(other).childNodes);
    part.dataset.was = was;
    restore(part, state);
    if (focused === undefined) continue;
    const home = key === undefined ? undefined : findByKey(key);
    const target = home && (all("a, button, summary", home)[within] ?? home);
    (target ?? one("#main")).focus({ preventScroll: true });
  }
  const to = one("title", next);
  if (to) document.title = to.textContent;
};

let isLoading = false;
let mustReload = false;
const reload = async () => {
  if (isLoading) {
    mustReload = true;
    return;
  }
  isLoading = true;
  try {
    do {
      mustReload = false;
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) continue;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      position = Math.max(position, Number(next.body.dataset.position ?? 0));
      setRefresh(next.body.dataset.refresh);
      swap(next);
    } while (mustReload);
  } catch {
    showState("off");
  } finally {
    isLoading = false;
  }
};

const showState = (state) => {
  if (one("#live-state").textContent === state) return;
  one("#live-state").textContent = state;
  one("#live").classList.toggle("on", state === "live");
};

// Pages without a change feed reload at an interval.
let [interval, timer] = [undefined, 0];
const setRefresh = (seconds) => {
  if (seconds === interval) return;
  interval = seconds;
  clearInterval(timer);
  if (seconds !== undefined)
    timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, 1000 * Number(seconds));
};

let due = 0;
const reloadSoon = () => {
  if (document.hidden) {
    mustReload = true;
    return;
  }
  // Many changes at once are one reload.
  due ||= setTimeout(() => {
    due = 0;
    void reload();
  }, 60);
};

if (body.dataset.position !== undefined) {
  let events;
  const listen = () => {
    events = new EventSource("/events");
    events.addEventListener("open", () => showState("live"));
    events.addEventListener("changed", ({ data }) => {
      if (Number(data) > position) reloadSoon();
    });
    events.addEventListener("error", () => {
      showState("off");
      // The browser reconnects by itself unless the server has rejected it.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    });
  };
  listen();
  // Browsers have few connections to a server: a page that is left must not hold one.
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) {
      listen();
      reloadSoon();
    }
  });
}
if (body.dataset.refresh !== undefined) showState("live");
setRefresh(body.dataset.refresh);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && mustReload) void reload();
});

const filter = one("#filter");
filter?.addEventListener("change", ({ target }) => {
  if (target.tagName === "SELECT") filter.requestSubmit();
});
// Leaves empty fields out of the address.
filter?.addEventListener("formdata", ({ formData }) => {
  const names = Array.from(formData.keys());
  for (const name of names) if (formData.get(name) === "") formData.delete(name);
});

const keys = one("#keys");
const isOn = one("#keys-on");
isOn.checked = localStorage.getItem("keys") !== "off";
isOn.addEventListener("change", () => localStorage.setItem("keys", isOn.checked ? "on" : "off"));
const opener = one("#keys-open");
opener.hidden = false;
opener.addEventListener("click", () => keys.showModal());

const move = (step) => {
  const links = all(".card > a, .timeline .event > a, .tree a, a.node, .hit h2 > a").filter(
    (link) => link.getClientRects().length > 0,
  );
  const at = links.indexOf(document.activeElement);
  const next = at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step));
  links[next]?.focus();
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || keys.open || !isOn.checked) return;
  if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const action = {
    "/": () => {
      one("#search")?.focus();
      one("#search")?.select();
    },
    "?": () => keys.showModal(),
    j: () => move(1),
    k: () => move(-1),
  }[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
});
