import { type Html, html } from "@toolwright/kit/html";
import type { Page, PageContent } from "@toolwright/kit/pages";
import type { Assets } from "./assets.js";
import type { WriteState } from "./system-pages.js";

/** What a page needs to know about the dashboard around it. */
export interface Frame {
  readonly version: string;
  readonly assets: Assets;
  /** The position of the change feeds when the page was rendered; undefined if nothing can change. */
  readonly position: number | undefined;
  /** The entries of the navigation. */
  readonly nav: readonly { readonly path: string; readonly label: string }[];
  /** The path of the current entry. */
  readonly currentPath: string | undefined;
  /** The page that shows results of the search box. */
  readonly search: Page | undefined;
  /** Where the data comes from. */
  readonly source: string | undefined;
  readonly writeState: WriteState;
}

/** Renders a whole page. */
export function layout(content: PageContent & { readonly title: string }, frame: Frame): Html {
  const { title, main, searchText = "", hasOwnSearch = false, refreshSeconds } = content;
  const { assets, position, nav, currentPath, search, source, writeState } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Toolwright</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${assets.paths["page.css"]}">
<link rel="icon" type="image/svg+xml" href="${assets.paths["icon.svg"]}">
<script src="${assets.paths["page.js"]}" defer></script>
</head>
<body${position !== undefined && html` data-position="${position}"`}${refreshSeconds !== undefined && html` data-refresh="${refreshSeconds}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="3" width="5.5" height="18" rx="1.5"/><rect x="9.25" y="3" width="5.5" height="12" rx="1.5"/><rect x="16.5" y="3" width="5.5" height="7" rx="1.5"/></svg>Toolwright</a>
<nav aria-label="Pages"><ul>${nav.map(({ path, label }) => html`<li><a href="${path}"${path === currentPath && html` aria-current="page"`}>${label}</a></li>`)}</ul></nav>
${search !== undefined && !hasOwnSearch && searchBox(search, searchText)}
<p class="live" id="live" role="status"><span class="unseen">Live updates: </span><span id="live-state">off</span></p>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><p>Toolwright ${frame.version}${source !== undefined && html` · <span class="where">${source}</span>`} · ${
    writeState === "never"
      ? "read-only"
      : html`<a href="/unlock">${writeState === "locked" ? "locked: unlock changes" : "changes are unlocked"}</a>`
  }</p>
<p><button type="button" id="keys-open" hidden>Keyboard shortcuts</button></p></footer>
${keyboardHelp(search !== undefined || hasOwnSearch)}
</body>
</html>
`;
}

const searchBox = ({ path, search: { label } = { label: "Search" } }: Page, text: string): Html =>
  html`<form class="search" action="${path}" role="search">
<label class="unseen" for="search">${label}</label>
<input id="search" name="q" type="search" placeholder="${label}" value="${text}" autocomplete="off" maxlength="500" aria-keyshortcuts="/">
<button>Search</button></form>`;

const keyboardHelp = (hasSearch: boolean): Html => html`<dialog id="keys" aria-labelledby="keys-title">
<h2 id="keys-title">Keyboard shortcuts</h2>
<dl class="keys">${hasSearch && html`<div><dt><kbd>/</kbd></dt><dd>search</dd></div>`}
<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous entry</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>open the entry</dd></div>
<div><dt><kbd>?</kbd></dt><dd>show this help</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>close it</dd></div></dl>
<p><label><input type="checkbox" id="keys-on" checked> Use keyboard shortcuts</label></p>
<form method="dialog"><button>Close</button></form>
</dialog>`;
