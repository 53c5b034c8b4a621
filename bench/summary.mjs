import { median, ratios, spread } from "./stats.mjs";

/** @typedef {{ value: number, spread: number }} Figure */

function figure(/** @type {number[]} */ values) {
  const known = values.filter((value) => Number.isFinite(value));
  return known.length === 0 ? undefined : { value: median(known), spread: spread(known) };
}

/** What stands for the passes of a cell where something is measured per start or per process. */
const startFields = {
  "cold.initialize": "cpu",
  "cold.call": "callCpu",
  "cold.initialize.wall": "wall",
  "cold.call.wall": "callWall",
  "memory.handshake": "resident",
};
const sessionFields = {
  "sessions.live": "live",
  "sessions.resident": "resident",
  "sessions.open": "cpu",
};
const memoryFields = {
  "memory.after": "after",
  "memory.peak": "peak",
  "heap.before": "liveBefore",
  "heap.after": "liveAfter",
};

/**
 * Answers what the tables, the chart and the targets ask for, from everything that was measured. A key is the name of
 * a cell or one of the fields above.
 * @param {{ measurements: import("./rounds.mjs").Measurement[], cold: import("./cold.mjs").ColdStart[],
 *   memory: import("./memory.mjs").MemoryUse[], sessions: import("./sessions.mjs").HeldSessions[] }} measured
 */
export function createSummary({ measurements, cold, memory, sessions }) {
  // Processes of one server only differ by chance: they have no partner, so their median is the one value.
  const oneValue = (uses, server, name) => {
    const own = uses.filter((use) => use.server === server).map((use) => use[name]);
    return own.length === 0 ? [] : [{ round: 0, pass: 0, micros: median(own) }];
  };
  /** Every value of a server under a key, with the round in which it can be compared with another server's. */
  const entries = (key, server) => {
    if (key in startFields) {
      const own = cold.filter((start) => start.server === server);
      return own.map((start, round) => ({ round, pass: 0, micros: start[startFields[key]] }));
    }
    if (key in memoryFields) return oneValue(memory, server, memoryFields[key]);
    if (key in sessionFields) return oneValue(sessions, server, sessionFields[key]);
    return measurements.filter((entry) => entry.cell === key && entry.server === server);
  };
  const field = (name) => (key, server) =>
    figure(measurements.filter((entry) => entry.cell === key && entry.server === server).map((entry) => entry[name]));
  return {
    /** @returns {Figure | undefined} µs of CPU per request or session, ms for a start, MiB for memory, KiB for a session */
    value: (key, server) => figure(entries(key, server).map((entry) => entry.micros)),
    /** @returns {Figure | undefined} how many times the other server's value */
    ratio: (key, server, base) => figure(ratios(entries(key, server), entries(key, base))),
    /** @returns {number | undefined} the smallest value, which is the steadiest one for a start on a busy machine */
    least: (key, server) => {
      const values = entries(key, server).map((entry) => entry.micros);
      return values.length === 0 ? undefined : Math.min(...values);
    },
    perSecond: field("perSecond"),
    p50: field("p50"),
    p99: field("p99"),
  };
}

/** @typedef {ReturnType<typeof createSummary>} Summary */
