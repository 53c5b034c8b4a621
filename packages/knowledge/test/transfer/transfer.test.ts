import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { type Bench, openBench } from "../kit.js";

const PAGES = {
  "lion.md": "# Lion\n\nThe lion sleeps by day and hunts antelopes at night. Löwen 🦁.",
  "tiger.md": "---\nlicense: MIT\n---\n# Tiger\n\nThe tiger swims through rivers and likes water.",
  "table.csv": `name,food\n${Array.from({ length: 400 }, (_, at) => `animal ${at},food number ${at} of the list`).join("\n")}\n`,
};

async function openZoo(): Promise<Bench> {
  const bench = await openBench();
  for (const [name, text] of Object.entries(PAGES)) await bench.write(`zoo/${name}`, text);
  await bench.call("kb_create", { name: "zoo", description: "Animals" });
  await bench.call("kb_ingest", { collection: "zoo", paths: ["zoo"] });
  return bench;
}

/** What a search says, without what tells the collections apart. */
async function found(bench: Bench, collection: string, query: string): Promise<unknown[]> {
  const { results } = await bench.call("kb_hybrid_search", { collection, query });
  return (results as JsonObject[]).map(({ content, score, headings, citation, vector_score: cosine }) => [
    content,
    score,
    headings,
    { ...(citation as JsonObject), version: 0 },
    cosine,
  ]);
}

const QUERIES = ["who hunts antelopes", "food number 300", "water", "Löwen"];

test("a pack that is imported under another name, or elsewhere, gives the same results", async () => {
  const bench = await openZoo();
  const exported = await bench.call("kb_export", { collection: "zoo", path: "out/zoo.kbpack" });
  expect(exported).toMatchObject({ path: "out/zoo.kbpack", version: 1, documents: 3, embedder: "static-en-2" });
  expect((await stat(path.join(bench.folder, "out/zoo.kbpack"))).size).toBe(exported["bytes"]);
  const copy = await bench.call("kb_import", { path: "out/zoo.kbpack", name: "copy" });
  expect(copy).toMatchObject({
    collection: "copy",
    created: true,
    version: 1,
    documents: 3,
    licenses: { MIT: 1 },
    warnings: [],
  });
  const elsewhere = await openBench({ folder: bench.folder });
  await elsewhere.call("kb_import", { path: "out/zoo.kbpack" });
  for (const query of QUERIES) {
    const before = await found(bench, "zoo", query);
    expect(before.length).toBeGreaterThan(0);
    expect(await found(bench, "copy", query)).toEqual(before);
    expect(await found(elsewhere, "zoo", query)).toEqual(before);
  }
});

test("vectors that are left out are made anew, and the results are the same", async () => {
  const bench = await openZoo();
  const small = await bench.call("kb_export", { collection: "zoo", path: "small.kbpack", vectors: false });
  const whole = await bench.call("kb_export", { collection: "zoo", path: "whole.kbpack" });
  expect(Number(small["bytes"])).toBeLessThan(Number(whole["bytes"]));
  expect(small["embedder"]).toBe("");
  await bench.call("kb_import", { path: "small.kbpack", name: "copy" });
  for (const query of QUERIES) expect(await found(bench, "copy", query)).toEqual(await found(bench, "zoo", query));
});

test("where the collection is there, a pack becomes a new version, and the same pack again nothing", async () => {
  const bench = await openZoo();
  await bench.call("kb_export", { collection: "zoo", path: "zoo.kbpack" });
  await bench.write("zoo/lion.md", "# Lion\n\nAll about lions was deleted.");
  await bench.call("kb_ingest", { collection: "zoo", paths: ["zoo"] });
  expect(await bench.call("kb_import", { path: "zoo.kbpack" })).toMatchObject({ created: false, version: 3 });
  expect(await bench.call("kb_import", { path: "zoo.kbpack" })).toMatchObject({ created: false, version: 3 });
  const { results } = await bench.call("kb_hybrid_search", { collection: "zoo", query: "antelopes", top_k: 1 });
  expect((results as JsonObject[])[0]).toMatchObject({ version: 3, title: "Lion" });
});

test("golden questions go with the pack", async () => {
  const bench = await openZoo();
  const questions = [{ question: "who hunts antelopes", relevant: ["zoo/lion.md"] }];
  await bench.call("kb_evaluate", { collection: "zoo", questions, save: true });
  await bench.call("kb_export", { collection: "zoo", path: "zoo.kbpack" });
  await bench.call("kb_import", { path: "zoo.kbpack", name: "copy" });
  expect(await bench.call("kb_evaluate", { collection: "copy" })).toMatchObject({ questions: 1, measures: { mrr: 1 } });
});

