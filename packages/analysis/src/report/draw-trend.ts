import { escapeHtml } from "@toolwright/kit/html";
import type { Churn } from "../churn/churn.js";
import { count, counted } from "../format.js";
import type { Canvas } from "./draw-treemap.js";
import { at, evenTicks, fit } from "./figures.js";

/** The complexity of the hottest files over time. */
export interface Trend {
  /** Oldest first, as YYYY-MM-DD, with the time if there are several on a day. */
  readonly dates: readonly string[];
  readonly files: readonly FileTrend[];
}

/** One file over time. */
interface FileTrend {
  readonly path: string;
  /** The cognitive complexity at each date; undefined = it did not exist, or could not be read. */
  readonly values: readonly (number | undefined)[];
}

/** The sum over all files at each date. */
export const together = ({ dates, files }: Trend): number[] =>
  dates.map((_, point) => files.reduce((sum, { values }) => sum + (values[point] ?? 0), 0));

/** Points in time that divide a span evenly, including its ends. */
export function momentsOf(from: Date, to: Date, points: number): Date[] {
  const [start, end] = [from.getTime(), to.getTime()];
  if (end <= start) return [to];
  return Array.from(
    { length: points },
    (_, point) => new Date(start + Math.round(((end - start) * point) / (points - 1))),
  );
}

/** The day of a date, as YYYY-MM-DD. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Labels for points in time: days, with the time (UTC) if there are several on a day. */
export function namesOf(moments: readonly Date[]): string[] {
  const days = moments.map(dayOf);
  if (new Set(days).size === days.length) return days;
  return moments.map((moment) => moment.toISOString().slice(0, 16).replace("T", " "));
}

/** How many files have a line. */
const MAX_LINES = 5;

/** The maximum number of bars; more weeks are combined. */
const MAX_BARS = { wide: 110, narrow: 40 } as const;

/** The space beside the last bar, for half of its date. */
const LAST_DATE = 34;

const MARGIN = { left: 46, top: 26, bottom: 30 } as const;

/** A line of a chart. */
interface Line {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

/** Draws the complexity of the hottest files over time: a line for each, with its own pattern, and its name at the end. */
export function drawFileTrends({ dates, files }: Trend, canvas: Canvas): string {
  const lines = files.slice(0, MAX_LINES).map(({ path, values }) => ({ name: path, values }));
  return drawLines(
    dates,
    lines,
    canvas,
    `Cognitive complexity of the ${counted(lines.length, "hottest file")} over time`,
  );
}

/** Draws the total complexity of these files. */
export function drawWholeTrend(trend: Trend, canvas: Canvas): string {
  const title = `Cognitive complexity of ${trend.files.length === 1 ? "the hottest file" : `the ${trend.files.length} hottest files together`} over time`;
  return drawLines(trend.dates, [{ name: "together", values: together(trend) }], canvas, title);
}

function drawLines(dates: readonly string[], lines: readonly Line[], canvas: Canvas, title: string): string {
  const { width, height, shape } = canvas;
  const right = lines.length > 1 ? (shape === "wide" ? 170 : 104) : 16;
  const room = { x: width - MARGIN.left - right, y: height - MARGIN.top - MARGIN.bottom };
  const ticks = evenTicks(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const max = ticks.at(-1) ?? 1;
  const toX = (index: number): number => MARGIN.left + (dates.length < 2 ? 0 : (index / (dates.length - 1)) * room.x);
  const toY = (value: number): number => MARGIN.top + room.y - (value / max) * room.y;
  const ends = spread(
    lines.map(({ values }) => toY(values.findLast((value) => value !== undefined) ?? 0)),
    14,
  );
  return [
    `<svg class="chart ${shape}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">`,
    drawAxes(ticks, toY, { left: MARGIN.left, right: width - right }),
    ...dateLabels(dates, shape).map(
      ([index, date]) =>
        `<text class="tick ${index === 0 ? "" : index === dates.length - 1 ? "end" : "middle"}" x="${at(toX(index))}" y="${height - 8}">${escapeHtml(date)}</text>`,
    ),
    ...lines.map(({ name, values }, index) => {
      const description = `${name}: ${values.map((value, point) => `${dates[point]} ${value ?? "missing"}`).join(", ")}`;
      const dots = values.map((value, point) =>
        value === undefined ? "" : `<circle class="point" cx="${at(toX(point))}" cy="${at(toY(value))}" r="2.6"/>`,
      );
      const short = fit(name.slice(name.lastIndexOf("/") + 1), right - 14);
      const label =
        lines.length > 1
          ? `<text class="line-name" x="${width - right + 8}" y="${at((ends[index] ?? 0) + 4)}">${escapeHtml(short)}</text>`
          : "";
      return `<g class="line line-${index}"><title>${escapeHtml(description)}</title><path d="${pathOf(values, toX, toY)}"/>${dots.join("")}${label}</g>`;
    }),
    "</svg>",
  ].join("\n");
}

/** The path of a line, with gaps for missing values. */
function pathOf(
  values: readonly (number | undefined)[],
  toX: (index: number) => number,
  toY: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (value === undefined) return "";
      return `${index === 0 || values[index - 1] === undefined ? "M" : "L"}${at(toX(index))} ${at(toY(value))}`;
    })
    .join("");
}

