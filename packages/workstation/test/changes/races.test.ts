import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { AccessPolicy } from "@toolwright/kit/files";
import { describe, expect, test } from "vitest";
import type { Author } from "../../src/changes/author.js";
import { Changes } from "../../src/changes/changes.js";
import { type Draft, draftDelete, draftMove, draftWrite } from "../../src/changes/drafts.js";
import { makeFolder, openBench, putFiles } from "../kit.js";

const MOST = 1_000_000;

/** Changes whose drafts the test can hold up, to do something at the worst moment. */
async function open(files: Record<string, string>, now?: () => number) {
  const root = await makeFolder();
  await putFiles(root, files);
  const settings = { roots: [root], client_roots: false, hidden: [], deadline_ms: 10_000 };
  const grant = await AccessPolicy.open(settings, { folder: root, home: "/" });
  const { signal } = new AbortController();
  const reach = await grant.accessFor({ signal, supports: () => false, roots: async () => [] });
  const limits = { journal_bytes: MOST, journal_file_bytes: MOST, journal_days: 1 };
  const changes = new Changes(await makeFolder(), { ...settings, ...limits }, now);
  const author: Author = { principal: "", tool: "test", reach };
  return { root, reach, changes, author, [Symbol.asyncDispose]: () => changes.close() };
}

describe("time", () => {
  test("makes the journal forget what is older than its days", async () => {
    const DAY = 24 * 60 * 60_000;
    let today = 100 * DAY;
    await using bench = await open({ a: "0" }, () => today);
    const { reach, changes, author } = bench;
    const write = (text: string) => changes.make(author, () => draftWrite(reach, "a", () => Buffer.from(text), MOST));
    await write("1");
    today += DAY;
    await write("2");
    today += 1;
    await write("3");
    const { table } = await changes.journal();
    expect(table.since("", 0, 9).map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe("somebody who writes at the same moment", () => {
  test("loses nothing to a write: what they wrote stays, and the write is refused", async () => {
    await using bench = await open({ a: "old" });
    const { root, reach, changes, author } = bench;
    const draft = () =>
      draftWrite(
        reach,
        "a",
        async () => {
          await writeFile(path.join(root, "theirs"), "theirs");
          await rename(path.join(root, "theirs"), path.join(root, "a"));
          return Buffer.from("mine");
        },
        MOST,
      );
    await expect(changes.make(author, draft)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await readFile(path.join(root, "a"), "utf8")).toBe("theirs");
    expect(await readdir(root)).toEqual(["a"]);
  });

  test("loses nothing to a delete, a move, or a file that was new a moment ago", async () => {
    await using bench = await open({ a: "old", b: "old" });
    const { root, reach, changes, author } = bench;
    const after = async <Drafted>(drafted: Promise<Drafted>, name: string): Promise<Drafted> => {
      const found = await drafted;
      await writeFile(path.join(root, name), "theirs");
      return found;
    };
    const deeds: readonly (() => Promise<Draft>)[] = [
      () => after(draftDelete(reach, "a", MOST), "a"),
      () => after(draftMove(reach, { from: "b", to: "c" }, { overwrite: false, most: MOST }), "c"),
      () =>
        after(
          draftWrite(reach, "d", () => Buffer.from("mine"), MOST),
          "d",
        ),
    ];
    for (const draft of deeds) await expect(changes.make(author, draft)).rejects.toThrow();
    for (const name of ["a", "c", "d"]) expect(await readFile(path.join(root, name), "utf8")).toBe("theirs");
    expect((await readdir(root)).sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("never sees a half-written file", async () => {
    const { root, call } = await openBench({ files: { a: "0".repeat(50_000) } });
    const over = new AbortController();
    const lengths = new Set<number>();
    const watch = async (): Promise<void> => {
      while (!over.signal.aborted) lengths.add(new Set(await readFile(path.join(root, "a"), "utf8")).size);
    };
    const watching = watch();
    for (const digit of "1234") await call("fs_write_file", { path: "a", content: digit.repeat(50_000) });
    over.abort();
    await watching;
    expect([...lengths]).toEqual([1]);
  });
});
