/** Every figure that the page "How we compare" shows, and what must be known to judge them. @typedef {ReturnType<typeof compare>} Comparison */

/** What stands in the tables under each key, in words for people who do not know the cells' names. */
const startKeys = [
  ["cold.initialize.wall", "ms from spawn to the initialize response"],
  ["cold.initialize", "ms of CPU until then"],
  ["cold.call.wall", "ms from spawn to the response of the first call"],
  ["cold.call", "ms of CPU until then"],
  ["memory.handshake", "MiB of resident memory after the handshake"],
  ["memory.after", "MiB of resident memory after many calls"],
  ["sessions.live", "KiB of live heap for each open HTTP session"],
];

/**
 * The part of a run that is published.
 * @param {{ circumstances: string[], servers: import("./servers.mjs").BenchServer[], cells: string[] }} results
 * @param {import("./summary.mjs").Summary} summary
 * @param {string} date on which it was measured
 */
export function compare(results, summary, date) {
  const names = results.servers.filter(({ name }) => name !== "floor-again").map(({ name }) => name);
  const figures = (/** @type {(name: string) => number | undefined} */ read) =>
    Object.fromEntries(names.flatMap((name) => (read(name) === undefined ? [] : [[name, rounded(read(name))]])));
  return {
    date,
    circumstances: results.circumstances.map((line) => line.replace(/^- /, "")),
    servers: names,
    costs: results.cells.map((cell) => ({
      cell,
      micros: figures((name) => summary.value(cell, name)?.value),
      timesFloor: figures((name) => summary.ratio(cell, name, "floor")?.value),
      perSecond: figures((name) => summary.perSecond(cell, name)?.value),
    })),
    starts: startKeys.map(([key, what]) => ({ what, values: figures((name) => summary.value(key, name)?.value) })),
  };
}

/** Four figures say all that a run can tell. */
const rounded = (/** @type {number} */ value) => Number(value.toPrecision(4));
