/** What keeps pages up to date, and answers to single keys; all of it can be done without. */
export const SCRIPT = `"use strict";
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const body = document.body;
let seen = Number(body.dataset.seq ?? 0);

const keyed = (key) => all("[data-key]").find((element) => element.dataset.key === key);
const keyOf = (element) => element?.closest("[data-key]")?.dataset.key;

// What the reader has done to a part of the page, to be done to the one that replaces it.
const stateOf = (part) => ({
  open: all("details[open][data-key]", part).map((element) => element.dataset.key),
  scrolled: all(".scroll[data-key]", part).map((element) => [element.dataset.key, element.scrollLeft, element.scrollTop]),
  keys: new Set(all("[data-key]", part).map((element) => element.dataset.key)),
});
const restore = (part, { open, scrolled, keys }) => {
  for (const element of all("details[data-key]", part)) element.open = open.includes(element.dataset.key);
  for (const [key, left, top] of scrolled) keyed(key)?.scrollTo(left, top);
  for (const element of all(".card[data-key], .timeline > li", part)) if (!keys.has(element.dataset.key)) element.classList.add("fresh");
};

const isTyping = (part) => part.contains(document.activeElement) && /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);

// Puts the parts of a newer page in the place of those that are shown; what has not changed stays.
const swap = (next) => {
  for (const part of all("[data-live]")) {
    const other = one('[data-live="' + part.dataset.live + '"]', next);
    if (other === null || other.innerHTML === part.dataset.was || isTyping(part)) continue;
    const was = other.innerHTML;
    const focused = part.contains(document.activeElement) ? document.activeElement : undefined;
    const key = keyOf(focused);
    const within = key === undefined ? -1 : all("a, button, summary", keyed(key)).indexOf(focused);
    const state = stateOf(part);
    part.replaceChildren(...document.adoptNode(other).childNodes);
    part.dataset.was = was;
    restore(part, state);
    if (focused === undefined) continue;
    const home = key === undefined ? undefined : keyed(key);
    const target = home && (all("a, button, summary", home)[within] ?? home);
    (target ?? one("#main")).focus({ preventScroll: true });
  }
  const to = one("title", next);
  if (to) document.title = to.textContent;
};

let isLooking = false;
let mustLook = false;
const look = async () => {
  if (isLooking) { mustLook = true; return; }
  isLooking = true;
  try {
    do {
      mustLook = false;
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) continue;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      seen = Math.max(seen, Number(next.body.dataset.seq ?? 0));
      lookAgain(next.body.dataset.again);
      swap(next);
    } while (mustLook);
  } catch {
    tell("off");
  } finally {
    isLooking = false;
  }
};

const tell = (words) => {
  if (one("#live-words").textContent === words) return;
  one("#live-words").textContent = words;
  one("#live").classList.toggle("on", words === "live");
};

// What goes on without being told of is looked at from time to time.
let [again, timer] = [undefined, 0];
const lookAgain = (seconds) => {
  if (seconds === again) return;
  again = seconds;
  clearInterval(timer);
  if (seconds !== undefined) timer = setInterval(() => { if (!document.hidden) look(); }, 1000 * Number(seconds));
};

let due = 0;
const lookSoon = () => {
  if (document.hidden) { mustLook = true; return; }
  // Many changes at once are one look.
  due ||= setTimeout(() => { due = 0; look(); }, 60);
};

if (body.dataset.seq !== undefined) {
  let events;
  const listen = () => {
    events = new EventSource("/events");
    events.addEventListener("open", () => tell("live"));
    events.addEventListener("changed", ({ data }) => { if (Number(data) > seen) lookSoon(); });
    events.addEventListener("error", () => {
      tell("off");
      // The browser comes back by itself unless the server has said no.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    });
  };
  listen();
  // A page that is left must not hold one of the few connections that a browser has to a server.
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) { listen(); lookSoon(); } });
}
if (body.dataset.again !== undefined) tell("live");
lookAgain(body.dataset.again);
document.addEventListener("visibilitychange", () => { if (!document.hidden && mustLook) look(); });

const filter = one("#filter");
filter?.addEventListener("change", ({ target }) => { if (target.tagName === "SELECT") filter.requestSubmit(); });
// Empty fields say nothing in the address.
filter?.addEventListener("formdata", ({ formData }) => { for (const [name, value] of [...formData]) if (value === "") formData.delete(name); });

const keys = one("#keys");
const isOn = one("#keys-on");
isOn.checked = localStorage.getItem("keys") !== "off";
isOn.addEventListener("change", () => localStorage.setItem("keys", isOn.checked ? "on" : "off"));
const opener = one("#keys-open");
opener.hidden = false;
opener.addEventListener("click", () => keys.showModal());

const move = (step) => {
  const links = all(".card > a, .timeline .deed > a, .tree a, a.node, .hit h2 > a").filter((link) => link.getClientRects().length > 0);
  const at = links.indexOf(document.activeElement);
  const next = at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step));
  links[next]?.focus();
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || keys.open || !isOn.checked) return;
  if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const deed = { "/": () => { one("#search")?.focus(); one("#search")?.select(); }, "?": () => keys.showModal(), j: () => move(1), k: () => move(-1) }[event.key];
  if (deed === undefined) return;
  event.preventDefault();
  deed();
});
`;
