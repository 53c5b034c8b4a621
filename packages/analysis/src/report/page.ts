import { readFileSync } from "node:fs";
import { ToolError } from "@toolwright/engine";
import { builtFile } from "@toolwright/kit/files";
import { escapeHtml, writeSinglePage } from "@toolwright/kit/html";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import type { Hotspots } from "../hotspots/hotspots.js";
import type { AnalysisCall } from "../project/project.js";
import type { Trend } from "./draw-trend.js";
import { readTrend } from "./read-trend.js";
import { briefsSection } from "./sections/briefs.js";
import { filesSection } from "./sections/files.js";
import { historySection, mapSection, remarksSection, scatterSection, summarySection } from "./sections/overview.js";

/** Writes a report as one HTML page, which loads nothing from the network and can be read without its script. */
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
<footer>Made by toolwright on <time datetime="${report.made.toISOString()}">${report.made.toISOString().slice(0, 16).replace("T", " ")} UTC</time>. This page is one file: it loads nothing from the network and stores nothing.</footer>`;
  return writeSinglePage({ title, style: readAsset("page.css"), script: readAsset("page.js"), body });
}

const readAsset = (name: string): string => readFileSync(builtFile(`report/${name}`), "utf8");

/** The data of a page. */
export interface PageOptions {
  /** What was analysed, as the caller gave it. */
  readonly path: string;
  /** The name of the project. */
  readonly project: string;
  readonly hotspots: Hotspots;
  /** The churn that they were ranked by; undefined = there is none. */
  readonly churn: Churn | undefined;
  /** The end of the period. */
  readonly now: Date;
}

/** Creates the page of hotspots, with their trend if there is a history. */
export async function createPage(
  analysis: Analysis,
  call: AnalysisCall,
  { path, project, hotspots, churn, now }: PageOptions,
): Promise<string> {
  if (churn === undefined) return writePage({ project, made: now, hotspots });
  const { period_days, files } = hotspots;
  try {
    const trend = await readTrend(analysis, call, { path, period_days, files, churn, now });
    return writePage({ project, made: now, hotspots, churn, trend });
  } catch (error) {
    // A partial clone can lack earlier versions; the rest of the page is still useful.
    if (call.signal.aborted || !(error instanceof ToolError)) throw error;
    const remarks = [...hotspots.remarks, `The trend could not be measured. ${error.message}`];
    return writePage({ project, made: now, hotspots: { ...hotspots, remarks }, churn });
  }
}

/** The content of the page. */
export interface Report {
  /** The name of the project. */
  readonly project: string;
  /** When it was created. */
  readonly made: Date;
  readonly hotspots: Hotspots;
  /** Absent if there is no history. */
  readonly churn?: Pick<Churn, "commits" | "authors" | "weeks" | "coupling"> | undefined;
  /** Absent if earlier versions cannot be read. */
  readonly trend?: Trend | undefined;
}
