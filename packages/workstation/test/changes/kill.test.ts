import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { makeFolder, openWorkstation, type TestWorkstation } from "../kit.js";
import { type Built, buildWithDriver } from "./program.js";

/** How many processes are killed; more by the environment. */
const KILLS = Number(process.env["KILLS"] ?? 5);
const SEED = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 1e6));

const FILES = { a: "begin 0\nfirst\nend 0\n", "folder/c": "begin 1\nfirst\nend 1\n" };
let built: Built;
beforeAll(async () => {
  built = await buildWithDriver(new URL("kill-program.ts", import.meta.url));
  return () => built.remove();
});

async function contents(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.relative(root, place)] = await readFile(place, "utf8");
  }
  return found;
}

/** Undoes, or makes again, as long as there is something. */
async function repeat({ client }: TestWorkstation, tool: string): Promise<void> {
  for (;;) {
    const result = await client.callTool(tool, { count: 100 });
    if (result["isError"] !== true) continue;
    expect(JSON.stringify(result["content"])).toMatch(/There is nothing to (?:undo|redo)/);
    return;
  }
}

/** Starts a process that changes files, and lets it be killed: every second by itself, inside an operation of the file system. */
async function killOne(seed: number): Promise<TestWorkstation> {
  const root = await makeFolder();
  const state = await makeFolder();
  await openWorkstation({ root, state, files: FILES });
  const isSuicide = seed % 2 === 0;
  const child = new Child(process.execPath, [
    built.file,
    root,
    state,
    `${seed}`,
    isSuicide ? `${((seed * 7) % 90) + 1}` : "0",
  ]);
  if (!isSuicide) {
    const count = (seed % 11) + 1;
    await child.until(() => child.lines.length >= count, "some changes");
    child.process.kill("SIGKILL");
  }
  expect([await child.ended, child.stderr]).toEqual([{ code: null, signal: "SIGKILL" }, ""]);
  return openWorkstation({ root, state });
}

describe("a process that is killed while it changes files", () => {
  test(
    `leaves each file old or new, and a journal that knows which (seed ${SEED})`,
    async () => {
      for (let at = 0; at < KILLS; at += 1) {
        const bench = await killOne(SEED + at);
        const { changes } = (await bench.call("changes_since", { limit: 100 })) as { changes: { state: string }[] };
        for (const { state } of changes) expect(["done", "undone", "not_made"]).toContain(state);
        const atDeath = await contents(bench.root);
        for (const [name, text] of Object.entries(atDeath)) {
          expect(path.basename(name)).not.toMatch(/^\.toolwright/);
          expect([name, text.replace(/x{30000}/, "first")]).toEqual([
            name,
            expect.stringMatching(/^begin (\S+)\nfirst\nend \1\n$/),
          ]);
        }
        await repeat(bench, "redo");
        const latest = await contents(bench.root);
        await repeat(bench, "undo_last");
        expect(await contents(bench.root)).toEqual(FILES);
        await repeat(bench, "redo");
        expect(await contents(bench.root)).toEqual(latest);
      }
    },
    60_000 + KILLS * 5000,
  );
});
