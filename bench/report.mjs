import { channelCell } from "./channels.mjs";
import { median } from "./stats.mjs";
import { boundsOf, targets } from "./targets.mjs";

/** A number with three figures that mean something, and with commas where it is long. */
export function short(/** @type {number} */ value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return Number(value.toPrecision(3)).toString();
}

const has = (list) => list.length > 0;
const percent = (share) => `±${Math.round(share * 100)}%`;
const shown = (figure, sign = "") => (figure === undefined ? "-" : `${sign}${short(figure.value)}`);
const withSpread = (figure, sign = "") =>
  figure === undefined ? "-" : `${sign}${short(figure.value)} ${percent(figure.spread)}`;

const withLeast = (figure, least) => (figure === undefined ? "-" : `${short(figure.value)} (${short(least)})`);

/** A Markdown table whose columns line up in a terminal too. */
function table(/** @type {string[]} */ head, /** @type {string[][]} */ rows) {
  const widths = head.map((name, column) => Math.max(name.length, 3, ...rows.map((row) => row[column].length)));
  const line = (cells) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(" | ")} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** How far two processes of one and the same program were apart: what this run cannot tell from 1. */
function resolution(summary, cells) {
  const apart = cells.flatMap((cell) => {
    const figure = summary.ratio(cell, "floor-again", "floor");
    return figure === undefined ? [] : [{ cell, by: Math.abs(figure.value - 1) }];
  });
  if (apart.length === 0) return "";
  const worst = apart.reduce((a, b) => (b.by > a.by ? b : a));
  const middle = percent(median(apart.map((entry) => entry.by)));
  return `Resolution of this run (the floor against itself, cell by cell): median ${middle}, worst ${percent(worst.by)} (${worst.cell}).`;
}

const isHttp = (/** @type {string} */ cell) => cell.startsWith("http.");
const isOneAtATime = (/** @type {string} */ cell) => cell.endsWith(".seq") || cell.endsWith(".c1");

/** The cost, the speed and the latency of the cells of one transport, with the servers that were measured on it. */
function costTables(summary, transport, cells, servers) {
  if (!has(cells)) return [];
  const others = servers.filter(
    (name) => !name.startsWith("floor") && cells.some((cell) => summary.value(cell, name) !== undefined),
  );
  const cost = cells.map((cell) => [
    cell,
    withSpread(summary.value(cell, "floor")),
    ...others.map((name) => withSpread(summary.ratio(cell, name, "floor"), "×")),
  ]);
  const speed = cells.map((cell) => [
    cell,
    ...["floor", ...others].map((name) => shown(summary.perSecond(cell, name))),
  ]);
  const latency = cells.filter(isOneAtATime).map((cell) => [
    cell,
    ...["floor", ...others].map((name) => {
      const [p50, p99] = [summary.p50(cell, name), summary.p99(cell, name)];
      return p50 === undefined ? "-" : `${shown(p50)} / ${shown(p99)}`;
    }),
  ]);
  return [
    `### ${transport}: server CPU per request, the floor in µs, the others as × the floor`,
    table([transport, "floor µs", ...others], cost),
    `### ${transport}: requests a second, client and server sharing a CPU`,
    table([transport, "floor", ...others], speed),
    ...(has(latency)
      ? [`### ${transport}: latency in µs, p50 / p99`, table([transport, "floor", ...others], latency)]
      : []),
  ];
}

/** Our server over each channel that stays open. */
function channelTable(summary) {
  const names = ["stdio", "unix", "websocket"].filter((name) => summary.value(channelCell, name) !== undefined);
  if (!has(names)) return [];
  const rows = names.map((name) => [
    name,
    withSpread(summary.value(channelCell, name)),
    withSpread(summary.ratio(channelCell, name, "stdio"), "×"),
    shown(summary.perSecond(channelCell, name)),
  ]);
  const head = ["channel", "CPU µs a request", "× stdio", "requests a second"];
  return ["### Our server over each channel, echo 100 B, 64 in flight", table(head, rows)];
}

function sessionTable(summary, servers, count) {
  const keys = ["sessions.live", "sessions.resident", "sessions.open"];
  const rows = servers
    .filter((name) => summary.value("sessions.live", name) !== undefined)
    .map((name) => [name, ...keys.map((key) => shown(summary.value(key, name)))]);
  const head = ["server", "live heap KiB", "RSS KiB", "CPU µs to open"];
  return has(rows) ? [`### ${count} HTTP sessions held open with their streams, each`, table(head, rows)] : [];
}

