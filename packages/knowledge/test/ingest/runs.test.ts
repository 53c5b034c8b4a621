import { describeProgress, type Progress, toolProgress } from "@toolwright/kit/progress";
import { expect, test } from "vitest";
import { readCollectionStats } from "../../src/collections/stats.js";
import { ingest } from "../../src/ingest/ingest.js";
import { STAGE_SHARES } from "../../src/ingest/ingest-options.js";
import { openBench } from "../kit.js";

const texts = (count: number, words: string) =>
  Array.from({ length: count }, (_, index) => ({
    name: `t${index}.md`,
    text: `# Title ${index}\n\n${words} ${index}.`,
  }));

/** A call that can be cancelled, and that hears of each stage once. */
function callOf(heard: (message: string, cancel: () => void) => unknown = () => undefined) {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(new Error("cancelled"));
  return {
    signal: controller.signal,
    supports: () => false,
    roots: async () => [],
    onProgress: (progress: Progress) => void heard(describeProgress(progress), cancel),
  };
}

test("progress grows through all stages", async () => {
  const { context, call } = await openBench();
  await call("kb_create", { name: "docs" });
  const values: number[] = [];
  const stages = new Set<string>();
  const progress = (value: number, message = "", total = 0) => {
    values.push(value / total);
    stages.add(message.split(":")[0] ?? "");
  };
  const listening = { ...callOf(), onProgress: toolProgress({ progress }, { stages: STAGE_SHARES }) };
  await ingest(context, listening, { collection: "docs", texts: texts(5, "Words") });
  expect(values).toEqual(values.toSorted((one, other) => one - other));
  expect(new Set(values).size).toBe(values.length);
  expect(values.at(-1)).toBeGreaterThanOrEqual(1);
  expect([...stages]).toEqual([
    "Finding documents",
    "Reading documents",
    "Embedding passages",
    "Indexing passages",
    "Checking the version",
    "Promoting the version",
  ]);
});

test("progress counts documents and passages, of how many", async () => {
  const { context, call } = await openBench();
  await call("kb_create", { name: "docs" });
  const messages: string[] = [];
  const listening = callOf(
    (message) =>
      /^(?:Reading|Embedding|Indexing)/.test(message) &&
      /: 0 of|: (\d+) of \1 /.test(message) &&
      messages.push(message),
  );
  await ingest(context, listening, { collection: "docs", texts: texts(3, "Words") });
  await ingest(context, listening, {
    collection: "docs",
    texts: [...texts(3, "Words"), ...texts(9, "Words").slice(3)],
  });
  expect(messages).toEqual(
    [3, 9].flatMap((documents) => {
      const passages = documents === 3 ? 3 : 6;
      return [
        ...[0, documents].map((done) => `Reading documents: ${done} of ${documents} documents`),
        ...[0, passages].map((done) => `Embedding passages: ${done} of ${passages} passages`),
        ...[0, passages].map((done) => `Indexing passages: ${done} of ${passages} passages`),
      ];
    }),
  );
});

test("an ingest that is refused leaves no version behind", async () => {
  const { call, fail } = await openBench();
  await call("kb_create", { name: "docs" });
  expect((await fail("kb_ingest", { collection: "docs", paths: ["nowhere.md"] })).text).toContain("does not exist");
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({ active: null, versions: [] });
});

test("two texts with the same name are rejected", async () => {
  const { call, fail } = await openBench();
  await call("kb_create", { name: "docs" });
  const twice = ["one", "two"].map((text) => ({ name: "n.md", text }));
  expect(await fail("kb_ingest", { collection: "docs", texts: twice })).toMatchObject({
    code: "INVALID_ARGUMENT",
    text: expect.stringContaining('two texts with the name "n.md"'),
  });
});

test.each(["read", "embed", "index"])(
  "an ingest that is cancelled at %s is gone on with by the next",
  async (stage) => {
    const { context, call } = await openBench();
    await call("kb_create", { name: "docs" });
    await call("kb_ingest", { collection: "docs", texts: texts(3, "Old") });
    const cancelling = callOf((message, cancel) => message.toLowerCase().startsWith(stage) && cancel());
    const input = { collection: "docs", texts: texts(5, "New") };
    await expect(ingest(context, cancelling, input)).rejects.toThrow("cancelled");
    const { versions } = (await call("kb_versions", { collection: "docs" })) as { versions: { status: string }[] };
    // When reading begins, there is nothing yet to go on with.
    expect(versions.map(({ status }) => status)).toEqual(stage === "read" ? ["ready"] : ["failed", "ready"]);
    const stats = (await call("kb_stats", { collection: "docs" })) as { collections: { version: number }[] };
    expect(stats.collections[0]).toMatchObject({ version: 1, documents: 3 });
    expect((await readCollectionStats(context, "docs")).lastRun).toMatchObject({ status: "cancelled", message: null });
    expect(await ingest(context, callOf(), input)).toMatchObject({
      version: 2,
      documents: 5,
      chunks: 5,
      promoted: true,
    });
  },
);