/** Moves overlapping labels apart, from the bottom up. */
function spread(places: readonly number[], gap: number): number[] {
  const order = places.map((_, index) => index).sort((left, right) => (places[right] ?? 0) - (places[left] ?? 0));
  const moved = [...places];
  let last = Number.POSITIVE_INFINITY;
  for (const index of order) {
    last = Math.min(moved[index] ?? 0, last - gap);
    moved[index] = last;
  }
  return moved;
}

const drawAxes = (
  ticks: readonly number[],
  toY: (value: number) => number,
  { left, right }: { readonly left: number; readonly right: number },
): string =>
  ticks
    .map(
      (tick) =>
        `<path class="grid" d="M${left} ${at(toY(tick))}H${right}"/><text class="tick end" x="${left - 7}" y="${at(toY(tick) + 4)}">${count(tick)}</text>`,
    )
    .join("\n");

/** The first date, the last one, and on a wide picture some between them. */
function dateLabels(dates: readonly string[], shape: Canvas["shape"]): [number, string][] {
  const last = dates.length - 1;
  const parts = Math.min(shape === "wide" ? 4 : 2, dates.length);
  const indices = new Set(
    Array.from({ length: parts }, (_, part) => Math.round((part * last) / Math.max(1, parts - 1))),
  );
  // With the time, the year is not needed.
  return [...indices].map((index) => [index, (dates[index] ?? "").replace(/^\d+-(.* .*)$/, "$1")]);
}

/** Draws the number of commits, with a bar for one week or several. */
export function drawWeeks(weeks: Churn["weeks"], canvas: Canvas): string {
  const { width, height, shape } = canvas;
  const size = Math.max(1, Math.ceil(weeks.length / MAX_BARS[shape]));
  const bars = Array.from({ length: Math.ceil(weeks.length / size) }, (_, index) => {
    const part = weeks.slice(index * size, (index + 1) * size);
    return { from: part[0]?.from ?? "", commits: part.reduce((sum, { commits }) => sum + commits, 0) };
  });
  const room = { x: width - MARGIN.left - LAST_DATE, y: height - MARGIN.top - MARGIN.bottom };
  const ticks = evenTicks(Math.max(0, ...bars.map(({ commits }) => commits)));
  const max = ticks.at(-1) ?? 1;
  const toY = (value: number): number => MARGIN.top + room.y - (value / max) * room.y;
  const step = room.x / Math.max(1, bars.length);
  const wide = Math.max(1, Math.min(40, step * 0.9));
  const middleOf = (index: number): number => MARGIN.left + (index + 0.5) * step;
  const span = size === 1 ? "week" : `${size} weeks`;
  const dates = bars.map(({ from }) => from);
  return [
    `<svg class="chart ${shape}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Commits per ${span}">`,
    drawAxes(ticks, toY, { left: MARGIN.left, right: width - LAST_DATE }),
    ...bars.map(({ from, commits }, index) => {
      const title = escapeHtml(`${size === 1 ? "week" : span} from ${from}: ${counted(commits, "commit")}`);
      return `<g class="bar"><title>${title}</title><rect x="${at(middleOf(index) - wide / 2)}" y="${at(toY(commits))}" width="${at(wide)}" height="${at(MARGIN.top + room.y - toY(commits))}"/></g>`;
    }),
    ...dateLabels(dates, shape).map(
      ([index, date]) =>
        `<text class="tick middle" x="${at(middleOf(index))}" y="${height - 8}">${escapeHtml(date)}</text>`,
    ),
    "</svg>",
  ].join("\n");
}
