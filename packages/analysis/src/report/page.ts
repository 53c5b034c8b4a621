import { escapeHtml, writeSinglePage } from "@toolwright/kit/html";
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
  const links = sections.map(({ id, name }) => `<a href="#${id}">${escapeHtml(name)}</a>`);
  const body = `<header>
<div class="top">
<h1>Hotspots of <bdi>${escapeHtml(report.project)}</bdi></h1>
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
${sections.map(({ id, name, html }) => `<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(name)}</h2>\n${html}\n</section>`).join("\n")}
</main>
<footer>Made by toolwright on <time datetime="${report.made.toISOString()}">${report.made.toISOString().slice(0, 16).replace("T", " ")} UTC</time>. This page is one file: it asks no network and keeps nothing.</footer>`;
  return writeSinglePage({ title, style: STYLE, script: SCRIPT, body });
}
