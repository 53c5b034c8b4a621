import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { makeFolder, putFiles } from "../kit.js";
import { type Built, buildWithDriver } from "./program.js";

/** How many writes each server tries. */
const WRITES = Number(process.env["RACE_WRITES"] ?? 300);

let built: Built;
beforeAll(async () => {
  built = await buildWithDriver(new URL("race-program.ts", import.meta.url));
  return () => built.remove();
});

/** Runs servers side by side. Returns all writes that they have acknowledged, with the content that each was made for. */
async function race(root: string, states: readonly string[]): Promise<(readonly [base: string, text: string])[]> {
  const written = await Promise.all(
    states.map(async (state, at) => {
      const child = new Child(process.execPath, [built.file, root, state, `server ${at}`, `${WRITES}`]);
      expect([await child.ended, child.stderr]).toEqual([{ code: 0, signal: null }, ""]);
      return JSON.parse(child.lines[0] ?? "") as [string, string][];
    }),
  );
  return written.flat();
}

describe("servers that write the same file with expected_hash", () => {
  test.each([
    ["the same state folder", 1],
    ["state folders of their own", 2],
  ])(
    "overwrite no acknowledged write, with %s",
    async (_name, folders) => {
      const root = await makeFolder();
      await putFiles(root, { shared: "begin" });
      const states = [await makeFolder(), await makeFolder()].slice(0, folders);
      const written = await race(root, [states[0] ?? "", states.at(-1) ?? ""]);
      // Each content was the base of at most one write, so no write replaced another one that it had not read.
      const next = new Map(written);
      expect([written.length, written.length > WRITES / 4]).toEqual([next.size, true]);
      let last = "begin";
      for (let text = next.get(last); text !== undefined; text = next.get(last)) last = text;
      expect(await readFile(path.join(root, "shared"), "utf8")).toBe(last);
      expect(await readdir(root)).toEqual(["shared"]);
    },
    300_000,
  );
});
