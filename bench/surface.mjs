import { spawn } from "node:child_process";
import { once } from "node:events";
import { median } from "./stats.mjs";

/** @typedef {{ fanOut: number, lastPage: number, longList: number }} SurfaceCost */

const engine = new URL("../packages/engine/dist/index.js", import.meta.url).href;
const transport = new URL("../packages/engine/dist/transport.js", import.meta.url).href;
const subscribers = 1000;
const rounds = 60;
const roundsBefore = 15;
const pageSize = 100;
const uri = "bench://watched";

const cpuMicros = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Opens a conversation in which `hear` gets what the server says. */
async function open(server, hear) {
  const { openMemoryConnection } = await import(transport);
  const connection = await openMemoryConnection(server, hear);
  const say = (id, method, params) => connection.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const clientInfo = { name: "bench", version: "1.0.0" };
  say(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  say(undefined, "notifications/initialized");
  return say;
}

/** One change of which a thousand sessions are notified, against a thousand bare writes of the same text to the same pipe. */
async function measureFanOut() {
  const { createServer, resource } = await import(engine);
  const resources = [resource({ uri, name: "watched", read: () => "" })];
  const server = createServer({ name: "bench", version: "1.0.0", resources, limits: { changeIntervalMs: 1 } });
  const reader = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "inherit"] });
  const text = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } })}\n`;
  let heard = 0;
  let isMeasured = false;
  const write = (/** @type {string} */ line) => {
    if (!isMeasured) return;
    heard++;
    reader.stdin.write(line);
  };
  for (let n = 0; n < subscribers; n++) {
    const say = await open(server, (message) => write(`${message}\n`));
    say(2, "resources/subscribe", { uri });
  }
  // The responses to the last requests may come in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  isMeasured = true;
  const settled = async () => {
    if (reader.stdin.writableLength > 0) await once(reader.stdin, "drain");
    await new Promise((resolve) => setTimeout(resolve, 3));
  };
  const bare = async () => {
    for (let n = 0; n < subscribers; n++) write(text);
    await settled();
  };
  const notified = async () => {
    server.notifyResourceUpdated(uri);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await settled();
  };
  const ratios = [];
  for (let round = 0; round < roundsBefore + rounds; round++) {
    const costs = [];
    for (const work of [bare, notified]) {
      heard = 0;
      const before = cpuMicros();
      await work();
      costs.push(cpuMicros() - before);
      if (heard !== subscribers) throw new Error(`${heard} of ${subscribers} subscribers heard of the change`);
    }
    if (round >= roundsBefore) ratios.push(costs[1] / costs[0]);
  }
  reader.kill();
  return median(ratios);
}

/** What a page costs at a place in a list of so many resources, each time on a server that has kept no page yet. */
async function measurePages(/** @type {number} */ count) {
  const { createServer, resource } = await import(engine);
  const resources = Array.from({ length: count }, (_, n) =>
    resource({ uri: `bench://item/${n}`, name: `item ${n}`, description: "One of many.", read: () => "" }),
  );
  const times = { first: [], last: [] };
  for (let round = 0; round < 12; round++) {
    const server = createServer({ name: "bench", version: "1.0.0", resources, limits: { pageSize } });
    let answer = "";
    const say = await open(server, (message) => {
      answer = message;
    });
    const page = (cursor) => {
      const began = performance.now();
      say(3, "resources/list", cursor === undefined ? {} : { cursor });
      const took = performance.now() - began;
      return { took, next: JSON.parse(answer).result.nextCursor };
    };
    // The first walk fills in what is made once for a list; the walks after it tell what a page costs.
    const walk = () => {
      const took = [];
      let cursor;
      do {
        const one = page(cursor);
        took.push(one.took);
        cursor = one.next;
      } while (cursor !== undefined);
      return took;
    };
    const took = walk();
    if (round < 4) continue;
    times.first.push(...took.slice(1, 4));
    times.last.push(...took.slice(-3));
  }
  return { first: median(times.first), last: median(times.last) };
}

/**
 * What the parts beyond tools cost, in this process: a change of which many are notified, and pages of long lists.
 * @returns {Promise<SurfaceCost>}
 */
export async function measureSurface(/** @type {(line: string) => void} */ say) {
  const fanOut = await measureFanOut();
  const [short, long] = [await measurePages(1000), await measurePages(10_000)];
  const cost = { fanOut, lastPage: long.last / long.first, longList: long.last / short.last };
  say(
    `surface  a change to ${subscribers} ×${fanOut.toFixed(2)}, pages of 10,000 ×${cost.lastPage.toFixed(2)}, of 1,000 ×${cost.longList.toFixed(2)}`,
  );
  return cost;
}
