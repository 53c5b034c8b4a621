// node bench/compare-page.mjs: rewrites the tables of docs/compare.md from bench/compare.json; --check only compares.
// npm run bench -- --page measures first.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const FIGURES = path("compare.json");
const PAGE = path("../docs/compare.md");
const BEGIN = "<!-- measured: npm run bench -- --page writes what is below -->";
const END = "<!-- measured: until here -->";

const short = (value) => {
  if (value === undefined) return "–";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : Number(value.toPrecision(3)).toString();
};
const table = (head, rows) =>
  [head, head.map((_, at) => (at === 0 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const SUBJECTS = {
  ping: "ping",
  "echo-100": "a call, 100 B",
  "echo-10k": "a call, 10 KB",
  "echo-10k-utf8": "a call, 10 KB, half of it non-ASCII",
  "echo-900k": "a call, 900 KB",
  fill6: "a call with six validated properties",
  mixed: "mixed traffic",
  "list-1": "a list of 1 tool",
  "list-20": "a list of 20 tools",
  "list-200": "a list of 200 tools",
  "read-1m": "a resource of 1 MB",
};

/** A cell in words: what is asked, in which revision, and how many at once. */
function nameOf(/** @type {string} */ cell) {
  const isHttp = cell.startsWith("http.");
  const [era = "", subject = "", flight = ""] = cell.replace(/^http\./, "").split(".");
  const count = flight.slice(1);
  const many = isHttp ? `${count} ${count === "1" ? "connection" : "connections"}` : `${count} in flight`;
  return [
    ...(isHttp ? ["HTTP"] : []),
    ...(era === "modern" ? ["2026-07-28"] : []),
    SUBJECTS[subject] ?? subject,
    flight === "seq" ? "one at a time" : many,
  ].join(", ");
}

/** The rows in which another server is better than ours, or so near that this run cannot tell. */
function notAhead({ costs, starts, servers }) {
  const peers = servers.filter((name) => !name.startsWith("floor") && !name.startsWith("ours"));
  const rows = [
    ...costs.map(({ cell, timesFloor }) => ({ what: `CPU, × the floor: ${nameOf(cell)}`, values: timesFloor })),
    ...costs.map(({ cell, perSecond }) => ({
      what: `requests per second: ${nameOf(cell)}`,
      values: perSecond,
      more: true,
    })),
    ...starts,
  ];
  return rows.flatMap(({ what, values, more }) => {
    const isNear = (one) => (more ? one >= values.ours / 1.05 : one <= values.ours * 1.05);
    const near = peers.filter((name) => values[name] !== undefined && isNear(values[name]));
    const figures = near.map((name) => `${name} ${short(values[name])}`).join(", ");
    return near.length === 0 ? [] : [`- ${what}: ours ${short(values.ours)}, ${figures}.`];
  });
}

/** The part of the page that comes from figures. */
function writeTables(/** @type {import("./compare.mjs").Comparison} */ comparison) {
  const { date, circumstances, servers, costs, starts } = comparison;
  const measured = servers.filter((name) => costs.some(({ micros }) => micros[name] !== undefined));
  const others = measured.filter((name) => name !== "floor");
  const behind = notAhead(comparison);
  return [
    `Measured on ${date}; \`npm run bench -- --page\` measures again and replaces these tables:`,
    circumstances.map((line) => `- ${line}`).join("\n"),
    "### CPU of the server for one request",
    "The floor in µs; the others as multiples of the floor. Lower is better.",
    table(
      ["", "floor, µs", ...others],
      costs.map(({ cell, micros, timesFloor }) => [
        nameOf(cell),
        short(micros.floor),
        ...others.map((name) => (timesFloor[name] === undefined ? "–" : `×${short(timesFloor[name])}`)),
      ]),
    ),
    "### Requests per second",
    "Client and server share one CPU, so these figures include the cost of the client. Higher is better.",
    table(
      ["", ...measured],
      costs.map(({ cell, perSecond }) => [nameOf(cell), ...measured.map((name) => short(perSecond[name]))]),
    ),
    "### Start and memory",
    "Lower is better. ours-zod uses zod schemas, like the other engines.",
    table(
      ["", ...servers],
      starts
        .filter(({ values }) => values.ours !== undefined)
        .map(({ what, values }) => [what, ...servers.map((name) => short(values[name]))]),
    ),
    "### Where other servers are better",
    behind.length === 0
      ? "In no row is another server better than ours, or within 5 % of it."
      : `In these rows another server is better than ours, or within 5 % of it:\n\n${behind.join("\n")}`,
  ].join("\n\n");
}

/** The page with its tables replaced. */
function withTables(/** @type {string} */ page, /** @type {import("./compare.mjs").Comparison} */ comparison) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has lost the marks of its tables`);
  return `${before}${BEGIN}\n\n${writeTables(comparison)}\n\n${END}${after}`;
}

/** Publishes figures: the file, and the page that shows it. */
export function publish(/** @type {import("./compare.mjs").Comparison} */ comparison) {
  writeFileSync(FIGURES, `${JSON.stringify(comparison, undefined, 1)}\n`);
  writeFileSync(PAGE, withTables(readFileSync(PAGE, "utf8"), comparison));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const comparison = JSON.parse(readFileSync(FIGURES, "utf8"));
  const page = readFileSync(PAGE, "utf8");
  if (!process.argv.includes("--check")) publish(comparison);
  else if (withTables(page, comparison) !== page) {
    process.stderr.write("docs/compare.md does not show bench/compare.json: run node bench/compare-page.mjs\n");
    process.exitCode = 1;
  }
}
