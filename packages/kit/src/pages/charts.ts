import { type Html, html } from "../html/index.js";

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
