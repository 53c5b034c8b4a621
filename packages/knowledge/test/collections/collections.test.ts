import { expect, test } from "vitest";
import { openBench } from "../kit.js";

test("names are unique, and similar names are suggested", async () => {
  const { call, fail } = await openBench();
  expect(await call("kb_create", { name: "handbook", description: "How we work." })).toMatchObject({
    name: "handbook",
    description: "How we work.",
    chunk_size: 512,
    chunk_overlap: 50,
  });
  expect(await fail("kb_create", { name: "handbook" })).toMatchObject({
    code: "ALREADY_EXISTS",
    details: { suggestion: "handbook-2" },
  });
  expect(await fail("kb_stats", { collection: "hand-bok" })).toMatchObject({
    code: "NOT_FOUND",
    details: { suggestion: "handbook" },
  });
  expect((await fail("kb_create", { name: "small", chunk_size: 64, chunk_overlap: 60 })).text).toContain(
    "the overlap may be at most half",
  );
});

test("collections are listed with the version that answers and their health", async () => {
  const { call, fill } = await openBench();
  await fill("alpha", { "a.md": "# A\n\nText of a." });
  await call("kb_create", { name: "beta", description: "Nothing yet." });
  const { collections } = (await call("kb_list_collections")) as { collections: object[] };
  expect(collections).toMatchObject([
    { id: "alpha", version: 1, status: "active", documents: 1, chunks: 1, health_score: 1, pinned: false, flows: [] },
    { id: "beta", version: null, status: "empty", documents: 0, health_score: 0, description: "Nothing yet." },
  ]);
  expect(await call("kb.list_collections", { filters: { text: "NOTHING" } })).toMatchObject({
    collections: [{ id: "beta" }],
  });
});

test("statistics have counts, bytes, kinds, licences and the reasons for reduced health", async () => {
  const { call, write } = await openBench();
  await write("a.md", "---\nlicense: MIT\n---\n\n# A\n\nText of a.\n");
  await write("b.ts", "export const one = 1;\n");
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", paths: ["."], embed: false });
  expect(await call("kb_stats", { collection: "docs" })).toMatchObject({
    collections: [
      {
        collection: "docs",
        version: 1,
        documents: 2,
        bytes: 60,
        embedder: "",
        health_score: 0.8,
        health_reasons: ["it has no vectors, so passages are found only by words"],
        kinds: { code: 1, markdown: 1 },
        licenses: { MIT: 1 },
      },
    ],
  });
});

test("a version is promoted, rolled back to its parent or to a named one, and pinned", async () => {
  const { call, fail, fill } = await openBench();
  await fill("docs", { "a.md": "First." });
  for (const text of ["Second.", "Third."])
    await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text }] });
  const said = async (): Promise<unknown> => {
    const { results } = (await call("kb_hybrid_search", {
      collection: "docs",
      query: "first second third",
      mode: "words",
    })) as { results: { content: string }[] };
    return results.map(({ content }) => content);
  };
  expect(await said()).toEqual(["Third."]);
  expect(await call("kb_rollback", { collection: "docs" })).toMatchObject({ from: 3, to: 2 });
  expect(await said()).toEqual(["Second."]);
  expect(await call("kb_rollback", { collection: "docs", version: 1 })).toMatchObject({ from: 2, to: 1 });
  expect((await fail("kb_rollback", { collection: "docs" })).text).toContain("no version before 1 was promoted");
  expect(await call("kb_promote", { collection: "docs" })).toMatchObject({ from: 1, to: 3 });
  expect(await call("kb_pin", { collection: "docs", version: 1 })).toMatchObject({ pinned: 1, answers: 1 });
  expect(await said()).toEqual(["First."]);
  expect(await call("kb_promote", { collection: "docs", version: 2 })).toMatchObject({
    warnings: ["Version 1 is pinned, so searches still use it."],
  });
  expect(await said()).toEqual(["First."]);
  expect(await call("kb_pin", { collection: "docs", unpin: true })).toMatchObject({ pinned: null, answers: 2 });
  expect(await said()).toEqual(["Second."]);
  expect(await fail("kb_promote", { collection: "docs", version: 9 })).toMatchObject({
    code: "NOT_FOUND",
    details: { allowed: [1, 2, 3] },
  });
});

test("versions list their changes, and equal documents have equal checksums", async () => {
  const { call, fill } = await openBench();
  await fill("docs", { "a.md": "First." });
  await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "Second." }] });
  await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "First." }] });
  const { versions } = (await call("kb_versions", { collection: "docs" })) as {
    versions: { version: number; parent: number | null; checksum: string; delta: object }[];
  };
  expect(versions.map(({ version, parent }) => [version, parent])).toEqual([
    [3, 2],
    [2, 1],
    [1, null],
  ]);
  expect(versions[0]?.checksum).toBe(versions[2]?.checksum);
  expect(versions[0]?.checksum).not.toBe(versions[1]?.checksum);
  expect(versions[1]?.delta).toEqual({ added: 0, modified: 1, removed: 0, unchanged: 0 });
});

test("every change is written down for those who watch", async () => {
  const { context, call, fill } = await openBench();
  await fill("docs", { "a.md": "First." });
  await call("kb_pin", { collection: "docs" });
  await call("kb_delete", { collection: "docs" });
  const store = await context.store();
  const rows = await store.read((sql) => sql.all("SELECT collection, kind FROM changes ORDER BY seq"));
  expect(rows.map((row) => Object.values(row).join(" "))).toEqual([
    "docs created",
    "docs ingest_started",
    "docs promoted",
    "docs ingest_ended",
    "docs pinned",
    "docs deleted",
  ]);
});

