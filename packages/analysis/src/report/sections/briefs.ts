import { escapeHtml } from "@toolwright/kit/html";
import { count, counted } from "../../format.js";
import type { FunctionBrief, Share } from "../../hotspots/hotspots.js";
import { generalAdvice } from "../../hotspots/show-hotspots.js";
import type { Report } from "../page.js";
import { type Section, wrapPath } from "./overview.js";

/** How many entries of a list are shown. */
const MAX_LISTED = 12;

/** Longer tables scroll. */
const MAX_ROWS = 14;

/** The functions that are worth refactoring, with what one should know before. */
export function briefsSection({ hotspots: { briefs } }: Report): Section | undefined {
  if (briefs.length === 0) return undefined;
  const about =
    '<p class="about">The functions whose complexity costs the most, because they change often. Open one to see what to do, line by line.</p>';
  return { id: "briefs", name: "Where to begin", html: `${about}\n${briefs.map(writeBrief).join("\n")}` };
}

function writeBrief(brief: FunctionBrief, index: number): string {
  const place = `${brief.path}:${brief.line}`;
  return `<details class="brief" data-path="${escapeHtml(brief.path)}"${index === 0 ? " open" : ""}>
<summary><span class="what"><b><bdi>${escapeHtml(brief.function)}</bdi></b> <span class="place"><bdi>${wrapPath(escapeHtml(place))}</bdi></span></span> <span class="badge ${heatOf(brief.cognitive)}">cognitive ${count(brief.cognitive)}</span> <span class="badge quiet">cyclomatic ${count(brief.cyclomatic)}</span></summary>
<div class="columns"><div>${[steps(brief), increments(brief)].join("")}</div><div>${around(brief)}</div></div>
</details>`;
}

/** SonarSource calls a function above 15 too complex. */
const heatOf = (cognitive: number): string => (cognitive > 30 ? "hot" : cognitive > 15 ? "warm" : "quiet");

function steps(brief: FunctionBrief): string {
  const { steps: all } = brief;
  if (all.length === 0) return `<h3>What to do</h3><p>${escapeHtml(generalAdvice(brief))}</p>`;
  const items = all.map(({ advice }) => `<li>${escapeHtml(advice)}</li>`);
  return `<h3>What to do</h3><ol class="steps">${items.join("")}</ol>`;
}

function increments({ increments: all, cognitive, function: name }: FunctionBrief): string {
  let sum = 0;
  const rows = all.map(({ line, adds, reason }) => {
    sum += adds;
    return `<tr><td class="number">${line}</td><td><code>${escapeHtml(reason)}</code></td><td class="number">+${adds}</td><td class="number">${sum}</td><td class="pips" aria-hidden="true">${"●".repeat(Math.min(adds, 12))}</td></tr>`;
  });
  if (rows.length === 0) return "";
  const left = cognitive - sum;
  return `<h3>What adds to its cognitive complexity of ${cognitive}</h3><div class="scroll${rows.length > MAX_ROWS ? " short" : ""}" tabindex="0" role="region" aria-label="${escapeHtml(`Increments of ${name}`)}"><table><thead><tr><th scope="col" class="number">Line</th><th scope="col">Reason</th><th scope="col" class="number">Adds</th><th scope="col" class="number">Sum</th><td></td></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>${left > 0 ? `<p>Further lines add ${left} more.</p>` : ""}`;
}

function around(brief: FunctionBrief): string {
  const { line, end_line, nesting, parameters, recent_lines, last_change } = brief;
  const shape = [
    lines(line, end_line),
    `${counted(nesting, "level")} deep`,
    counted(parameters, "parameter"),
    ...(recent_lines === undefined ? [] : [`${counted(recent_lines, "line")} written in the period`]),
    ...(last_change === undefined ? [] : [`last change ${last_change}`]),
  ];
  return [
    list("Shape", shape.map(escapeHtml)),
    list("Called from", callersOf(brief), "No calls in its own file."),
    list(
      "Tests that cover it",
      brief.tests.map(({ path, by }) => `${file(path)} <small>${by === "calls" ? "by name only" : `${by} it`}</small>`),
      "None found: write some first.",
    ),
    list("Written by", brief.authors.map(writeShare)),
    list(
      "Changes together with",
      brief.coupled.map(({ path, degree }) => `${file(path)} <small>${Math.round(degree)} %</small>`),
    ),
  ].join("");
}

/** Each caller once, with all its lines. */
function callersOf({ callers }: FunctionBrief): readonly string[] {
  const lists = new Map<string, number[]>();
  for (const { caller, line } of callers) lists.set(caller, [...(lists.get(caller) ?? []), line]);
  return [...lists].map(
    ([caller, at]) => `<bdi>${escapeHtml(caller)}</bdi>, ${at.length === 1 ? "line" : "lines"} ${at.join(", ")}`,
  );
}

const file = (path: string): string => `<bdi>${wrapPath(escapeHtml(path))}</bdi>`;

const lines = (first: number, last: number): string => (first === last ? `line ${first}` : `lines ${first}–${last}`);

const writeShare = ({ name, share }: Share): string =>
  `<bdi>${escapeHtml(name)}</bdi> <small>${Math.round(share * 100)} %</small>`;

/** A list, with a text for when it is empty; without that text an empty list is left out. */
function list(name: string, items: readonly string[], empty?: string): string {
  if (items.length === 0) return empty === undefined ? "" : `<h3>${name}</h3><p>${empty}</p>`;
  const more = items.length - MAX_LISTED;
  const shown = items.slice(0, MAX_LISTED).map((item) => `<li>${item}</li>`);
  return `<h3>${name}</h3><ul>${shown.join("")}${more > 0 ? `<li>and ${count(more)} more</li>` : ""}</ul>`;
}
