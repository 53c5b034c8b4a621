import { performance } from "node:perf_hooks";
import { requestForm } from "./requests.mjs";
import { median } from "./stats.mjs";
import { benchTools } from "./tools.mjs";

/** @typedef {{ validationMicros: number, overheadMicros: number }} InProcess */

const engine = new URL("../packages/engine/dist/index.js", import.meta.url).href;
const transport = new URL("../packages/engine/dist/transport.js", import.meta.url).href;
const callsInBlock = 64;
const blocks = 600;
const blocksBefore = 200;

/** How long a block of calls takes, per call, in µs. */
async function timeBlock(/** @type {() => Promise<void> | void} */ run) {
  const began = performance.now();
  await run();
  return ((performance.now() - began) * 1000) / callsInBlock;
}

/** Calls through the engine: text in, text out, no pipe in between. */
async function openEngine(tools) {
  const { createServer } = await import(engine);
  const { openMemoryConnection } = await import(transport);
  let heard = 0;
  let last = "";
  /** @type {(() => void) | undefined} */
  let done;
  const connection = await openMemoryConnection(createServer({ name: "bench", version: "1.0.0", tools }), (message) => {
    last = message;
    heard++;
    if (heard === callsInBlock) done?.();
  });
  return async (/** @type {string} */ text) => {
    heard = 0;
    const all = new Promise((resolve) => {
      done = () => resolve(undefined);
    });
    for (let call = 0; call < callsInBlock; call++) connection.send(text.replace("1000000", String(1_000_000 + call)));
    await all;
    const { result } = JSON.parse(last);
    if (result === undefined || result.isError) throw new Error(`The engine refused a right call: ${last}`);
  };
}

/**
 * What the engine itself costs for a call with six properties, in this process and without a pipe: validation is the
 * difference between a tool that declares the properties and one that takes any object; overhead is what comes on top
 * of parsing the request, running the tool and serialising the answer.
 */
export async function measureInProcess(/** @type {(line: string) => void} */ say) {
  const { tool } = await import(engine);
  const { answer, inputSchema } = benchTools(2)[1];
  const run = async (input) => answer(input);
  const call = await openEngine([
    tool({ name: "fill6", description: "Checks.", input: inputSchema, run }),
    tool({ name: "free6", description: "Checks nothing.", input: { type: "object" }, run, unknownArguments: "allow" }),
  ]);
  const form = requestForm("fill6", "modern", 2).bytes.toString().trimEnd();
  const free = form.replace('"fill6"', '"free6"');
  const bare = () => {
    for (let n = 0; n < callsInBlock; n++) {
      const { id, params } = JSON.parse(form.replace("1000000", String(1_000_000 + n)));
      const text = answer(params.arguments);
      JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], resultType: "complete" } });
    }
  };
  const times = { checked: [], unchecked: [], bare: [] };
  for (let block = 0; block < blocksBefore + blocks; block++) {
    const checked = await timeBlock(() => call(form));
    const unchecked = await timeBlock(() => call(free));
    const parsed = await timeBlock(bare);
    if (block < blocksBefore) continue;
    times.checked.push(checked);
    times.unchecked.push(unchecked);
    times.bare.push(parsed);
  }
  const result = {
    validationMicros: Math.max(0, median(times.checked) - median(times.unchecked)),
    overheadMicros: median(times.checked) - median(times.bare),
  };
  say(
    `in process: a call ${median(times.checked).toFixed(2)} µs, of it validation ${result.validationMicros.toFixed(2)}, JSON and tool ${median(times.bare).toFixed(2)}`,
  );
  return result;
}
