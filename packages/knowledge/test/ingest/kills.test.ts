import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { type Bench, openBench } from "../kit.js";
import { answersOf, contentsOf, leftOvers, NOTHING } from "./contents.js";
import { buildProgram, start } from "./processes.js";

const KILLS = Number(process.env["KNOWLEDGE_KILLS"] ?? 8);
const MEGABYTES = Number(process.env["KNOWLEDGE_MEGABYTES"] ?? 6);
const LIMIT_MS = 180_000;
const STAGES = ["read", "embed", "index", "promote"];

let program = "";
beforeAll(async () => {
  program = await buildProgram();
}, 60_000);
afterAll(() => rm(program, { recursive: true, force: true }));

/** Writes documents that differ from those of other rounds. */
async function writeRound(folder: string, round: number): Promise<void> {
  for (let index = 0; index < 24; index += 1) {
    const isOld = index % 3 === 2 && round > 0;
    if (!isOld) await writeFile(path.join(folder, `d${index}.md`), textOf(index, round));
  }
}

const textOf = (index: number, round: number): string =>
  `# Document ${index}\n\nThe edition${round} of it.\n\n${`Passage ${index} of round ${round} speaks of rivers. `.repeat(60)}\n`;

/** Starts ingests that die until one has come to its end, and tells `moments` when. Gives how many died. */
async function killSome(bench: Bench, most: number, moments: string[]): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const isClock = Math.random() < 0.7;
    const when = isClock ? ["clock", String(1 + Math.floor(Math.random() * 60))] : ["stage", STAGES[killed % 4] ?? ""];
    const { ended } = start(program, "ingest", bench.database, bench.folder, "vectors", ...(killed < most ? when : []));
    const { signal } = await ended;
    moments.push(killed < most ? `${when.join(" ")}: ${signal}` : "undisturbed");
    if (signal === null) return killed;
    await expectAnswers(bench);
  }
}

/** The version that is active answers, and with itself alone. */
async function expectAnswers({ context, call }: Bench): Promise<void> {
  const { active } = (await call("kb_versions", { collection: "docs" })) as { active: number };
  const { found, warnings } = await answersOf(context, "rivers", "hybrid");
  expect(warnings).toEqual([]);
  expect(new Set(found).size).toBe(found.length);
  expect(new Set(await contentsOf(context, active)).size).toBe(found.length);
}

test(
  `an ingest that is killed ${KILLS} times goes on, and comes to what an undisturbed one comes to`,
  async () => {
    const bench = await openBench();
    const moments: string[] = [];
    onTestFailed(() => console.error(`Killed at ${moments.join(", ")}`));
    const { folder, context, call } = bench;
    await writeRound(folder, 0);
    await call("kb_create", { name: "docs" });
    await call("kb_ingest", { collection: "docs", paths: ["."] });
    let killed = 0;
    for (let round = 1; killed < KILLS; round += 1) {
      await writeRound(folder, round);
      killed += await killSome(bench, Math.min(6, KILLS - killed), moments);
    }
    const other = await openBench({ folder });
    await other.call("kb_create", { name: "docs" });
    await other.call("kb_ingest", { collection: "docs", paths: ["."] });
    const { active } = (await call("kb_versions", { collection: "docs" })) as { active: number };
    expect(await contentsOf(context, active)).toEqual(await contentsOf(other.context, 1));
    expect(await leftOvers(context)).toEqual(NOTHING);
    for (const mode of ["words", "vector", "hybrid"] as const) {
      const [here, there] = [await answersOf(context, "rivers", mode), await answersOf(other.context, "rivers", mode)];
      expect(here.found.toSorted()).toEqual(there.found.toSorted());
    }
    const store = await context.store();
    const check = (text: string) =>
      store.read(async (sql) => (sql.dialect === "sqlite" ? sql.all(`PRAGMA ${text}`) : undefined));
    expect((await check("integrity_check")) ?? [{ integrity_check: "ok" }]).toEqual([{ integrity_check: "ok" }]);
    expect((await check("foreign_key_check")) ?? []).toEqual([]);
    const running = await store.read((sql) => sql.all("SELECT id FROM runs WHERE status = 'running'"));
    expect(running).toEqual([]);
  },
  LIMIT_MS,
);

test(
  "other processes see the old version or the new one while versions change, never both",
  async () => {
    const { database, context, call } = await openBench();
    await call("kb_create", { name: "docs" });
    const take = (edition: number) =>
      call("kb_ingest", {
        collection: "docs",
        texts: Array.from({ length: 20 }, (_, index) => ({
          name: `t${index}.md`,
          text: `Text ${index}, edition edition${edition}.`,
        })),
      });
    await take(1);
    const readers = [start(program, "ask", database), start(program, "ask", database)];
    for (let edition = 2; edition <= 5; edition += 1) await take(edition);
    for (const version of [1, 5, 3, 4, 2, 5]) await call("kb_promote", { collection: "docs", version });
    for (const { child } of readers) child.stdin?.end();
    for (const { ended } of readers) {
      const { said } = await ended;
      expect(said).not.toContain("mixed");
      expect(said).toMatch(/^saw \[/);
    }
    await context.close();
  },
  LIMIT_MS,
);

test(
  `${MEGABYTES} MB of Markdown take less than 300 MB of memory`,
  async () => {
    const { folder, database, call, write } = await openBench();
    await call("kb_create", { name: "docs" });
    const words = Array.from({ length: 5000 }, (_, index) => `word${(index * 7919) % 10_007}`);
    for (let index = 0; index < MEGABYTES * 10; index += 1) {
      const shift = (index * 131) % words.length;
      const text = [...words.slice(shift), ...words.slice(0, shift), ...words.slice(0, 5000)].join(" ");
      await write(`d${index}.md`, `# Document ${index}\n\n${text.replaceAll(/(word\d+ ){80}/g, "$&\n\n")}\n`);
    }
    const { said } = await start(program, "ingest", database, folder, "words").ended;
    const { version, megabytes } = JSON.parse(said) as { version: number; megabytes: number };
    expect(version).toBe(1);
    expect(megabytes).toBeLessThan(300);
  },
  LIMIT_MS,
);