/** Changes the lines of a pack, and gives it a checksum that is right again. */
function rewrite(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  const lines = gunzipSync(bytes).toString().trimEnd().split("\n");
  const end = JSON.parse(lines.pop() ?? "{}") as { end: JsonObject };
  const changed = change(lines);
  const sha256 = createHash("sha256")
    .update(changed.map((line) => `${line}\n`).join(""))
    .digest("hex");
  return gzipSync(`${[...changed, JSON.stringify({ end: { ...end.end, sha256 } })].join("\n")}\n`);
}

test("what is damaged, cut short, newer, or made to fill the memory is refused, and nothing is changed", async () => {
  const bench = await openZoo();
  await bench.call("kb_export", { collection: "zoo", path: "zoo.kbpack" });
  const whole = await readFile(path.join(bench.folder, "zoo.kbpack"));
  const lines = gunzipSync(whole).toString();
  const head = `${lines.split("\n")[0] ?? ""}\n`;
  const bad: [name: string, bytes: Uint8Array, words: string][] = [
    ["text", Buffer.from("no pack at all"), "it cannot be decompressed"],
    ["empty", gzipSync(""), "it is truncated"],
    ["half", whole.subarray(0, whole.length / 2), "it cannot be decompressed"],
    ["other", gzipSync("{}\n"), "it is not an export of a knowledge base"],
    ["byte", gzipSync(lines.replace("hunts antelopes", "hurts antelopes")), "its checksum does not match its content"],
    ["short", gzipSync(lines.split("\n").slice(0, -2).join("\n")), "it is truncated"],
    [
      "newer",
      rewrite(whole, ([first = "", ...rest]) => [first.replace('"kbpack":1', '"kbpack":2'), ...rest]),
      "its format version is 2",
    ],
    ["wild", rewrite(whole, (all) => [...all, '{"chunks":[{"first":0}]}']), "a line is invalid"],
    [
      "far",
      rewrite(whole, (all) =>
        all.map((line) => line.replace('"chunks":[{"first":0,"last":', '"chunks":[{"first":0,"last":9')),
      ),
      "a passage is outside of its document",
    ],
    ["bomb", gzipSync(Buffer.alloc(40_000_000, "a")), "a line is too long"],
    [
      "lines",
      gzipSync(Buffer.concat([Buffer.from(head), Buffer.alloc(70_000_000, '{"text":""}\n')])),
      "a text belongs to no document",
    ],
  ];
  for (const [name, bytes, words] of bad) {
    await writeFile(path.join(bench.folder, `${name}.kbpack`), bytes);
    expect((await bench.fail("kb_import", { path: `${name}.kbpack`, name: "copy" })).text).toContain(words);
  }
  const { collections } = await bench.call("kb_list_collections", {});
  expect((collections as JsonObject[]).length).toBe(1);
});

test("vectors that are not those of the embedder are made anew, and that is said", async () => {
  const bench = await openZoo();
  await bench.call("kb_export", { collection: "zoo", path: "zoo.kbpack" });
  const whole = await readFile(path.join(bench.folder, "zoo.kbpack"));
  const forge = (line: string): string =>
    line.replaceAll(/"vector":\[([\d.e-]+),"[^"]+"\]/g, `"vector":[$1,"${Buffer.alloc(256, 3).toString("base64")}"]`);
  await writeFile(
    path.join(bench.folder, "forged.kbpack"),
    rewrite(whole, (lines) => lines.map(forge)),
  );
  const elsewhere = await openBench({ folder: bench.folder });
  expect(await elsewhere.call("kb_import", { path: "forged.kbpack" })).toMatchObject({
    warnings: ["The vectors in the file differ from those that static-en-2 creates; new ones were created."],
  });
  const other = (line: string): string => line.replace('"embedder":"static-en-2"', '"embedder":"other-model"');
  await writeFile(
    path.join(bench.folder, "other.kbpack"),
    rewrite(whole, ([head = "", ...lines]) => [other(head), ...lines]),
  );
  const third = await openBench({ folder: bench.folder });
  expect(await third.call("kb_import", { path: "other.kbpack" })).toMatchObject({
    embedder: "static-en-2",
    warnings: ["The vectors in the file are from other-model; new ones were created with static-en-2."],
  });
  for (const query of QUERIES) {
    expect(await found(elsewhere, "zoo", query)).toEqual(await found(bench, "zoo", query));
    expect(await found(third, "zoo", query)).toEqual(await found(bench, "zoo", query));
  }
});

test("files are written and read only inside the roots, with the extension .kbpack", async () => {
  const bench = await openZoo();
  expect((await bench.fail("kb_export", { collection: "zoo", path: "../zoo.kbpack" })).code).toBe("FORBIDDEN_PATH");
  expect((await bench.fail("kb_import", { path: "/etc/passwd" })).code).toBe("FORBIDDEN_PATH");
  expect((await bench.fail("kb_export", { collection: "zoo", path: "zoo/lion.md" })).code).toBe("INVALID_ARGUMENT");
});