function coldTable(summary, servers) {
  const keys = ["cold.initialize", "cold.initialize.wall", "cold.call", "cold.call.wall"];
  const rows = ["node", ...servers.filter((name) => name !== "floor-again")].map((name) => [
    name,
    ...keys.map((key) => withLeast(summary.value(key, name), summary.least(key, name))),
    withSpread(summary.value("memory.handshake", name)),
  ]);
  const head = [
    "server",
    "initialize CPU ms",
    "wall ms",
    "first call CPU ms",
    "wall ms",
    "RSS MiB after the handshake",
  ];
  return ["### Cold start, from the spawn to the answer: median (least)", table(head, rows)];
}

function memoryTable(summary, servers, { calls, stream, streamMegabytes }) {
  const keys = ["memory.after", "memory.peak", "heap.before", "heap.after"];
  const rows = servers
    .filter((name) => summary.value("memory.after", name) !== undefined)
    .map((name) => [name, ...keys.map((key) => shown(summary.value(key, name)))]);
  const head = ["server", `RSS after ${calls} calls`, "peak RSS", "live heap before", "live heap after"];
  const streams = stream.map((use) => [use.server, use.subject, short(use.buffers), short(use.resident)]);
  return [
    "### Memory in MiB",
    table(head, rows),
    ...(!has(streams)
      ? []
      : [
          `### A stream of ${streamMegabytes} MB`,
          table(["server", "messages", "buffers at most, MB", "RSS growth, MB"], streams),
        ]),
  ];
}

/** The same work on files, side by side with the official file server. */
function workstationTable(workstation) {
  const rows = (workstation?.jobs ?? []).map(({ what, ours, peer, ratio }) => [
    what,
    ...["wall", "cpu", "peak"].map((key) => `${short(ours[key])} / ${short(peer[key])} = ×${short(ratio[key])}`),
  ]);
  const head = ["ours / server-filesystem", "time ms", "CPU ms", "peak RSS MiB"];
  return has(rows) ? [`### Work on files, a tree of ${workstation.treeMegabytes} MB`, table(head, rows)] : [];
}

const mark = (value, bound) => (value <= bound ? "reached" : "missed");

function targetTables(summary, measured) {
  const judge = (key, base, bound) => {
    const figure = summary.ratio(key, "ours", base);
    if (bound === Number.POSITIVE_INFINITY) return ["-", shown(figure), ""];
    return [`≤ ${bound}`, shown(figure), figure === undefined ? "-" : mark(figure.value, bound)];
  };
  const rows = targets
    .filter(({ key }) => summary.ratio(key, "ours", "floor") !== undefined)
    .map(({ what, key, floor, sdk }) => [what, ...judge(key, "floor", floor), ...judge(key, "sdk-v2", sdk)]);
  const bounds = boundsOf(summary, measured)
    .filter(({ value }) => value !== undefined)
    .map(({ what, value, bound, unit }) => [what, `≤ ${bound} ${unit}`, `${short(value)} ${unit}`, mark(value, bound)]);
  return [
    "### Targets of our server",
    has(rows) ? table(["", "× floor", "is", "", "× SDK v2", "is", ""], rows) : "",
    has(bounds) ? table(["", "bound", "is", ""], bounds) : "",
  ];
}

/** The whole result as Markdown: tables, then the targets, then what to keep in mind. */
export function writeReport(results, /** @type {import("./summary.mjs").Summary} */ summary) {
  const names = results.servers.map((server) => server.name);
  const measuredNames = results.servers.filter((server) => !server.coldOnly).map((server) => server.name);
  const parts = [
    "## What a request costs",
    results.circumstances.join("\n"),
    ...costTables(
      summary,
      "stdio",
      results.cells.filter((cell) => !isHttp(cell)),
      measuredNames,
    ),
    ...costTables(summary, "HTTP", results.cells.filter(isHttp), measuredNames),
    ...channelTable(summary),
    ...sessionTable(summary, measuredNames, results.heldSessions),
    ...(has(results.cold) ? coldTable(summary, names) : []),
    ...(has(results.memory) ? memoryTable(summary, measuredNames, results) : []),
    ...workstationTable(results.workstation),
    ...(names.includes("ours") ? targetTables(summary, results) : []),
    resolution(summary, results.cells),
    has(results.lenient) ? `Wrong arguments were accepted by: ${results.lenient.join(", ")}.` : "",
    has(results.otherRevisions)
      ? `Another revision than asked for was agreed by: ${results.otherRevisions.join(", ")}.`
      : "",
    has(results.failures)
      ? `Left out because something failed:\n${results.failures.map((f) => `- ${f}`).join("\n")}`
      : "",
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
