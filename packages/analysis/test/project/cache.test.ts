import { readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { migrate, openDatabase } from "@toolwright/kit/storage";
import { expect, onTestFinished, test } from "vitest";
import { CACHE_STEPS, CacheTables } from "../../src/project/cache.js";
import { makeFolder } from "../kit.js";
import { openProject } from "./open-project.js";

const FILES = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`src/f${at}.ts`, `export const f${at} = (a: number) => a > ${at} && a;\n`]),
);

test("a second run reads nothing and says the same; after a change it reads that file alone", async () => {
  const project = await openProject({
    files: { ...FILES, "gen.ts": "// @generated\n", "bin.ts": Uint8Array.of(0, 1) },
  });
  const cold = await project.read();
  expect([cold.read, cold.known]).toEqual([14, 0]);
  const warm = await project.settle();
  expect([warm.read, warm.known]).toEqual([0, 14]);
  expect({ ...warm, read: 14, known: 0 }).toEqual(cold);
  await project.put("src/f3.ts", "export const other = () => 1;\n");
  const changed = await project.read();
  expect([changed.read, changed.known]).toEqual([1, 13]);
  expect(changed.files.find(({ path: name }) => name === "src/f3.ts")?.facts.measures.functions[0]?.name).toBe("other");
});

test("a change that keeps size and time is seen", async () => {
  const project = await openProject({ files: { "a.ts": "export const a = () => 1;\n" } });
  await project.settle();
  const then = new Date("2020-01-01T00:00:00Z");
  await utimes(path.join(project.root, "a.ts"), then, then);
  await project.settle();
  await project.put("a.ts", "export const b = () => 1;\n");
  await utimes(path.join(project.root, "a.ts"), then, then);
  const { files } = await project.read();
  expect(files[0]?.facts.measures.functions[0]?.name).toBe("b");
});

test("two servers share what they know, and a moved file is known by its content", async () => {
  const state = await makeFolder();
  const one = await openProject({ files: FILES, state });
  const other = await openProject({ root: one.root, state });
  const [first, second] = await Promise.all([one.read(), other.read()]);
  expect(second.files).toEqual(first.files);
  expect((await one.settle()).known).toBe(12);
  expect((await other.settle()).known).toBe(12);
  // Threads that cannot read anything show that nothing has to be read.
  const idle = await openProject({ files: { "moved.ts": FILES["src/f5.ts"] ?? "" }, state, threads: { jobMs: 0 } });
  const { files } = await idle.read();
  expect(files[0]?.facts).toEqual(first.files.find(({ path: name }) => name === "src/f5.ts")?.facts);
});

test("reads a fact that was not requested before, and keeps the others cached", async () => {
  const project = await openProject({ files: FILES });
  await project.settle();
  const more = await project.read({ wanted: ["measures", "imports"] });
  expect([more.read, more.known]).toEqual([12, 0]);
  const again = await project.read({ wanted: ["imports"] });
  expect([again.read, again.known]).toEqual([0, 12]);
});

test.each([
  ["it is no database at all", () => Buffer.from("no database, and longer than the header of one".repeat(100))],
  ["a part of it is", damaged],
])("a damaged cache is made anew, with a line in the log: %s", async (_what, damage) => {
  const first = await openProject({ files: FILES });
  await first.settle();
  await first.close();
  const file = path.join(first.state, "analysis/facts.db");
  const database = await openDatabase(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  await writeFile(file, damage(await readFile(file)));
  const second = await openProject({ root: first.root, state: first.state });
  expect((await second.read()).files.length).toBe(12);
  expect((await second.settle()).known).toBe(12);
  expect(second.logged.map(({ level, message }) => [level, message])).toEqual([
    ["warning", "The analysis cache was damaged and has been deleted"],
  ]);
  expect(String(second.logged[0]?.error)).not.toContain("left as it is");
});

/** Keeps the header, so that the damage shows only when something is looked up. */
function damaged(whole: Buffer): Buffer {
  const bytes = Buffer.from(whole);
  bytes.fill(0xaa, 4096);
  return bytes;
}

test("where nothing can be kept all is read, and the log says why once", async () => {
  const state = path.join(await makeFolder(), "file");
  await writeFile(state, "in the way");
  const project = await openProject({ files: FILES, state });
  for (const _ of [1, 2]) expect((await project.read()).read).toBe(12);
  expect(project.logged.map(({ message }) => message)).toEqual([
    "Cannot use the analysis cache; every file is read again",
  ]);
});

test("the settings can switch it off, and then nothing is kept", async () => {
  const project = await openProject({ files: FILES, settings: { cache: false } });
  for (const _ of [1, 2]) expect((await project.read()).read).toBe(12);
  await expect(readFile(path.join(project.state, "analysis/facts.db"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("the oldest goes when there is too much", async () => {
  const database = await openDatabase(path.join(await makeFolder(), "facts.db"));
  onTestFinished(() => database.close());
  migrate(database, CACHE_STEPS);
  const tables = new CacheTables(database, { bytes: 40_000, files: 20 });
  for (let at = 0; at < 100; at++)
    tables.write(
      [{ hash: `h${at}`, name: "x", value: "v".repeat(1000) }],
      [{ realPath: `/p${at}`, stamp: "s", hash: `h${at}` }],
    );
  const rows = database
    .prepare("SELECT (SELECT sum(bytes) FROM texts) AS bytes, (SELECT count(*) FROM files) AS files")
    .get();
  expect(Number(rows?.["bytes"])).toBeLessThanOrEqual(43_000);
  expect(Number(rows?.["files"])).toBeLessThanOrEqual(23);
  expect([tables.text("h99", "x")?.length, tables.hashOf("/p99", "s")]).toEqual([1000, "h99"]);
  expect([tables.text("h0", "x"), tables.hashOf("/p0", "s")]).toEqual([undefined, undefined]);
});

test("a text that failed is not tried again, and that is said", async () => {
  const state = await makeFolder();
  const memory = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  const lines = Array.from({ length: 1500 }, (_, at) => `export const f${at} = (a: number) => (a > ${at} ? a : [a]);`);
  const first = await openProject({ files: { "large.ts": lines.join("\n") }, state, threads: { memory } });
  const reason = "it took more memory than a thread may use";
  expect((await first.read()).skipped).toEqual([{ path: "large.ts", reason }]);
  expect((await first.read()).skipped).toEqual([
    { path: "large.ts", reason: `${reason}; it failed today already and was not tried again` },
  ]);
  // With more memory it is another question.
  const second = await openProject({ root: first.root, state });
  expect((await second.read()).skipped).toEqual([]);
});
