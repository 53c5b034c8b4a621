import { measureCell, startServer, stopServers } from "./rounds.mjs";

/** What the tables and `--only` call the traffic that is sent over each channel. */
export const channelCell = "channels.echo-100.w64";

/** @type {import("./wires/open.mjs").Transport[]} */
const channels = ["stdio", "unix", "websocket"];

/**
 * The same traffic to our server over each channel that stays open, in turns: what a Unix socket and a WebSocket cost
 * beside a pipe. The measurements have the channel's name in place of a server's.
 * @param {{ servers: import("./servers.mjs").BenchServer[], rounds: number, passes: number, passMillis: number,
 *   warmMillis: number, say: (line: string) => void }} plan
 */
export async function measureChannels(plan) {
  /** @type {import("./rounds.mjs").Measurement[]} */
  const measurements = [];
  const failures = [];
  const ours = plan.servers.find(({ name }) => name === "ours");
  if (ours === undefined) return { measurements, failures };
  for (let round = 0; round < plan.rounds; round++) {
    const started = [];
    for (const transport of channels) {
      const one = await startServer(ours, { era: "legacy", transport, tools: 20 }, { ...plan, failures });
      if (one !== undefined) started.push({ ...one, server: { name: transport } });
    }
    const cell = { name: channelCell, subjects: ["echo-100"], window: 64, era: "legacy", tools: 20 };
    measurements.push(...(await measureCell(cell, started, { ...plan, round, failures })));
    await stopServers(started);
  }
  return { measurements, failures: [...new Set(failures)] };
}
