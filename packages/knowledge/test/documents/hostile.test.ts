import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileFiles } from "./hostile-files.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const documents = `${root}packages/knowledge/src`;
const worker = `${root}packages/toolwright/dist/knowledge-reader.js`;

/** Reads and cuts the files that it is given one after the other, and tells what came of each, and the most memory it ever had. */
const program = `
import { existsSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Reader } from "${documents}/documents/reader.ts";
import { readBytes } from "${documents}/ingest/read-sources.ts";
import { READ_LIMITS, tooLarge, UnreadableDocument } from "${documents}/documents/reading.ts";
// On Linux the most that a process had is also counted by what its parent had when it was started.
const status = "/proc/self/status";
const peak = () =>
  (existsSync(status) ? Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync(status, "utf8"))[1]) : process.resourceUsage().maxRSS) * 1024 / 1e6;
const [, , worker, ...files] = process.argv;
const file = pathToFileURL(worker);
let [documentMs, reader] = [60_000, new Reader({ file, documentMs: 60_000 })];
for (const name of files) {
  let outcome;
  const wanted = name.includes("endless") ? 1000 : 60_000;
  if (wanted !== documentMs) {
    await reader.close();
    [documentMs, reader] = [wanted, new Reader({ file, documentMs: wanted })];
  }
  try {
    const reason = tooLarge(statSync(name).size, READ_LIMITS.bytes);
    if (reason !== undefined) throw new UnreadableDocument(reason);
    const handle = await open(name);
    const bytes = await readBytes(handle, name, statSync(name).size).finally(() => handle.close());
    const { reading, chunks } = await reader.readAndCut({ name, bytes, isOwned: true }, { size: 512, overlap: 50 });
    const isCut = chunks.length > 0 && chunks.every(({ tokens, content }) => tokens <= 512 && content.trim() !== "");
    outcome = isCut ? "read " + reading.text.slice(0, 100) : "cut badly";
  } catch (error) {
    outcome = error.name === "UnreadableDocument" ? error.message : "FAILED " + error.stack;
  }
  console.log(JSON.stringify({ outcome, peak: peak() }));
}
await reader.close();
`;

const folder = mkdtempSync(path.join(tmpdir(), "hostile-"));
const fileOf = (name: string): string => path.join(folder, name);
const outcomes = new Map<string, { readonly outcome: string; readonly peak: number }>();

describe("a file that is broken or was made to do harm", () => {
  beforeAll(async () => {
    const outfile = fileOf("program.mjs");
    await build({
      stdin: { contents: program, resolveDir: root, loader: "ts" },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    for (const { name, make } of hostileFiles) writeFileSync(fileOf(name), make());
    const names = hostileFiles.map(({ name }) => fileOf(name));
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, worker, ...names], { maxBuffer: 1e8 });
    for (const [index, line] of stdout.trim().split("\n").entries())
      outcomes.set(hostileFiles[index]?.name ?? "", JSON.parse(line) as { outcome: string; peak: number });
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(hostileFiles)("is read within limits or has a reason: $name", ({ name, outcome }) => {
    expect(outcomes.get(name)?.outcome).toMatch(outcome);
  });

  test("takes less than 260 MB, however many there are", () => {
    expect([...outcomes].filter(([, { peak }]) => peak >= 260)).toEqual([]);
    expect(outcomes.size).toBe(hostileFiles.length);
  });
});