test("a version that does not pass its gates waits, and answers only where that is forced", async () => {
  const { context, call, fail, write, remove } = await openBench();
  await write("a.md", "Words of a.");
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", paths: ["."] });
  await remove("a.md");
  const emptied = await call("kb_ingest", { collection: "docs", paths: ["."] });
  expect(emptied).toMatchObject({ version: 2, promoted: false, documents: 0 });
  expect(emptied["warnings"]).toEqual([expect.stringContaining('it failed "documents are there" (0')]);
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({ active: 1 });
  expect(await fail("kb_promote", { collection: "docs", version: 2 })).toMatchObject({ code: "GATES_FAILED" });
  expect(await call("kb_promote", { collection: "docs", version: 2, force: true })).toMatchObject({ from: 1, to: 2 });
  const store = await context.store();
  const row = await store.read((sql) => sql.get("SELECT note FROM changes ORDER BY seq DESC LIMIT 1"));
  expect(row).toEqual({ note: "1 → 2 despite documents are there" });
});

test("a version that is built and not promoted is reported until it is active", async () => {
  const { call, fill } = await openBench();
  await fill("docs", { "a.md": "First." });
  const noticesOf = async () => {
    const { collections } = (await call("kb_stats", { collection: "docs" })) as { collections: { note?: string }[] };
    return [collections[0]?.note, (await call("kb_versions", { collection: "docs" }))["note"]];
  };
  expect(await noticesOf()).toEqual([undefined, undefined]);
  await call("kb_ingest", { collection: "docs", texts: [{ name: "b.md", text: "Second." }], promote: false });
  const note = "Version 2 is ready but was never promoted. kb_switch_version promotes it.";
  expect(await noticesOf()).toEqual([note, note]);
  await call("kb_promote", { collection: "docs" });
  expect(await noticesOf()).toEqual([undefined, undefined]);
});

test("only a version that was promoted before, and is older, is rolled back to", async () => {
  const { call, fail, fill } = await openBench();
  await fill("docs", { "a.md": "First." });
  const take = (text: string, promote: boolean) =>
    call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text }], promote });
  await take("Second.", false);
  await take("Third.", true);
  expect(await fail("kb_rollback", { collection: "docs", version: 2 })).toMatchObject({
    code: "CONFLICT",
    text: expect.stringContaining("it was never promoted. Promote it instead."),
  });
  expect(await call("kb_rollback", { collection: "docs" })).toMatchObject({ from: 3, to: 1 });
  for (const version of [1, 3])
    expect((await fail("kb_rollback", { collection: "docs", version })).text).toContain(
      "it is not older than version 1, which is active",
    );
  expect(await call("kb_promote", { collection: "docs", version: 3 })).toMatchObject({ from: 1, to: 3 });
});

test("where the parent is gone, the newest before it that was promoted answers again", async () => {
  const { context, call, fill } = await openBench({ settings: { keepVersions: 3 } });
  await fill("docs", { "a.md": "First." });
  await call("kb_pin", { collection: "docs", version: 1 });
  const take = (text: string, promote = true) =>
    call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text }], promote });
  for (const text of ["Second.", "Third."]) await take(text);
  await call("kb_rollback", { collection: "docs", version: 2 });
  for (const text of ["Fourth.", "Fifth.", "Sixth."]) await take(text, text === "Fourth.");
  const store = await context.store();
  const rows = await store.read((sql) => sql.all("SELECT number, parent FROM versions ORDER BY number"));
  expect(rows.map(({ number, parent }) => [Number(number), parent === null ? null : Number(parent)])).toEqual([
    [1, null],
    [4, 2],
    [5, 4],
    [6, 4],
  ]);
  expect(await call("kb_rollback", { collection: "docs" })).toMatchObject({ from: 4, to: 1 });
});

test("a rollback without an earlier version does not return to one that was rolled back", async () => {
  const { call, fail, fill } = await openBench({ settings: { keepVersions: 2 } });
  await fill("docs", { "a.md": "Good." });
  const take = (text: string) => call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text }] });
  await take("Bad.");
  await call("kb_rollback", { collection: "docs" });
  await take("Better.");
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({
    versions: [{ version: 3, parent: 1 }, { version: 2 }],
  });
  expect((await fail("kb_rollback", { collection: "docs" })).text).toContain("no version before 3 was promoted");
  expect(await call("kb_rollback", { collection: "docs", version: 2 })).toMatchObject({ from: 3, to: 2 });
});

test("gates stand before a rollback and before a pin, too", async () => {
  const { context, call, fail, fill } = await openBench();
  await fill("docs", { "a.md": "First." });
  await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "Second." }] });
  await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "Third." }], promote: false });
  const store = await context.store();
  const damage = (version: number) =>
    store.write((sql) => sql.run("DELETE FROM version_segments WHERE version = ?", version));
  expect(await call("kb_pin", { collection: "docs", version: 3 })).toMatchObject({ pinned: 3 });
  await call("kb_pin", { collection: "docs", unpin: true });
  await damage(3);
  expect(await fail("kb_pin", { collection: "docs", version: 3 })).toMatchObject({
    code: "GATES_FAILED",
    text: expect.stringMatching(/^Cannot pin version 3 .*"passages are indexed"/),
  });
  expect(await call("kb_stats", { collection: "docs" })).toMatchObject({ collections: [{ version: 2, pinned: null }] });
  await damage(1);
  expect(await fail("kb_rollback", { collection: "docs" })).toMatchObject({
    code: "GATES_FAILED",
    text: expect.stringMatching(/^Cannot roll back to version 1 .*"passages are indexed"/),
  });
});
