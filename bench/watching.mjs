import { measureCell, startServer, stopServers } from "./rounds.mjs";

/** What the tables and `--only` call the traffic to our server with and without what watches it. */
export const watchingCells = {
  stdio: "watching.echo-100.w64",
  http: "watching.http.echo-100.c32",
};

const traffic = {
  stdio: { era: "legacy", window: 64 },
  http: { era: "modern", window: 32 },
};

/**
 * The same traffic to our server as it comes, and to one that keeps no messages and traces nothing, in turns: what
 * watching costs. The measurements have `watched` and `bare` in place of a server's name.
 * @param {{ servers: import("./servers.mjs").BenchServer[], rounds: number, passes: number, passMillis: number,
 *   httpPassMillis: number, warmMillis: number, say: (line: string) => void }} plan
 */
export async function measureWatching(plan) {
  /** @type {import("./rounds.mjs").Measurement[]} */
  const measurements = [];
  const failures = [];
  const ours = plan.servers.find(({ name }) => name === "ours");
  if (ours === undefined) return { measurements, failures };
  for (let round = 0; round < plan.rounds; round++) {
    for (const [transport, name] of Object.entries(watchingCells)) {
      const { era, window } = traffic[transport];
      const started = [];
      for (const server of [
        { ...ours, name: "watched" },
        { ...ours, name: "bare", isBare: true },
      ]) {
        const one = await startServer(server, { era, transport, tools: 20 }, { ...plan, failures });
        if (one !== undefined) started.push(one);
      }
      const cell = { name, subjects: ["echo-100"], window, era, transport, tools: 20 };
      const passMillis = transport === "http" ? plan.httpPassMillis : plan.passMillis;
      measurements.push(...(await measureCell(cell, started, { ...plan, passMillis, round, failures })));
      await stopServers(started);
    }
  }
  return { measurements, failures: [...new Set(failures)] };
}
