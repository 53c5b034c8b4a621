import { type Html, html, type Piece } from "./html.js";
import type { Shown } from "./view.js";

/** What stands around every page. */
export interface Frame {
  readonly version: string;
  /** Where style and script are. */
  readonly files: { readonly style: string; readonly script: string; readonly icon: string };
  /** The place of the last event that the page shows; undefined where nothing can change. */
  readonly seq: number | undefined;
  readonly hasTasks: boolean;
  readonly hasKnowledge: boolean;
  /** Where what is shown is kept. */
  readonly place: string | undefined;
  /** Whether something can be changed: not at all, by whoever has the token, or by this browser. */
  readonly writing: "never" | "locked" | "unlocked";
}

/** A whole page. */
export function layout({ title, main, here, searched = "", hasSearch = false, againS }: Shown, frame: Frame): Html {
  const { files, seq, hasTasks, hasKnowledge } = frame;
  const link = (path: string, name: string): Html =>
    html`<li><a href="${path}"${here === path && html` aria-current="page"`}>${name}</a></li>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Toolwright</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${files.style}">
<link rel="icon" type="image/svg+xml" href="${files.icon}">
<script src="${files.script}" defer></script>
</head>
<body${seq !== undefined && html` data-seq="${seq}"`}${againS !== undefined && html` data-again="${againS}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="3" width="5.5" height="18" rx="1.5"/><rect x="9.25" y="3" width="5.5" height="12" rx="1.5"/><rect x="16.5" y="3" width="5.5" height="7" rx="1.5"/></svg>Toolwright</a>
<nav aria-label="Pages"><ul>${hasTasks && [link("/", "Board"), link("/graph", "Graph"), link("/activity", "Activity")]}${hasKnowledge && link("/knowledge", "Knowledge")}${link("/server", "Server")}</ul></nav>
${hasTasks && !hasSearch && search(searched)}
<p class="live" id="live" role="status"><span class="unseen">Live updates: </span><span id="live-words">off</span></p>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><p>Toolwright ${frame.version}${frame.place !== undefined && html` · <span class="where">${frame.place}</span>`} · ${writingWords(frame)}</p>
<p><button type="button" id="keys-open" hidden>Keyboard</button></p></footer>
${keys(hasTasks || hasSearch)}
</body>
</html>
`;
}

const search = (searched: string): Html => html`<form class="search" action="/search" role="search">
<label class="unseen" for="search">Search tasks</label>
<input id="search" name="q" type="search" placeholder="Search tasks" value="${searched}" autocomplete="off" maxlength="500" aria-keyshortcuts="/">
<button>Search</button></form>`;

function writingWords({ writing }: Frame): Piece {
  if (writing === "never") return "read-only";
  return html`<a href="/unlock">${writing === "locked" ? "locked: unlock changes" : "changes are unlocked"}</a>`;
}

const keys = (hasSearch: boolean): Html => html`<dialog id="keys" aria-labelledby="keys-title">
<h2 id="keys-title">Keyboard</h2>
<dl class="keys">${hasSearch && html`<div><dt><kbd>/</kbd></dt><dd>search</dd></div>`}
<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous entry</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>open it</dd></div>
<div><dt><kbd>?</kbd></dt><dd>this help</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>close it</dd></div></dl>
<p><label><input type="checkbox" id="keys-on" checked> Single keys do something</label></p>
<form method="dialog"><button>Close</button></form>
</dialog>`;

/** A part of a page that is brought up to date while somebody looks at it. */
export const live = (name: string, content: Piece): Html =>
  html`<div class="part" data-live="${name}">${content}</div>`;
