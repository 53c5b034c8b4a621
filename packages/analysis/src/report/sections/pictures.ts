import { escapeHtml } from "@toolwright/kit/html";
import { drawFileTrends, drawWeeks, drawWholeTrend } from "../draw-trend.js";
import { count } from "../figures.js";
import { createHeat } from "../heat.js";
import type { Report } from "../report.js";
import { drawScatter } from "../scatter.js";
import { type Trend, together } from "../trend.js";
import { type Section, wrapPath } from "./section.js";

const WIDE = { width: 1200, height: 460, shape: "wide" } as const;
const HALF = { width: 590, height: 250, shape: "wide" } as const;
const NARROW = { width: 400, height: 300, shape: "narrow" } as const;

/** Complexity against change. */
export function scatterSection({ hotspots: { files, basis } }: Report): Section | undefined {
  if (basis === "complexity" || files.length === 0) return undefined;
  const heat = createHeat(files.map(({ score }) => score));
  return {
    id: "scatter",
    name: "Complexity and change",
    html: [
      '<p class="about">Each dot is a file; its size is its lines of code. What is complex and left alone costs little: work at the top right pays first.</p>',
      drawScatter(files, heat, WIDE),
      drawScatter(files, heat, NARROW),
    ].join("\n"),
  };
}

/** How it came to be so. */
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
  return `<details><summary>The same as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Complexity over time"><table><thead><tr><th scope="col">File</th>${head}</tr></thead><tbody>${rows.join("\n")}</tbody><tfoot><tr><th scope="row">Together</th>${cells(together(trend))}</tr></tfoot></table></div></details>`;
}
