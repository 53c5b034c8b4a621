import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { SEEDS } from "../seeds.js";
import { TARGETS } from "../targets.js";
import { Coverage } from "./coverage.js";
import { fuzz } from "./loop.js";

/** How the worker is started. */
interface Order {
  readonly name: string;
  readonly milliseconds: number;
  readonly seed: number;
  /** The length of the current input and its characters, read by the parent if the worker hangs. */
  readonly running: Uint16Array;
  /** The URL of this script. */
  readonly url: string;
}

const { name, milliseconds, seed, running, url } = workerData as Order;
const port = parentPort as MessagePort;
const target = TARGETS[name];
if (target === undefined) throw new Error(`There is no target ${name}; there are ${Object.keys(TARGETS).join(", ")}`);
const coverage = new Coverage(url);
const finding = await fuzz({
  target,
  seeds: SEEDS[name] ?? [],
  coverage,
  milliseconds,
  seed,
  onInput(input) {
    running[0] = input.length;
    for (let at = 0; at < input.length; at += 1) running[at + 1] = input.charCodeAt(at);
  },
  onProgress: (runs, kept) => port.postMessage({ runs, kept, blocks: coverage.blocks }),
});
port.postMessage({ finding, isOver: true });
