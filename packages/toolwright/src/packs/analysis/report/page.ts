import { createHash } from "node:crypto";
import { escape } from "./escape.js";
import { SCRIPT } from "./page-script.js";
import { STYLE } from "./page-style.js";
import type { Report } from "./report.js";
import { briefsSection } from "./sections/briefs.js";
import { filesSection } from "./sections/files.js";
import { mapSection } from "./sections/map.js";
import { historySection, scatterSection } from "./sections/pictures.js";
import { remarksSection, summarySection } from "./sections/summary.js";

/** Writes the report as one page that needs nothing else: it asks no network, and can be read without its script. */
export function writePage(report: Report): string {
  const title = `Hotspots of ${report.project}`;
  const sections = [
    mapSection(report),
    briefsSection(report),
    scatterSection(report),
    historySection(report),
    filesSection(report),
    remarksSection(report),
  ].filter((section) => section !== undefined);
  const links = sections.map(({ id, name }) => `<a href="#${id}">${escape(name)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<div class="top">
<h1>Hotspots of <bdi>${escape(report.project)}</bdi></h1>
<div class="tools">
<label class="filter" hidden><span>Filter files</span> <input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="part of a path" aria-describedby="found"></label>
<button id="theme" type="button" hidden>Dark</button>
</div>
</div>
<p id="found" class="found" role="status"></p>
${summarySection(report)}
<nav aria-label="Parts of the report">${links.join("")}</nav>
</header>
<main id="main" tabindex="-1">
${sections.map(({ id, name, html }) => `<section aria-labelledby="${id}">\n<h2 id="${id}">${escape(name)}</h2>\n${html}\n</section>`).join("\n")}
</main>
<footer>Made by toolwright on <time datetime="${report.made.toISOString()}">${report.made.toISOString().slice(0, 16).replace("T", " ")} UTC</time>. This page is one file: it asks no network and keeps nothing.</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing but our own style and script, each by its hash; the empty icon keeps browsers from asking for one. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
