import { escapeHtml } from "@toolwright/kit/html";
import { count, counted } from "../../format.js";
import { drawTreemap } from "../draw-treemap.js";
import { dayOf, drawFileTrends, drawWeeks, drawWholeTrend, type Trend, together } from "../draw-trend.js";
import { createHeat, formatScore } from "../figures.js";
import type { Report } from "../page.js";
import { drawScatter } from "../scatter.js";

/** How many skipped files are listed. */
const MAX_SKIPPED = 200;

/** The summary: what was analyzed, and the main numbers. */
export function summarySection({ hotspots, churn, made }: Report): string {
  const { files, period_days } = hotspots;
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const [hottest] = files;
  const from = dayOf(new Date(made.getTime() - period_days * 86_400_000));
  const facts: [string, string][] = [
    ["Files", count(files.length)],
    ["Lines of code", count(sum(({ code_lines }) => code_lines))],
    ["Functions", count(sum(({ functions }) => functions))],
    ["Complexity", count(sum(({ complexity }) => complexity))],
  ];
  if (churn !== undefined) facts.push(["Commits", count(churn.commits)], ["Authors", count(churn.authors.length)]);
  const cards = facts.map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const period =
    hotspots.basis === "complexity"
      ? "There is no history, so the score is the complexity alone."
      : `Changes of ${counted(period_days, "day")}, from ${from} to ${dayOf(made)}.`;
  const first =
    hottest === undefined || hottest.score === 0
      ? ""
      : ` The hottest file is <strong><bdi>${wrapPath(escapeHtml(hottest.path))}</bdi></strong> with a score of ${formatScore(hottest.score)}.`;
  return `<p class="lead">${period}${first}</p>\n<dl class="facts">${cards.join("")}</dl>`;
}

/** Notes on how to read the numbers, and what is missing in them. */
export function remarksSection({ hotspots: { remarks, skipped, tests } }: Report): Section {
  const notes = [
    "Complexity is cognitive complexity, as defined by SonarSource; that of a file is the sum over its functions.",
    "Score = 100 × complexity ÷ (complexity + 50) × churn, where churn is from 0 to 1: 0.6 × commits + 0.4 × changed lines, each as a share of the maximum of all files.",
    ...(tests > 0 ? [`${counted(tests, "test file")} ${tests === 1 ? "is" : "are"} not ranked.`] : []),
    ...remarks,
  ];
  const rows = skipped
    .slice(0, MAX_SKIPPED)
    .map(
      ({ path, reason }) =>
        `<tr><th scope="row"><bdi>${wrapPath(escapeHtml(path))}</bdi></th><td>${escapeHtml(reason)}</td></tr>`,
    );
  const more = skipped.length - rows.length;
  const table =
    rows.length === 0
      ? ""
      : `<details><summary>${counted(skipped.length, "file")} that could not be measured, or only partly</summary><div class="scroll" tabindex="0" role="region" aria-label="Files that could not be measured"><table><thead><tr><th scope="col">File</th><th scope="col">Reason</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>${more > 0 ? `<p>And ${count(more)} more.</p>` : ""}</details>`;
  return {
    id: "remarks",
    name: "How to read it",
    html: `<ul class="remarks">${notes.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>${table}`,
  };
}

/** The treemap of the files. */
export function mapSection({ hotspots: { files } }: Report): Section {
  const heat = createHeat(files.map(({ score }) => score));
  const steps = [0, ...heat.bounds].map(
    (from, step) => `<span class="heat-${step}"><i></i>${step === 0 ? 0 : formatScore(from)}</span>`,
  );
  const legend = `<p class="legend"><span class="legend-name">Score from</span>${steps.join("")}</p>`;
  return {
    id: "map",
    name: "Map",
    html:
      files.length === 0
        ? "<p>No file could be measured.</p>"
        : [
            '<p class="about">Each tile is a file. Its area is its lines of code, its color complexity × churn; the number is the score.<span class="with-script"> Point at a tile, or move between tiles with the arrow keys.</span></p>',
            legend,
            drawTreemap(files, heat, { width: 1200, height: 640, shape: "wide" }),
            drawTreemap(files, heat, { width: 400, height: 560, shape: "narrow" }),
            '<p id="detail" class="detail with-script" aria-live="polite">&nbsp;</p>',
          ].join("\n"),
  };
}

const WIDE = { width: 1200, height: 460, shape: "wide" } as const;
const HALF = { width: 590, height: 250, shape: "wide" } as const;
const NARROW = { width: 400, height: 300, shape: "narrow" } as const;

/** Complexity and change. */
export function scatterSection({ hotspots: { files, basis } }: Report): Section | undefined {
  if (basis === "complexity" || files.length === 0) return undefined;
  const heat = createHeat(files.map(({ score }) => score));
  return {
    id: "scatter",
    name: "Complexity and change",
    html: [
      '<p class="about">Each dot is a file; its size is its lines of code. Complex code that nobody changes costs little: begin at the top right.</p>',
      drawScatter(files, heat, WIDE),
      drawScatter(files, heat, NARROW),
    ].join("\n"),
  };
}

/** The trend. */
export function historySection({ trend, churn }: Report): Section | undefined {
  const figures: string[] = [];
  if (trend !== undefined && trend.dates.length > 1 && trend.files.length > 0)
    figures.push(
      figure("Complexity of the hottest files", drawFileTrends(trend, HALF), drawFileTrends(trend, NARROW)),
      figure(
        trend.files.length === 1
          ? "Complexity of the hottest file"
          : `Complexity of the ${trend.files.length} hottest files together`,
        drawWholeTrend(trend, HALF),
        drawWholeTrend(trend, NARROW),
      ),
    );
  const weeks = churn?.weeks ?? [];
  if (weeks.length > 1)
    figures.push(
      figure(
        "Commits per week",
        drawWeeks(weeks, { ...WIDE, height: 200 }),
        drawWeeks(weeks, { ...NARROW, height: 200 }),
        true,
      ),
    );
  if (figures.length === 0) return undefined;
  const table = trend === undefined || trend.files.length === 0 ? "" : trendTable(trend);
  return { id: "history", name: "Over time", html: `<div class="figures">${figures.join("\n")}</div>${table}` };
}

const figure = (caption: string, wide: string, narrow: string, isFull = false): string =>
  `<figure${isFull ? ' class="full"' : ""}><figcaption>${escapeHtml(caption)}</figcaption>${wide}${narrow}</figure>`;

function trendTable(trend: Trend): string {
  const head = trend.dates.map((date) => `<th scope="col" class="number">${escapeHtml(date)}</th>`).join("");
  const cells = (values: readonly (number | undefined)[]): string =>
    values.map((value) => `<td class="number">${value === undefined ? "–" : count(value)}</td>`).join("");
  const rows = trend.files.map(
    ({ path, values }) => `<tr><th scope="row"><bdi>${wrapPath(escapeHtml(path))}</bdi></th>${cells(values)}</tr>`,
  );
  return `<details><summary>Show as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Complexity over time"><table><thead><tr><th scope="col">File</th>${head}</tr></thead><tbody>${rows.join("\n")}</tbody><tfoot><tr><th scope="row">Together</th>${cells(together(trend))}</tr></tfoot></table></div></details>`;
}

/** A part of the page. */
export interface Section {
  readonly id: string;
  readonly name: string;
  readonly html: string;
}

/** Allows line breaks in a path after each slash. */
export const wrapPath = (escaped: string): string => escaped.replaceAll("/", "/<wbr>");
