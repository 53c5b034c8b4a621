import { rename } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { type Bench, makeFolder, openBench } from "../kit.js";

/** Two projects of one user, who has one knowledge base; the first one has a collection. */
async function openProjects(): Promise<{ readonly first: Bench; readonly second: Bench; readonly passage: string }> {
  const [above, state] = [await makeFolder(), await makeFolder()];
  const open = async (name: string): Promise<Bench> => {
    const bench = await openBench({
      state,
      folder: path.join(above, name),
    });
    await bench.write("docs/a.md", `# Guide\n\nThe walrus of the ${name} project.\n`);
    return bench;
  };
  const [first, second] = [await open("first"), await open("second")];
  await first.call("kb_create", { name: "docs" });
  await first.call("kb_ingest", { collection: "docs", paths: ["docs"] });
  const { results } = await first.call("kb_hybrid_search", { collection: "docs", query: "walrus" });
  return { first, second, passage: (results as { chunk_id: string }[])[0]?.chunk_id ?? "" };
}

const folderOf = async ({ context }: Bench): Promise<unknown> => {
  const store = await context.store();
  return (await store.read((sql) => sql.get("SELECT folder FROM collections WHERE name = 'docs'")))?.["folder"];
};

const verdictOf = async ({ call }: Bench, id: string): Promise<unknown> => {
  const { citations } = await call("kb_resolve_citations", { chunk_ids: [id] });
  const [{ verified, reason } = {}] = citations as { verified?: boolean | null; reason?: string }[];
  return [verified, reason ?? ""];
};

test("files of another folder do not take the place of those that are there", async () => {
  const { first, second } = await openProjects();
  for (const dry_run of [true, false])
    expect(await second.fail("kb_ingest", { collection: "docs", paths: ["docs"], dry_run })).toMatchObject({
      code: "CONFLICT",
      text: expect.stringMatching(/its documents are from .*\/first, .*\/second.* Use another collection/),
      details: { collection: "docs" },
    });
  expect(await first.call("kb_versions", { collection: "docs" })).toMatchObject({
    active: 1,
    versions: [{ version: 1 }],
  });
  expect(await first.call("kb_ingest", { collection: "docs", paths: ["docs"] })).toMatchObject({ version: 1 });
  await second.call("kb_create", { name: "others" });
  expect(await second.call("kb_ingest", { collection: "others", paths: ["docs"] })).toMatchObject({ documents: 1 });
});

test("what was given as a text has no folder, and comes in from anywhere", async () => {
  const { first, second } = await openProjects();
  const texts = [{ name: "given.md", text: "A seal." }];
  expect(await second.call("kb_ingest", { collection: "docs", texts })).toMatchObject({ version: 2, documents: 2 });
  expect(await first.call("kb_ingest", { collection: "docs", paths: ["docs"] })).toMatchObject({ documents: 2 });
});

test("a project that was moved takes its collection along", async () => {
  const { first, second, passage } = await openProjects();
  const { state, folder } = first;
  await rename(folder, `${folder}-moved`);
  const moved = await openBench({ state, folder: `${folder}-moved` });
  // Where it was is not there any more, and here the file says it.
  expect(await verdictOf(moved, passage)).toEqual([true, ""]);
  expect(await moved.call("kb_ingest", { collection: "docs", paths: ["docs"] })).toMatchObject({
    version: 1,
    delta: { unchanged: 1 },
  });
  expect((await second.fail("kb_ingest", { collection: "docs", paths: ["docs"] })).text).toContain("-moved");
});

test("a citation is verified in the folder of its ingest, and is unverified if that is not accessible", async () => {
  const { first, second, passage } = await openProjects();
  expect(await verdictOf(first, passage)).toEqual([true, ""]);
  // The other project has a file of that name, which says something else.
  expect(await verdictOf(second, passage)).toEqual([null, expect.stringContaining("outside the allowed folders")]);
  const { state } = first;
  const both = await openBench({ state, fileRoots: [second.folder, first.folder] });
  expect(await verdictOf(both, passage)).toEqual([true, ""]);
  await first.remove("docs/a.md");
  expect(await verdictOf(both, passage)).toEqual([false, "the file no longer exists"]);
  await rename(first.folder, `${first.folder}-gone`);
  expect(await verdictOf(second, passage)).toEqual([
    null,
    expect.stringMatching(/ingested from .*\/first, which does not exist here/),
  ]);
  await second.remove("docs/a.md");
  expect(await verdictOf(second, passage)).toEqual([
    null,
    expect.stringMatching(/ingested from .*\/first, which does not exist here/),
  ]);
});

test("a collection of before, of which no folder is known, keeps the one that it is ingested from next", async () => {
  const { first, second, passage } = await openProjects();
  const store = await first.context.store();
  await store.write((sql) => sql.run("UPDATE collections SET folder = NULL"));
  // A file of that name that says something else is no proof.
  expect(await verdictOf(second, passage)).toEqual([null, expect.stringContaining("unknown")]);
  await second.remove("docs/a.md");
  expect(await verdictOf(second, passage)).toEqual([null, expect.stringContaining("unknown")]);
  expect(await verdictOf(first, passage)).toEqual([true, ""]);
  expect(await first.call("kb_ingest", { collection: "docs", paths: ["docs"] })).toMatchObject({ version: 1 });
  await second.write("docs/a.md", "Another one.");
  expect(await second.fail("kb_ingest", { collection: "docs", paths: ["docs"] })).toMatchObject({ code: "CONFLICT" });
});

test("where no folder is known, documents that are not among those of this one are not replaced", async () => {
  const { first, second } = await openProjects();
  const store = await first.context.store();
  await store.write((sql) => sql.run("UPDATE collections SET folder = NULL"));
  await second.remove("docs/a.md");
  await second.write("docs/b.md", "A seal.");
  for (const dry_run of [true, false])
    expect(await second.fail("kb_ingest", { collection: "docs", paths: ["docs"], dry_run })).toMatchObject({
      code: "CONFLICT",
      text: expect.stringMatching(/none of its documents is in .*\/second, .* Use another collection/),
    });
  // What replaces nothing comes in, and tells nothing of the others.
  expect(await second.call("kb_ingest", { collection: "docs", paths: ["docs/b.md"] })).toMatchObject({ documents: 2 });
  expect(await folderOf(first)).toBeNull();
  await first.call("kb_ingest", { collection: "docs", paths: ["docs"] });
  expect(await folderOf(first)).toBe(first.folder);
});

test("a folder is that of the documents that answer: one whose version waits is not kept", async () => {
  const { first } = await openProjects();
  const { state, folder } = first;
  await rename(folder, `${folder}-moved`);
  const moved = await openBench({ state, folder: `${folder}-moved` });
  await moved.write("docs/b.md", "A seal.");
  const take = (promote: boolean) => moved.call("kb_ingest", { collection: "docs", paths: ["docs"], promote });
  expect(await take(false)).toMatchObject({ version: 2, promoted: false });
  expect(await folderOf(moved)).toBe(folder);
  expect(await take(true)).toMatchObject({ version: 2, promoted: true });
  expect(await folderOf(moved)).toBe(moved.folder);
});

test("the folder of a first version is kept though it waits", async () => {
  const bench = await openBench();
  await bench.write("docs/a.md", "A seal.");
  await bench.call("kb_create", { name: "docs" });
  await bench.call("kb_ingest", { collection: "docs", paths: ["docs"], promote: false });
  expect(await folderOf(bench)).toBe(bench.folder);
});
