// npm run fuzz: mutates inputs, guided by V8's coverage, and keeps those that violate a property.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";

const NAMES = ["framing", "codec", "schema", "headers", "frames", "events", "conversation"];
const HANGS_MS = 20_000;
const LONGEST = 4000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    target: { type: "string", multiple: true, default: NAMES },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

/** Writes a finding where `tests/fuzz/corpus.test.ts` replays it. */
function keep(name, finding) {
  const file = new URL(`../corpus/${name}.json`, import.meta.url);
  const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  writeFileSync(file, `${JSON.stringify([...known, finding], null, 2)}\n`);
  console.log(
    `✗ ${name}: ${finding.violation}\n  ${JSON.stringify(finding.input)}\n  saved in tests/fuzz/corpus/${name}.json`,
  );
}

/** Fuzzes one target; returns whether nothing was found. */
async function run(script, name) {
  const running = new Uint16Array(new SharedArrayBuffer(2 * (LONGEST + 1)));
  const order = {
    name,
    milliseconds: Number(values.minutes) * 60_000,
    seed: Number(values.seed),
    running,
    url: script.href,
  };
  const worker = new Worker(script, { workerData: order });
  const { promise, resolve, reject } = withResolvers();
  const hang = setTimeout(() => {
    const input = String.fromCharCode(...running.subarray(1, 1 + running[0]));
    resolve({ violation: "does not end", input });
  }, HANGS_MS);
  worker.on("message", ({ isOver, finding, runs, kept, blocks }) => {
    hang.refresh();
    if (isOver) resolve(finding);
    else console.log(`${name}: ${runs} inputs, ${kept} kept, ${blocks} blocks`);
  });
  worker.on("error", reject);
  const finding = await promise;
  clearTimeout(hang);
  await worker.terminate();
  if (finding !== undefined) keep(name, finding);
  return finding === undefined;
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers() {
  const ends = {};
  const promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return { promise, ...ends };
}

const root = new URL("../../../", import.meta.url);
const outfile = fileURLToPath(new URL("node_modules/.cache/fuzz/worker.mjs", root));
mkdirSync(new URL("node_modules/.cache/fuzz/", root), { recursive: true });
await build({
  entryPoints: [fileURLToPath(new URL("worker.ts", import.meta.url))],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  conditions: ["@toolwright/source"],
  external: ["ws", "ajv", "ajv/*", "ajv-formats", "@modelcontextprotocol/*"],
});
console.log(`Fuzzing with seed ${values.seed}, ${values.minutes} minutes a target.`);
for (const name of values.target) if (!(await run(pathToFileURL(outfile), name))) process.exitCode = 1;
