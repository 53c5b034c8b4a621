import { type Html, type HtmlPart, html } from "../html/index.js";

/** The bars of one name. */
export interface BarGroup {
  readonly name: string;
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 180;
const LEFT = 34;
const BOTTOM = 22;
const TOP = 8;
const MAX_BAR_WIDTH = 40;

/** Draws a group of bars for each name. Screen readers ignore it: show the numbers in a table as well. */
export function barChart(groups: readonly BarGroup[], series: readonly string[], labelOf = withoutYear): Html {
  const top = roundUp(Math.max(1, ...groups.flatMap(({ values }) => values)));
  const step = (WIDTH - LEFT) / Math.max(1, groups.length);
  const width = Math.min(MAX_BAR_WIDTH, Math.max(1, (step * 0.76) / series.length));
  const y = (value: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top));
  const labelInterval = Math.ceil(groups.length / 8);
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">
${gridLines(top, y)}${groups.map(({ name, values }, index) => {
  const x = LEFT + index * step + (step - width * series.length) / 2;
  return html`<g><title>${name}: ${values.map((value, which) => `${value} ${series[which] ?? ""}`).join(", ")}</title>${values.map(
    (value, which) =>
      value > 0 &&
      html`<rect class="${which === 0 ? "a" : "b"}" x="${round(x + which * width)}" y="${y(value)}" width="${round(width * 0.92)}" height="${round(HEIGHT - BOTTOM - y(value))}" rx="1"/>`,
  )}</g>${index % labelInterval === 0 && html`<text x="${round(LEFT + (index + 0.5) * step)}" y="${HEIGHT - 6}" text-anchor="middle">${labelOf(name)}</text>`}`;
})}</svg>`;
}

const withoutYear = (day: string): string => day.slice(5);

const gridLines = (top: number, y: (value: number) => number): Html[] =>
  [0, top / 2, top].map(
    (value) =>
      html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${Number.isInteger(value) || top < 1 ? round(value) : ""}</text>`,
  );

const PLOT_WIDTH = 300;
const PLOT_HEIGHT = 64;

/** Draws a line over time, without axes. The name is the description for screen readers. */
export function linePlot(values: readonly number[], name: string): Html {
  const highest = Math.max(...values, 0);
  const step = PLOT_WIDTH / Math.max(1, values.length - 1);
  const y = (value: number): number =>
    round(PLOT_HEIGHT - 3 - (highest === 0 ? 0 : (value / highest) * (PLOT_HEIGHT - 8)));
  const points = values.map((value, index) => `${round(index * step)},${y(value)}`);
  return html`<svg class="plot" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${name}">${
    points.length > 1 &&
    html`<polygon points="0,${PLOT_HEIGHT} ${points.join(" ")} ${PLOT_WIDTH},${PLOT_HEIGHT}"/><polyline points="${points.join(" ")}"/>`
  }</svg>`;
}

/** The next round number, for an axis. */
function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((factor) => factor * size >= value) ?? 10) * size;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A part of a page that is updated while the page is open. The name is unique on the page. */
export const live = (name: string, content: HtmlPart): Html =>
  html`<div class="part" data-live="${name}">${content}</div>`;

/** A table that scrolls if it does not fit. The first cell of each row is its heading. */
export const table = (name: string, columns: readonly string[], rows: readonly (readonly HtmlPart[])[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${name}" data-key="${name}"><table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;

/** A list of terms and values; those without a value are left out. */
export const facts = (rows: readonly (readonly [name: string, value: HtmlPart])[], name: string): Html =>
  html`<dl class="${name}">${rows.map(([term, value]) => value !== undefined && value !== null && value !== false && value !== "" && html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;

/** The first line of a text, shortened to `limit` characters. */
export function excerpt(text: string, limit = 140): string {
  const [line = ""] = text.trim().split("\n", 1);
  const characters = Array.from(line.slice(0, 2 * limit));
  return characters.length <= limit && line.length === text.trim().length
    ? line
    : `${characters.slice(0, limit).join("").trimEnd()}…`;
}

/** A number with what it counts: `1,200 tasks`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes: `1.5 MiB`. */
export function byteSize(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[step]}`;
}

const TIME_UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** A moment relative to now, `5 min ago`, with the exact time as a tooltip. Both are in ISO 8601. */
export function moment(at: string, now: string): Html {
  return html`<time datetime="${at}" title="${exactTime(at)}">${relativeTime(at, now)}</time>`;
}

function relativeTime(at: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(at)) / 1000;
  const distance = Math.abs(seconds);
  const [size, unit] = TIME_UNITS.find(([least]) => distance >= least) ?? [1, "s"];
  if (distance >= 60 * 86_400) return at.slice(0, 10);
  if (distance < 60) return seconds < 0 ? "in a moment" : "just now";
  const amount = Math.floor(distance / size);
  return seconds < 0 ? `in ${amount} ${unit}` : `${amount} ${unit} ago`;
}

/** A moment to the second: `2031-05-06 07:08:09 UTC`. */
export const exactTime = (at: string): string => `${at.slice(0, 19).replace("T", " ")} UTC`;