test("a second ingest is refused while one runs, with who and since when", async () => {
  const { context, call, fail } = await openBench();
  await call("kb_create", { name: "docs" });
  let refusal: Promise<unknown> | undefined;
  let deletion: Promise<unknown> | undefined;
  const first = callOf((message) => {
    if (!message.startsWith("Embedding")) return;
    refusal ??= fail("kb_ingest", { collection: "docs", texts: texts(1, "Other") });
    deletion ??= fail("kb_delete", { collection: "docs" });
  });
  const held = await ingest(context, { ...first }, { collection: "docs", texts: texts(600, "Words") });
  expect(held).toMatchObject({ version: 1, documents: 600 });
  expect(await refusal).toMatchObject({
    code: "CONFLICT",
    text: expect.stringMatching(/process \d+ on .* has been ingesting into it since 2031-05-06T/),
  });
  expect(await deletion).toMatchObject({ code: "CONFLICT" });
});

test("a run whose process is silent or gone is taken over", async () => {
  const { context, call, fail, clock } = await openBench();
  await call("kb_create", { name: "docs" });
  const store = await context.store();
  const hold = (holder: object) =>
    store.write((sql) =>
      sql.run(
        "INSERT INTO runs (id, collection, version, status, stage, holder, beat_at, started_at) VALUES (?, 1, 1, 'running', 'read', ?, ?, ?)",
        `run_${JSON.stringify(holder)}`,
        JSON.stringify(holder),
        clock.now().toISOString(),
        clock.now().toISOString(),
      ),
    );
  await hold({ place: "another machine", host: "elsewhere", pid: 1 });
  const lastRun = async () => {
    const { status, lastRun: last } = await readCollectionStats(context, "docs");
    return [status, last?.status, last?.message];
  };
  expect(await lastRun()).toEqual(["building", "running", null]);
  const input = { collection: "docs", texts: texts(1, "Words") };
  expect((await fail("kb_ingest", input)).text).toContain("process 1 on elsewhere");
  clock.pass(31);
  expect(await lastRun()).toEqual(["failed", "failed", "it was interrupted"]);
  expect(await call("kb_ingest", input)).toMatchObject({ version: 1, promoted: true });
  const rows = await store.read((sql) => sql.all("SELECT status, message FROM runs ORDER BY started_at"));
  expect(rows).toEqual([
    { status: "failed", message: "it was interrupted" },
    { status: "done", message: null },
  ]);
});

test("without an embedder a version has words alone and says so, and gets vectors later", async () => {
  const broken = await openBench({ settings: { embedder: "minilm" } });
  await broken.call("kb_create", { name: "docs" });
  const first = await broken.call("kb_ingest", { collection: "docs", texts: texts(3, "Words") });
  expect(first).toMatchObject({ version: 1, embedder: "", promoted: true });
  expect(first["warnings"]).toEqual([
    expect.stringMatching(/^There are no vectors, so passages are found only by words: /),
  ]);
  const again = await broken.call("kb_ingest", { collection: "docs", texts: texts(3, "Words") });
  expect(again).toMatchObject({ version: 1, delta: { unchanged: 3 } });
  const whole = await openBench({ state: broken.state, folder: broken.folder });
  const second = await whole.call("kb_ingest", { collection: "docs", texts: texts(1, "Words") });
  expect(second).toMatchObject({ version: 2, embedder: "static-en-2", documents: 3, warnings: [] });
  const store = await whole.context.store();
  const segments = await store.read((sql) =>
    sql.all(
      "SELECT s.embedder, s.rows FROM version_segments v JOIN segments s ON s.id = v.segment WHERE v.version = 2",
    ),
  );
  expect(segments).toEqual([{ embedder: "static-en-2", rows: 3 }]);
});

test("a version that is not promoted waits, and is promoted when it is ingested again", async () => {
  const { call } = await openBench();
  await call("kb_create", { name: "docs" });
  const input = { collection: "docs", texts: texts(2, "Words") };
  expect(await call("kb_ingest", { ...input, promote: false })).toMatchObject({ version: 1, promoted: false });
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({ active: null });
  expect(await call("kb_ingest", input)).toMatchObject({ version: 1, promoted: true });
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({ active: 1 });
});
