import { expect, test } from "vitest";
import { openBench } from "../kit.js";

test("a file that is now empty is removed from the collection, with a remark", async () => {
  const { call, write } = await openBench();
  await write("docs/a.md", "The walrus sings.");
  await write("docs/b.md", "The seal listens.");
  await write("docs/c.html", "<html><body>The whale dives.</body></html>");
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  await write("docs/a.md", "");
  await write("docs/c.html", "<html><body></body></html>");
  await write("docs/new.md", " \n");
  const result = await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  expect(result).toMatchObject({
    version: 2,
    promoted: true,
    documents: 1,
    delta: { added: 0, modified: 0, removed: 2, unchanged: 1 },
  });
  const reason = "it contains no text any more, so it was removed";
  expect(result["outcomes"]).toEqual([
    { source: "docs/a.md", status: "skipped", reason },
    { source: "docs/c.html", status: "skipped", reason },
    { source: "docs/new.md", status: "skipped", reason: "it contains no text" },
  ]);
  const { results } = await call("kb_hybrid_search", { collection: "docs", query: "walrus", mode: "words" });
  expect(results).toEqual([]);
});

test("a text that is given empty takes the document of its name out", async () => {
  const { call, fail, fill } = await openBench();
  await fill("docs", { "a.md": "The walrus sings.", "b.md": "The seal listens." });
  const texts = [{ name: "a.md", text: "" }];
  for (const dry_run of [true, false])
    expect(await call("kb_ingest", { collection: "docs", texts, dry_run })).toMatchObject({
      documents: 1,
      delta: { removed: 1, unchanged: 1 },
    });
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({ active: 2 });
  // Its name is no path.
  expect(await fail("kb_ingest", { collection: "docs", paths: ["b.md"] })).toMatchObject({ code: "NOT_FOUND" });
});

test("a file that is a secret leaves the collection, though it was taken before", async () => {
  const { context, call, write } = await openBench();
  await write("docs/a.md", "The walrus sings.");
  await write("docs/b.md", "The seal listens.");
  await call("kb_create", { name: "docs" });
  const texts = ["docs/.env", "docs/secrets.json"].map((name) => ({ name, text: "whale=1234" }));
  await call("kb_ingest", { collection: "docs", paths: ["docs"], texts });
  // As one was taken that an earlier release did not know for a secret; the other is a text of that name.
  const store = await context.store();
  await store.write((sql) =>
    sql.run(
      "UPDATE revisions SET origin = 'file' WHERE document IN (SELECT id FROM documents WHERE source = 'docs/.env')",
    ),
  );
  for (const { name, text } of texts) await write(name, text);
  await write("docs/a.md", `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkq".repeat(4)}\n`);
  for (const dry_run of [true, false]) {
    const result = await call("kb_ingest", { collection: "docs", paths: ["docs"], dry_run });
    expect(result).toMatchObject({ documents: 2, delta: { removed: 2, unchanged: 1, kept: 1 } });
    expect((result["outcomes"] as { source: string; reason: string }[]).map((one) => [one.source, one.reason])).toEqual(
      expect.arrayContaining([
        ["docs/.env", "files with this name usually contain secrets, so it was removed"],
        ["docs/secrets.json", "files with this name usually contain secrets; its earlier content stays"],
        ["docs/a.md", "it contains a private key, so it was removed"],
      ]),
    );
  }
});

test("a document that cannot be read any more is kept, which is not the same as unchanged", async () => {
  const { call, write } = await openBench();
  await write("docs/a.md", "The walrus sings.");
  await write("docs/b.md", "The seal listens.");
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  await write("docs/a.md", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
  const result = await call("kb_ingest", { collection: "docs", paths: ["docs"] });
  expect(result).toMatchObject({ version: 1, documents: 2 });
  expect(result["delta"]).toEqual({ added: 0, modified: 0, removed: 0, unchanged: 1, kept: 1 });
});

test("a warning counts files of unknown kinds by extension", async () => {
  const { call, write } = await openBench();
  for (const name of ["a.md", "b.png", "c.PNG", "d.bin", "core"]) await write(name, "Text.");
  await call("kb_create", { name: "docs" });
  for (const dry_run of [true, false])
    expect(await call("kb_ingest", { collection: "docs", paths: ["."], dry_run })).toMatchObject({
      warnings: ["Skipped 4 files of unknown kind: 2 .png, 1 .bin, 1 core."],
    });
});
