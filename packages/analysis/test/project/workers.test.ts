import { setMaxListeners } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Workers, type WorkersOptions } from "../../src/project/workers.js";
import { makeFolder, workerFile } from "../kit.js";
import { openProject, pathsOf } from "./open-project.js";

const never = new AbortController().signal;
setMaxListeners(0, never);
const form = { encoding: "utf-8", bomBytes: 0 } as const;
const question = (text: string) => ({
  language: "typescript" as const,
  bytes: Buffer.from(text),
  form,
  wanted: ["measures"] as const,
});

let lastKey = 0;
const ask = (workers: Workers, ...[job, signal]: [ReturnType<typeof question>, AbortSignal]) =>
  workers.readFacts(`${lastKey++}`, job, signal);

async function openWorkers(options: Partial<WorkersOptions> = {}): Promise<Workers> {
  const workers = new Workers({ file: await workerFile(), count: 1, ...options });
  onTestFinished(() => workers.close());
  return workers;
}

const LARGE = Array.from(
  { length: 1500 },
  (_, at) => `export const f${at} = (a: number) => (a > ${at} ? a : [a, "${at}"]);`,
);

test("a text that takes more memory than a thread may have fails alone", async () => {
  const project = await openProject({
    files: {
      "a.ts": "export const a = () => 1;\n",
      "large.ts": LARGE.join("\n"),
      "z.ts": "export const z = () => 1;\n",
    },
    threads: { memory: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } },
  });
  const read = await project.read();
  expect(pathsOf(read)).toEqual(["a.ts", "z.ts"]);
  expect(read.skipped).toEqual([{ path: "large.ts", reason: "it took more memory than a thread may use" }]);
});

test("a text that takes too long is ended with its thread, and what waited behind it is read by another", async () => {
  const workers = await openWorkers({ jobMs: 1 });
  const results = await Promise.all([
    ask(workers, question(LARGE.join("\n")), never),
    ask(workers, question(LARGE.join("\n")), never),
  ]);
  expect(results).toEqual([
    { failure: "it took longer than 0.001 seconds" },
    { failure: "it took longer than 0.001 seconds" },
  ]);
  const patient = await openWorkers();
  const { facts, failure } = await ask(patient, question("export const a = () => 1;"), never);
  expect(failure).toBe(undefined);
  expect(JSON.parse(facts?.measures ?? "{}")).toMatchObject({ lines: 1, functions: [{ name: "a" }] });
});

test("several threads answer each what it was asked", async () => {
  const workers = await openWorkers({ count: 3 });
  const texts = Array.from({ length: 40 }, (_, at) => `export function f${at}() { return ${at}; }`);
  const results = await Promise.all(texts.map((text) => ask(workers, question(text), never)));
  const names = results.map(
    ({ facts }) => (JSON.parse(facts?.measures ?? "{}") as { functions: { name: string }[] }).functions[0]?.name,
  );
  expect(names).toEqual(texts.map((_, at) => `f${at}`));
});

test("idle threads that were ended are started again", async () => {
  const workers = await openWorkers({ idleMs: 1 });
  for (const name of ["a", "b", "c"]) {
    const { facts } = await ask(workers, question(`const ${name} = () => 1;`), never);
    expect(facts?.measures).toContain(`"name":"${name}"`);
    // The thread goes in a later turn of the event loop than this timer, or in this one: both must do.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
});

test("a thread reads files, but none through a link and none that is too large", async () => {
  const folder = await makeFolder();
  const at = (name: string) => path.join(folder, name);
  await writeFile(at("a.ts"), "const a = 1;");
  await writeFile(at("large.ts"), "const large = 100;");
  await symlink("a.ts", at("link.ts"));
  const workers = await openWorkers();
  const realPaths = ["a.ts", "large.ts", "link.ts", "none.ts"].map(at);
  const files = await workers.readFiles({ realPaths, maxBytes: 12 }, never);
  expect(files.map((file) => file && Buffer.from(file.bytes).toString())).toEqual([
    "const a = 1;",
    undefined,
    undefined,
    undefined,
  ]);
});

test("threads that were started ahead answer, and start again after they have ended", async () => {
  const workers = await openWorkers({ idleMs: 1 });
  for (const name of ["a", "b"]) {
    workers.prepare();
    await new Promise((resolve) => setTimeout(resolve, 1));
    const { facts } = await ask(workers, question(`const ${name} = () => 1;`), never);
    expect(facts?.measures).toContain(`"name":"${name}"`);
  }
});

test("where no thread can be had the call fails, and no file is blamed", async () => {
  const folder = await makeFolder();
  await writeFile(path.join(folder, "broken.mjs"), "throw new Error('no such grammar');\n");
  const file = pathToFileURL(path.join(folder, "broken.mjs"));
  const project = await openProject({ files: { "a.ts": "", "b.ts": "" }, threads: { file } });
  await expect(project.read()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "Cannot read sources: no worker thread is available (no such grammar).",
  });
});

test("a cancelled call ends at once, with texts asked and texts waiting", async () => {
  const workers = await openWorkers();
  const cancel = new AbortController();
  const asked = Array.from({ length: 5 }, () => ask(workers, question(LARGE.slice(0, 100).join("\n")), cancel.signal));
  cancel.abort(new Error("enough"));
  const ends = await Promise.allSettled(asked);
  expect(ends.map((end) => end.status === "rejected" && String(end.reason))).toEqual(Array(5).fill("Error: enough"));
  const { facts } = await ask(workers, question("const a = () => 1;"), never);
  expect(facts?.measures).toContain('"name":"a"');
});

test("a call that is cancelled while it reads a project stops", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`f${at}.ts`, LARGE.slice(0, 50).join("\n")]),
  );
  const cancel = new AbortController();
  const project = await openProject({ files, onProgress: () => cancel.abort(new Error("enough")) });
  await expect(project.read({}, cancel.signal)).rejects.toThrow("enough");
});

test("requests during and after close are rejected with the reason", async () => {
  const workers = await openWorkers();
  const waiting = ask(workers, question(LARGE.join("\n")), never);
  const said = expect(waiting).rejects.toThrow("no worker thread is available (the server is closing)");
  await workers.close();
  await said;
  await expect(ask(workers, question(""), never)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

/** Threads that say how often they were asked. */
async function countingWorkers(): Promise<Workers> {
  const file = path.join(await makeFolder(), "counting.mjs");
  await writeFile(
    file,
    `import { parentPort } from "node:worker_threads";
let asked = 0;
parentPort.on("message", ({ id }) => parentPort.postMessage({ id, failure: String(++asked) }));
`,
  );
  return openWorkers({ file: pathToFileURL(file) });
}

test("what several ask of one content at the same time is read once", async () => {
  const workers = await countingWorkers();
  const [one, other, third] = await Promise.all([
    workers.readFacts("hash", question("a"), never),
    workers.readFacts("hash", question("a"), never),
    workers.readFacts("other", question("b"), never),
  ]);
  expect([one, other, third]).toEqual([{ failure: "1" }, { failure: "1" }, { failure: "2" }]);
  expect(await workers.readFacts("hash", question("a"), never)).toEqual({ failure: "3" });
});

test("who stops waiting does not take it from the others", async () => {
  const workers = await countingWorkers();
  const cancel = new AbortController();
  const gone = workers.readFacts("hash", question("a"), cancel.signal);
  const staying = workers.readFacts("hash", question("a"), never);
  cancel.abort(new Error("enough"));
  await expect(gone).rejects.toThrow("enough");
  expect(await staying).toEqual({ failure: "1" });
});
