import { headlines } from "./headlines.mjs";
import { short } from "./report.mjs";

const colours = {
  ours: "#1463cc",
  tmcp: "#7fb3a6",
  "sdk-v1": "#a9b3bf",
  "sdk-v2": "#6b7785",
  fastmcp: "#d8b26a",
  node: "#d5dae0",
  floor: "#c3cad3",
};
const fullNames = { ours: "toolwright", "sdk-v1": "MCP SDK v1", "sdk-v2": "MCP SDK v2", node: "bare Node" };
const paper = "#fbfcfd";
const ink = "#1f2733";
const faint = "#6a7482";

const page = { width: 980, left: 232, right: 70 };
const bar = { height: 13, step: 16, groupGap: 20 };
const lowest = 0.5;

const text = (x, y, content, { size = 12, anchor = "start", fill = ink, weight = 400 } = {}) =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${fill}" font-weight="${weight}" paint-order="stroke" stroke="${paper}" stroke-width="3">${content}</text>`;
const box = (x, y, width, height, fill) =>
  `<rect x="${x}" y="${y}" width="${Math.max(width, 1.5).toFixed(1)}" height="${height}" rx="2" fill="${fill}"/>`;
const line = (x, y1, y2, stroke, dashes = "") =>
  `<line x1="${x}" x2="${x}" y1="${y1}" y2="${y2}" stroke="${stroke}" stroke-width="1" ${dashes}/>`;
const emphasis = (name) => (name === "ours" ? { weight: 700 } : { fill: faint });
const calledFully = (name) => fullNames[name] ?? name;

function drawLegend(servers, y) {
  let x = page.left;
  return servers.map((name) => {
    const drawn = box(x, y - 10, 12, 12, colours[name]) + text(x + 18, y, calledFully(name), { size: 13 });
    x += 44 + calledFully(name).length * 7.4;
    return drawn;
  });
}

/** The ratios, a group of bars for each headline. */
function drawRatios(summary, servers, top) {
  const groups = headlines
    .map((headline) => ({
      ...headline,
      floor: summary.value(headline.key, "floor"),
      bars: servers.flatMap((name) => {
        const figure = summary.ratio(headline.key, name, "floor");
        return figure === undefined ? [] : [{ name, value: figure.value }];
      }),
    }))
    .filter((group) => group.bars.length > 0);
  const most = Math.max(10, ...groups.flatMap((group) => group.bars.map((one) => one.value))) * 1.15;
  const span = page.width - page.left - page.right;
  const place = (value) => page.left + (Math.log(Math.max(value, lowest) / lowest) / Math.log(most / lowest)) * span;
  const drawn = [];
  let y = top + 14;
  for (const group of groups) {
    drawn.push(text(page.left - 14, y + 10, group.title, { size: 13, anchor: "end", weight: 600 }));
    drawn.push(text(page.left - 14, y + 26, group.note, { size: 11.5, anchor: "end", fill: faint }));
    drawn.push(
      text(page.left - 14, y + 41, `floor ${short(group.floor.value)} µs`, { size: 11.5, anchor: "end", fill: faint }),
    );
    for (const { name, value } of group.bars) {
      const end = place(value);
      drawn.push(box(page.left, y, end - page.left, bar.height, colours[name]));
      drawn.push(text((end + 6).toFixed(1), y + 10.5, `${short(value)}×`, { size: 11.5, ...emphasis(name) }));
      y += bar.step;
    }
    y += Math.max(0, 3 - group.bars.length) * bar.step + bar.groupGap;
  }
  const bottom = y - bar.groupGap + 6;
  const grid = [1, 2, 5, 10, 20, 50, 100, 200, 500]
    .filter((value) => value < most)
    .map((value) => {
      const x = place(value).toFixed(1);
      const strong = value === 1;
      return (
        line(x, top, bottom, strong ? "#8592a3" : "#e6e9ee", strong ? 'stroke-dasharray="4 3"' : "") +
        text(x, top - 6, strong ? "floor" : `${value}×`, { size: 11.5, anchor: "middle", fill: faint })
      );
    });
  return { drawn: [...grid, ...drawn], bottom };
}

/** A small panel with one bar a server on a linear scale. */
function drawPanel({ title, unit, key, servers, summary, x, y, width }) {
  const bars = servers.flatMap((name) => {
    const figure = summary.value(key, name);
    return figure === undefined ? [] : [{ name, value: figure.value }];
  });
  if (bars.length === 0) return [];
  const most = Math.max(...bars.map((one) => one.value));
  const from = x + 86;
  const room = width - 86 - 70;
  return [
    text(x, y, title, { size: 14, weight: 600 }),
    ...bars.flatMap(({ name, value }, at) => {
      const top = y + 14 + at * 19;
      const length = (value / most) * room;
      return [
        text(from - 8, top + 11, calledFully(name), { anchor: "end", ...emphasis(name) }),
        box(from, top, length, 14, colours[name]),
        text((from + length + 6).toFixed(1), top + 11, `${short(value)} ${unit}`, { size: 11.5, ...emphasis(name) }),
      ];
    }),
  ];
}

/** The result as one picture: what a request costs, how long a start takes, how much memory is held. */
export function drawChart(
  /** @type {import("./summary.mjs").Summary} */ summary,
  /** @type {string[]} */ names,
  /** @type {string} */ calls,
) {
  const peers = names.filter((name) => name in colours && name !== "floor");
  const ratios = drawRatios(summary, peers, 128);
  const panels = ratios.bottom + 52;
  const panel = { summary, y: panels, width: 430 };
  const height = panels + 14 + (peers.length + 2) * 19 + 34;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${height}" width="${page.width}" height="${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif">`,
    `<rect width="${page.width}" height="${height}" fill="${paper}"/>`,
    text(40, 40, "What a request costs an MCP server on stdio and HTTP", { size: 21, weight: 700 }),
    text(
      40,
      62,
      "Server CPU per request, as a multiple of a bare Node program that only parses and serialises (the floor).",
      { size: 13, fill: faint },
    ),
    text(40, 88, "Logarithmic scale, shorter is better", { size: 13, fill: faint }),
    ...drawLegend(peers, 88).map((drawn) => `<g transform="translate(60 0)">${drawn}</g>`),
    ...ratios.drawn,
    ...drawPanel({
      ...panel,
      title: "Cold start, CPU to the answer of initialize",
      unit: "ms",
      key: "cold.initialize",
      servers: ["node", "floor", ...peers],
      x: 40,
    }),
    ...drawPanel({
      ...panel,
      title: `Resident memory after ${calls} calls`,
      unit: "MiB",
      key: "memory.after",
      servers: ["floor", ...peers],
      x: 520,
    }),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}
