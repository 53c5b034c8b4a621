import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../tests/support/program.js";
import { CATEGORIES, editionOf, textOf } from "./editions.js";
import { makeFolder, openTestServer, type TestServer } from "./kit.js";

const place = mkdtempSync(path.join(tmpdir(), "templates-"));
const program = path.join(place, "writing.mjs");
// It cannot be bundled into a module.
const liquid = createRequire(import.meta.url).resolve("liquidjs");
beforeAll(() =>
  buildProgram(new URL("./writing-program.ts", import.meta.url), program, [
    {
      name: "liquid",
      setup: (build) => build.onResolve({ filter: /^liquidjs$/ }, () => ({ path: liquid, external: true })),
    },
  ]),
);
afterAll(() => rmSync(place, { recursive: true }));

/** Writes in a process that dies at a step; gives whether it did. */
async function write(root: string, deed: string, edition: number, dieAt: number): Promise<boolean> {
  const args = [program, root, deed, String(edition), String(dieAt)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect(code === 0 || signal === "SIGKILL").toBe(true);
  return signal === "SIGKILL";
}

/** Tries each step until there is none left at which it could die; some at once. Gives how many there were. */
async function atEachStep(attempt: (dieAt: number) => Promise<boolean>): Promise<number> {
  for (let first = 1; ; first += 4) {
    const tried = await Promise.all([0, 1, 2, 3].map((more) => attempt(first + more)));
    if (tried.includes(false)) return first + tried.indexOf(false) - 1;
  }
}

/** Every file of the project, by its path; what is only there while a file is written is left out. */
async function filesIn(root: string): Promise<Record<string, string>> {
  const found = await readdir(path.join(root, "demo"), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((entry) => entry.isFile() && !isTemporary(entry.name) && entry.name !== ANSWERS);
  return Object.fromEntries(
    files.map(({ name, parentPath }) => [name, readFileSync(path.join(parentPath, name), "utf8")]),
  );
}

const ANSWERS = ".toolwright-answers.json";
const isTemporary = (name: string): boolean => name.endsWith(".tmp");

/** What was left of writings that were cut off; what nobody has noted goes when it is old. */
async function sweptLeftovers({ root, call }: TestServer): Promise<readonly string[]> {
  const list = async () =>
    (await readdir(path.join(root, "demo"), { recursive: true })).filter((name) => isTemporary(name));
  const long = new Date(Date.now() - 3_600_000);
  const before = await list();
  expect(before.length).toBeLessThanOrEqual(1);
  for (const name of before) await utimes(path.join(root, "demo", name), long, long);
  await call("update_project", { target: "demo" });
  return list();
}

describe.skipIf(process.platform === "win32")("a server that is killed at any step of a write", () => {
  test("leaves complete files only, and the same call writes the rest", async () => {
    const steps = await atEachStep(async (dieAt) => {
      const root = await makeFolder();
      const isDead = await write(root, "make", 1, dieAt);
      for (const [name, text] of Object.entries(await filesIn(root))) expect(text).toBe(textOf(name, 1));
      const server = await openTestServer({ root, catalogue: editionOf(1) });
      const ask = { toolchain: "go", templates: CATEGORIES, parameters: {}, target: "demo" };
      expect(await server.call("scaffold_project", { ...ask, write: true })).toMatchObject({ errors: [] });
      expect(await filesIn(root)).toEqual(Object.fromEntries(CATEGORIES.map((name) => [name, textOf(name, 1)])));
      const answers = JSON.parse((await server.read(`demo/${ANSWERS}`)) ?? "");
      expect([Object.keys(answers.files), answers.pending]).toEqual([["one", "two", "deep/three"], undefined]);
      expect(await sweptLeftovers(server)).toEqual([]);
      return isDead;
    });
    expect(steps).toBeGreaterThanOrEqual(12);
  }, 120_000);

  test("loses no changes of the user in an update, and the next one writes the rest", async () => {
    const made = await makeFolder();
    expect(await write(made, "make", 1, 0)).toBe(false);
    const [mine, clash] = [`${textOf("one", 1)}mine\n`, textOf("two", 1).replace("edition 1", "my edition")];
    await writeFile(path.join(made, "demo/one"), mine);
    await writeFile(path.join(made, "demo/two"), clash);
    const steps = await atEachStep(async (dieAt) => {
      const root = await makeFolder();
      await cp(made, root, { recursive: true });
      const isDead = await write(root, "update", 2, dieAt);
      expect(await readFile(path.join(root, "demo/one"), "utf8")).toContain("end\nmine\n");
      expect(await readFile(path.join(root, "demo/two"), "utf8")).toContain("my edition\n");
      const server = await openTestServer({ root, catalogue: editionOf(2) });
      expect(await server.call("update_project", { target: "demo" })).toMatchObject({ errors: [] });
      expect(await filesIn(root)).toEqual({
        one: `${textOf("one", 2)}mine\n`,
        two: textOf("two", 1).replace(
          "edition 1",
          "<<<<<<< yours\nmy edition\n=======\nedition 2\n>>>>>>> toolwright template://two/go/cli",
        ),
        three: textOf("three", 2),
      });
      expect(await sweptLeftovers(server)).toEqual([]);
      return isDead;
    });
    expect(steps).toBeGreaterThanOrEqual(10);
  }, 120_000);
});
