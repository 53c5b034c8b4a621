import { type Html, html } from "./html.js";

/** What stands at one place of a chart. */
export interface Bars {
  readonly name: string;
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 180;
const LEFT = 34;
const BOTTOM = 22;
const TOP = 8;
/** Of a bar: a few should not look like a wall. */
const WIDEST = 40;

/** Bars side by side for each name; the numbers are there as a table too, so readers are told of none of it. */
export function barChart(all: readonly Bars[], series: readonly string[], labelOf = withoutYear): Html {
  const most = Math.max(1, ...all.flatMap(({ values }) => values));
  const top = roundUp(most);
  const step = (WIDTH - LEFT) / Math.max(1, all.length);
  const width = Math.min(WIDEST, Math.max(1, (step * 0.76) / series.length));
  const y = (value: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top));
  const every = Math.ceil(all.length / 8);
  return html`<svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">
${gridLines(top, y)}${all.map(({ name, values }, at) => {
  const x = LEFT + at * step + (step - width * series.length) / 2;
  return html`<g><title>${name}: ${values.map((value, which) => `${value} ${series[which] ?? ""}`).join(", ")}</title>${values.map(
    (value, which) =>
      value > 0 &&
      html`<rect class="${which === 0 ? "a" : "b"}" x="${round(x + which * width)}" y="${y(value)}" width="${round(width * 0.92)}" height="${round(HEIGHT - BOTTOM - y(value))}" rx="1"/>`,
  )}</g>${at % every === 0 && html`<text x="${round(LEFT + (at + 0.5) * step)}" y="${HEIGHT - 6}" text-anchor="middle">${labelOf(name)}</text>`}`;
})}</svg>`;
}

const withoutYear = (day: string): string => day.slice(5);

const gridLines = (top: number, y: (value: number) => number): Html[] =>
  [0, top / 2, top].map(
    (value) =>
      html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${Number.isInteger(value) || top < 1 ? round(value) : ""}</text>`,
  );

const SMALL_WIDTH = 300;
const SMALL_HEIGHT = 64;

/** A line over time, small enough to stand beside others; `name` says all that there is to see of it. */
export function plot(values: readonly number[], name: string): Html {
  const most = Math.max(...values, 0);
  const step = SMALL_WIDTH / Math.max(1, values.length - 1);
  const y = (value: number): number => round(SMALL_HEIGHT - 3 - (most === 0 ? 0 : (value / most) * (SMALL_HEIGHT - 8)));
  const points = values.map((value, at) => `${round(at * step)},${y(value)}`);
  return html`<svg class="plot" viewBox="0 0 ${SMALL_WIDTH} ${SMALL_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${name}">${
    points.length > 1 &&
    html`<polygon points="0,${SMALL_HEIGHT} ${points.join(" ")} ${SMALL_WIDTH},${SMALL_HEIGHT}"/><polyline points="${points.join(" ")}"/>`
  }</svg>`;
}

/** The next number that people like to read beside an axis. */
function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((factor) => factor * size >= value) ?? 10) * size;
}

const round = (value: number): number => Math.round(value * 10) / 10;
