import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeFolder, openBench } from "../kit.js";

test("documents come in, and a second ingest of the same changes nothing", async () => {
  const { call, write } = await openBench();
  await write("docs/a.md", "# Alpha\n\nThe quick brown fox.\n");
  await write("docs/b.md", "# Beta\n\nThe lazy dog.\n");
  await call("kb_create", { name: "docs" });
  const first = await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  expect(first).toMatchObject({
    version: 1,
    promoted: true,
    delta: { added: 2, modified: 0, removed: 0, unchanged: 0 },
    documents: 2,
    succeeded: 2,
    skipped: 0,
    failed: 0,
    embedder: "static-en-2",
    warnings: [],
  });
  const second = await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  expect(second).toMatchObject({ version: 1, promoted: true, delta: { added: 0, unchanged: 2 }, skipped: 2 });
  expect((await call("kb_versions", { collection: "docs" }))["versions"]).toHaveLength(1);
});

test("what was changed, added and taken away makes a version, and the one before still answers", async () => {
  const { call, write, remove } = await openBench();
  for (const name of ["a", "b", "c"]) await write(`docs/${name}.md`, `The old text of ${name}.`);
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  await write("docs/a.md", "A new text of a.");
  await write("docs/d.md", "The text of d.");
  await remove("docs/c.md");
  const result = await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  expect(result).toMatchObject({
    version: 2,
    delta: { added: 1, modified: 1, removed: 1, unchanged: 1 },
    documents: 3,
    succeeded: 2,
  });
  const found = async (version: number): Promise<unknown> => {
    const args = { collection: "docs", query: "text", mode: "words", version };
    const { results } = (await call("kb_hybrid_search", args)) as { results: { content: string }[] };
    return results.map(({ content }) => content).toSorted();
  };
  expect(await found(1)).toEqual(["The old text of a.", "The old text of b.", "The old text of c."]);
  expect(await found(2)).toEqual(["A new text of a.", "The old text of b.", "The text of d."]);
});

test("a text that comes back is found once", async () => {
  const { call, write } = await openBench();
  await call("kb_create", { name: "docs" });
  for (const text of ["first words", "second words", "first words"]) {
    await write("a.md", text);
    await write("b.md", "other words");
    await call("kb_ingest", { collection: "docs", paths: ["."] });
  }
  const args = { collection: "docs", query: "words", mode: "words" };
  const { results } = (await call("kb_hybrid_search", args)) as { results: { content: string; version: number }[] };
  expect(results.map(({ content, version }) => `${version} ${content}`).toSorted()).toEqual([
    "3 first words",
    "3 other words",
  ]);
});

test("without delete_missing documents stay, and those of other folders always do", async () => {
  const { call, write, remove } = await openBench();
  await write("one/a.md", "Text a.");
  await write("two/b.md", "Text b.");
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", {
    collection: "docs",
    paths: ["one", "two"],
    texts: [{ name: "two/given", text: "Given." }],
  });
  await remove("one/a.md");
  await remove("two/b.md");
  const kept = await call("kb_ingest", { collection: "docs", paths: ["one"], delete_missing: false });
  expect(kept).toMatchObject({ version: 1, documents: 3 });
  const gone = await call("kb_ingest", { collection: "docs", paths: ["one"] });
  expect(gone).toMatchObject({ version: 2, documents: 2, delta: { removed: 1 } });
  await remove("two");
  const left = await call("kb_ingest", { collection: "docs", paths: ["two"] });
  expect(left).toMatchObject({ version: 3, documents: 1, delta: { removed: 1, unchanged: 1 } });
});

test("a dry run says what would happen and writes nothing", async () => {
  const { call, write, context } = await openBench();
  await write("a.md", "Text a.");
  await write("b.png", "\u0089PNG");
  await call("kb_create", { name: "docs" });
  const store = await context.store();
  const newest = () => store.read((sql) => sql.get("SELECT max(seq) AS seq FROM changes"));
  const before = await newest();
  const result = await call("kb_ingest", { collection: "docs", paths: ["."], dry_run: true });
  expect(result).toMatchObject({
    run: null,
    version: null,
    promoted: false,
    delta: { added: 1 },
    documents: 1,
    chunks: 1,
    warnings: ["Skipped 1 file of unknown kind: 1 .png."],
  });
  expect(await newest()).toEqual(before);
  for (const table of ["documents", "revisions", "versions", "runs"])
    expect(await store.read((sql) => sql.all(`SELECT * FROM ${table}`))).toEqual([]);
});

