/**
 * @typedef {object} Cell
 * @property {string} name what the tables and `--only` call it
 * @property {import("./requests.mjs").Era} era
 * @property {import("./wires/open.mjs").Transport} transport
 * @property {number} tools how many tools the server offers
 * @property {string[]} subjects what is asked, in turn
 * @property {number} window how many requests are in flight
 * @property {boolean} [resources] the server offers a resource beside the tools
 */

/**
 * Of twenty requests: one list, two long texts, three pings, five forms, nine short texts, spread evenly. The modern
 * era has no ping; short texts take its place.
 */
const mixOf20 = (/** @type {string} */ ping) => {
  const [short, long, form] = ["echo-100", "echo-10k", "fill6"];
  const half = [short, form, short, ping, short, form, long, short, "list", short];
  return half.concat([form, ping, short, form, short, long, short, form, ping, short]);
};

const cell = (era, subjects, flight, tools, name = subjects[0]) => ({
  name: `${era}.${name}.${flight === 1 ? "seq" : `w${flight}`}`,
  era,
  transport: "stdio",
  tools,
  subjects,
  window: flight,
});

/** Over HTTP a request in flight takes a connection. */
const httpCell = (era, subjects, connections, name = subjects[0]) => ({
  ...cell(era, subjects, connections, 20, name),
  name: `http.${era}.${name}.c${connections}`,
  transport: "http",
});

const httpCells = (era) => [
  httpCell(era, ["echo-100"], 1),
  httpCell(era, ["echo-100"], 32),
  httpCell(era, ["echo-10k"], 32),
  httpCell(era, ["list"], 32, "list-20"),
];

/** Everything that is measured per request. Cells of one transport, one era and one number of tools share their processes. */
export const cells = /** @type {Cell[]} */ ([
  cell("legacy", ["ping"], 64, 20),
  cell("legacy", ["echo-100"], 64, 20),
  cell("legacy", ["echo-100"], 128, 20),
  cell("legacy", ["fill6"], 64, 20),
  cell("legacy", mixOf20("ping"), 64, 20, "mixed"),
  cell("legacy", ["echo-10k"], 64, 20),
  cell("legacy", ["echo-10k-utf8"], 64, 20),
  cell("legacy", ["echo-900k"], 64, 20),
  cell("legacy", ["list"], 16, 20, "list-20"),
  // One at a time comes last: there are too few requests in a pass to get a server compiled.
  cell("legacy", ["ping"], 1, 20),
  cell("legacy", ["echo-100"], 1, 20),
  cell("legacy", ["list"], 16, 1, "list-1"),
  cell("legacy", ["list"], 16, 200, "list-200"),
  cell("modern", ["echo-100"], 64, 20),
  cell("modern", ["fill6"], 64, 20),
  cell("modern", mixOf20("echo-100"), 64, 20, "mixed"),
  cell("modern", ["echo-10k"], 64, 20),
  cell("modern", ["list"], 16, 20, "list-20"),
  cell("modern", ["echo-100"], 1, 20),
  { ...cell("legacy", ["read-1m"], 8, 2), resources: true },
  { ...cell("modern", ["read-1m"], 8, 2), resources: true },
  ...httpCells("legacy"),
  ...httpCells("modern"),
]);

/** The cells that can be measured on the same processes, one group after the other. */
export function groupCells(/** @type {Cell[]} */ chosen) {
  /** @type {Map<string, Pick<Cell, "era" | "transport" | "tools"> & { resources: boolean, cells: Cell[] }>} */
  const groups = new Map();
  for (const one of chosen) {
    const { era, transport, tools, resources = false } = one;
    const key = `${transport}.${era}.${tools}.${resources}`;
    const group = groups.get(key) ?? { era, transport, tools, resources, cells: [] };
    group.cells.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}
