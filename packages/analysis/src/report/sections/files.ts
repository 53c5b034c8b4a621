import { escapeHtml } from "@toolwright/kit/html";
import { count } from "../../format.js";
import type { HotspotFile } from "../../hotspots/hotspots.js";
import { createHeat, formatScore, type HeatScale } from "../figures.js";
import type { Report } from "../page.js";
import { type Section, wrapPath } from "./overview.js";

/** How many files have a row. */
const MAX_ROWS = 1000;

interface Column {
  readonly name: string;
  readonly isText?: true;
  /** The sort key. */
  readonly value: (file: HotspotFile) => string | number;
  readonly html: (file: HotspotFile, heat: HeatScale) => string;
}

const COLUMNS: readonly Column[] = [
  {
    name: "File",
    isText: true,
    value: ({ path }) => path,
    html: ({ path }) => `<bdi>${wrapPath(escapeHtml(path))}</bdi>`,
  },
  {
    name: "Score",
    value: ({ score }) => score,
    html: ({ score }, heat) => `<span class="chip heat-${heat.of(score)}">${formatScore(score)}</span>`,
  },
  number("Complexity", ({ complexity }) => complexity),
  number("Functions", ({ functions }) => functions),
  number("Code lines", ({ code_lines }) => code_lines),
  number("Commits", ({ commits }) => commits),
  {
    name: "Churn",
    value: ({ churn }) => churn,
    html: ({ churn }) => churn.toFixed(2),
  },
  {
    name: "Main author",
    isText: true,
    value: ({ authors: [first] }) => first?.name ?? "",
    html: ({ authors: [first] }) =>
      first === undefined
        ? "–"
        : `<bdi>${escapeHtml(first.name)}</bdi> <small class="whole">${Math.round(first.share * 100)} %</small>`,
  },
  {
    name: "Last change",
    isText: true,
    value: ({ last_modified }) => last_modified ?? "",
    html: ({ last_modified }) => `<span class="whole">${escapeHtml(last_modified ?? "–")}</span>`,
  },
];

/** The table of all files, hottest first. */
export function filesSection({ hotspots: { files } }: Report): Section | undefined {
  if (files.length === 0) return undefined;
  const heat = createHeat(files.map(({ score }) => score));
  const heads = COLUMNS.map(
    ({ name, isText }) =>
      `<th scope="col"${isText ? "" : ' class="number"'} data-sort="${isText ? "text" : "number"}"${name === "Score" ? ' aria-sort="descending"' : ""}>${name}</th>`,
  );
  const rows = files.slice(0, MAX_ROWS).map((file) => {
    const cells = COLUMNS.map((column, index) => {
      const value = column.value(file);
      const key = typeof value === "number" ? ` data-value="${Math.round(value * 1e4) / 1e4}"` : "";
      const tag = index === 0 ? 'th scope="row"' : "td";
      return `<${tag}${column.isText ? "" : ' class="number"'}${key}>${column.html(file, heat)}</${index === 0 ? "th" : "td"}>`;
    });
    return `<tr data-path="${escapeHtml(file.path)}">${cells.join("")}</tr>`;
  });
  const left = files.length - rows.length;
  const more =
    left > 0 ? `<p>And ${count(left)} more: “toolwright analyze hotspots --format csv” lists all of them.</p>` : "";
  return {
    id: "files",
    name: "Files",
    html: `<div class="scroll" tabindex="0" role="region" aria-label="Table of files"><table class="sorts"><thead><tr>${heads.join("")}</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table></div><p class="none" hidden>No path in this table matches.</p>${more}`,
  };
}

function number(name: string, value: (file: HotspotFile) => number): Column {
  return { name, value, html: (file) => count(value(file)) };
}
