import { groupCells } from "./cells.mjs";
import { Traffic } from "./driver.mjs";
import { requestForm, revisionOf } from "./requests.mjs";
import { ServerProcess } from "./server-process.mjs";
import { argumentsOf } from "./servers.mjs";
import { connectTo } from "./wires/open.mjs";

/** How many requests are in flight while a fresh process runs warm. */
const firstWindow = { stdio: 64, http: 32, unix: 64, websocket: 64 };

/** @typedef {import("./driver.mjs").Pass & { cell: string, server: string, round: number, pass: number }} Measurement */

/** Asks for a tool with arguments that are all wrong. A server that runs it saves time the others spend on checking. */
async function acceptsWrongArguments(connection, era) {
  const { method, params } = JSON.parse(requestForm("wrong", era, 20).bytes.toString());
  const { result } = await connection.ask({ method, params });
  return result !== undefined && !result.isError;
}

/**
 * Starts a server afresh, opens the conversation and lets it run warm; undefined when that fails.
 * @param {import("./servers.mjs").BenchServer} server
 * @param {Pick<import("./cells.mjs").Cell, "era" | "transport" | "tools" | "resources">} group
 * @param {{ failures: string[], warmMillis: number }} plan
 */
export async function startServer(server, group, { failures, warmMillis }) {
  const process = new ServerProcess(argumentsOf(server, group));
  try {
    const connection = await connectTo(process, group.transport, group.era);
    await connection.open(group.era);
    const window = firstWindow[group.transport];
    await new Traffic(connection, { ...group, name: "", subjects: ["echo-100"], window }).warmUp(warmMillis);
    return { server, connection, process };
  } catch (error) {
    failures.push(`${server.name} ${group.transport} ${group.era}: ${error.message}`);
    await process.kill();
    return undefined;
  }
}

/** Ends servers and this client's connections to them. */
export async function stopServers(/** @type {{ connection: { close(): void }, process: ServerProcess }[]} */ started) {
  for (const { connection } of started) connection.close();
  await Promise.all(started.map(({ process }) => process.kill()));
}

/**
 * Measures all cells in rounds. A round has fresh processes; within it the servers take turns cell by cell and pass by
 * pass, so that a slow moment of the machine hits all of them alike.
 * @param {{ cells: import("./cells.mjs").Cell[], servers: import("./servers.mjs").BenchServer[], rounds: number,
 *   passes: number, passMillis: number, httpPassMillis: number, warmMillis: number, say: (line: string) => void }} plan
 */
export async function measureRounds(plan) {
  /** @type {Measurement[]} */
  const measurements = [];
  /** @type {string[]} */
  const failures = [];
  const lenient = new Set();
  const otherRevisions = new Set();
  for (let round = 0; round < plan.rounds; round++) {
    for (const group of groupCells(plan.cells)) {
      const started = [];
      const able = (one) =>
        one.eras.includes(group.era) &&
        one.transports.includes(group.transport) &&
        !one.coldOnly &&
        (!group.resources || one.resources);
      for (const server of plan.servers.filter(able)) {
        const one = await startServer(server, group, { ...plan, failures });
        if (one !== undefined) started.push(one);
      }
      for (const { server, connection } of started) {
        if (group.tools < 2 || round > 0 || server.name === "floor-again") continue;
        try {
          if (await acceptsWrongArguments(connection, group.era))
            lenient.add(`${server.name} (${group.transport} ${group.era})`);
        } catch (error) {
          failures.push(`${server.name} wrong arguments: ${error.message}`);
        }
        if (connection.revision !== revisionOf[group.era]) otherRevisions.add(`${server.name} ${connection.revision}`);
      }
      for (const cell of group.cells) {
        // A request over HTTP is ten times the work, so a pass takes longer to have enough of them.
        const passMillis = cell.transport === "http" ? plan.httpPassMillis : plan.passMillis;
        measurements.push(...(await measureCell(cell, started, { ...plan, passMillis, round, failures })));
      }
      await stopServers(started);
    }
  }
  return { measurements, failures: [...new Set(failures)], lenient: [...lenient], otherRevisions: [...otherRevisions] };
}

/** Lets the servers take turns with one kind of traffic. */
export async function measureCell(cell, started, { passes, passMillis, warmMillis, round, rounds, failures, say }) {
  /** @type {Measurement[]} */
  const measured = [];
  const traffics = new Map();
  for (const { server, connection } of started) traffics.set(server.name, new Traffic(connection, cell));
  const failed = new Set();
  const attempt = async (name, work) => {
    if (failed.has(name)) return undefined;
    try {
      return await work(traffics.get(name));
    } catch (error) {
      failed.add(name);
      failures.push(`${name} ${cell.name}: ${error.message}`);
      return undefined;
    }
  };
  for (const name of traffics.keys()) await attempt(name, (traffic) => traffic.warmUp(warmMillis));
  for (let pass = 0; pass < passes; pass++) {
    const names = [...traffics.keys()];
    // Every pass begins with another server, so that none is always the one after the slowest.
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + pass + round) % names.length];
      const result = await attempt(name, (traffic) => traffic.measure(passMillis));
      if (result !== undefined) measured.push({ cell: cell.name, server: name, round, pass, ...result });
    }
  }
  const shown = [...traffics.keys()].map((name) => {
    const own = measured.filter((entry) => entry.server === name).map((entry) => entry.micros);
    return `${name} ${own.length === 0 ? "-" : Math.min(...own).toPrecision(3)}`;
  });
  say(`round ${round + 1}/${rounds}  ${cell.name.padEnd(26)} ${shown.join("  ")}  (µs)`);
  return measured;
}
