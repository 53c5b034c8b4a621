import path from "node:path";
import { fileURLToPath } from "node:url";
import { Connection } from "./connection.mjs";
import { ServerProcess } from "./server-process.mjs";
import { median } from "./stats.mjs";

/** @typedef {{ bare: number, serve: number, ratio: number }} ServeCold ms of CPU, and a ratio */

export const main = fileURLToPath(new URL("../packages/toolwright/dist/main.js", import.meta.url));
/** Node itself, as far as an answer to the first line. */
const bare = [
  "-e",
  'process.stdin.once("data", (line) => process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(JSON.parse(line).id)},"result":{}}\\n`))',
];
const hello = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
};
/** After this the server has kept its compiled code. */
export const KEPT_MS = 2000;

/** CPU of a program in ms until it has answered `initialize`; it stays for so long afterwards. */
export async function cpuToAnswer(/** @type {string[]} */ args, staysMs = 0) {
  const process = new ServerProcess(args);
  try {
    await new Connection(process).ask(hello);
    const cpu = (await process.cpuMicros()) / 1000;
    await new Promise((resolve) => setTimeout(resolve, staysMs));
    return cpu;
  } finally {
    await process.kill();
  }
}

/**
 * What `toolwright serve` with all packs costs until it has answered `initialize`, beside bare Node, in turns.
 * @param {{ starts: number, say: (line: string) => void }} plan
 */
export async function measureServeCold({ starts, say }) {
  const served = [path.normalize(main), "serve"];
  await cpuToAnswer(served, KEPT_MS);
  const pairs = [];
  for (let start = 0; start < 2 * starts + 1; start++)
    pairs.push({ bare: await cpuToAnswer(bare), serve: await cpuToAnswer(served) });
  const cost = {
    bare: median(pairs.map((pair) => pair.bare)),
    serve: median(pairs.map(({ serve }) => serve)),
    ratio: median(pairs.map((pair) => pair.serve / pair.bare)),
  };
  say(
    `serve-cold ${cost.serve.toFixed(0)} ms to the answer of initialize with all packs, bare Node ${cost.bare.toFixed(0)} ms, × ${cost.ratio.toFixed(2)}`,
  );
  return cost;
}

/** What it is held to. */
export const serveColdBounds = (/** @type {ServeCold | undefined} */ measured) => [
  {
    what: '"toolwright serve" with all packs, to the answer of initialize, × bare Node (CPU)',
    value: measured?.ratio,
    bound: 1.5,
    unit: "×",
  },
];