test("force reads again what has not changed", async () => {
  const { call } = await openBench();
  await call("kb_create", { name: "docs" });
  const texts = [{ name: "a.md", text: "Text a." }];
  await call("kb_ingest", { collection: "docs", texts });
  const forced = await call("kb_ingest", { collection: "docs", texts, force: true });
  expect(forced).toMatchObject({ version: 2, delta: { modified: 1 }, documents: 1, chunks: 1 });
  const again = await call("kb_ingest", { collection: "docs", texts });
  expect(again).toMatchObject({ version: 2, delta: { unchanged: 1 } });
});

test("names that mean harm are names of files, and links lead nowhere", async () => {
  const { call, fail, write, folder } = await openBench();
  const outside = await makeFolder();
  for (const name of ["a'; DROP TABLE chunks; --.md", "%s\n.md", "<b>.md", "ünï ❤.md", "-rf.md", "sub/..hidden.md"])
    await write(name, `Text of ${JSON.stringify(name)}.`);
  await symlink(outside, path.join(folder, "away"));
  await symlink("/etc/passwd", path.join(folder, "link.md"));
  await write(".env", "KEY=1");
  await write("server.pem", "-----BEGIN");
  await write("notes.md", `-----BEGIN RSA PRIVATE KEY-----\n${"A".repeat(64)}\n`);
  await write("picture.md", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
  await call("kb_create", { name: "docs" });
  const result = await call("kb_ingest", { collection: "docs", paths: ["."], embed: false });
  expect(result).toMatchObject({ documents: 6, succeeded: 6, failed: 0, skipped: 5 });
  expect(result["outcomes"]).toEqual(
    expect.arrayContaining([
      { source: "link.md", status: "skipped", reason: "symbolic links are not followed" },
      { source: ".env", status: "skipped", reason: "files with this name usually contain secrets" },
      { source: "server.pem", status: "skipped", reason: "files with this name usually contain secrets" },
      { source: "notes.md", status: "skipped", reason: "it contains a private key" },
      { source: "picture.md", status: "skipped", reason: "it is a PNG image" },
    ]),
  );
  for (const given of ["away", "link.md", outside, "../x"])
    expect(await fail("kb_ingest", { collection: "docs", paths: [given] })).toMatchObject({ code: "FORBIDDEN_PATH" });
  expect((await fail("kb_ingest", { collection: "docs", paths: ["nots.md"] })).text).toContain(
    'Did you mean "notes.md"',
  );
});

test("ingests files of a folder that only their names identify", async () => {
  const { call, write } = await openBench();
  await write("LICENSE", "Permission is hereby granted, free of charge, to any person obtaining a copy of it.");
  await write("README", "Read this first.");
  await write("a.bin", "no kind");
  await call("kb_create", { name: "docs" });
  expect(await call("kb_ingest", { collection: "docs", paths: ["."] })).toMatchObject({
    documents: 2,
    warnings: ["Skipped 1 file of unknown kind: 1 .bin."],
  });
  const { collections } = (await call("kb_stats", { collection: "docs" })) as { collections: object[] };
  expect(collections[0]).toMatchObject({ licenses: { MIT: 1 } });
});

test("size and number have limits, and what is ignored stays out", async () => {
  const { call, fail, write } = await openBench({ settings: { maxDocumentBytes: 2000, maxDocuments: 3 } });
  await write("a.md", "Text a.");
  await write("large.md", "x ".repeat(2000));
  await write(".gitignore", "private/\n");
  await write("private/p.md", "Secret plans.");
  await write("node_modules/m/readme.md", "A module.");
  await call("kb_create", { name: "docs" });
  const result = await call("kb_ingest", { collection: "docs", paths: ["."], embed: false });
  expect(result).toMatchObject({ documents: 1, skipped: 1 });
  expect(result["outcomes"]).toEqual([
    { source: "large.md", status: "skipped", reason: "it has 4000 bytes; at most 2000 are read" },
  ]);
  for (const name of ["b", "c"]) await write(`${name}.md`, "Text.");
  expect((await fail("kb_ingest", { collection: "docs", paths: ["."] })).code).toBe("TOO_LARGE");
});
