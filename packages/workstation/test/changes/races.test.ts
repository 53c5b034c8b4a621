import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createFilePolicy } from "@toolwright/kit/files";
import { describe, expect, test } from "vitest";
import { Changes } from "../../src/changes/changes.js";
import { type Draft, draftDelete, draftMove, draftWrite } from "../../src/changes/drafts.js";
import type { ChangeAuthor } from "../../src/changes/journal.js";
import { makeFolder, openWorkstation, putFiles } from "../kit.js";

const MAX = 1_000_000;

/** Changes whose drafts the test can hold up, to do something at the worst moment. */
async function open(files: Record<string, string>, now?: () => number) {
  const root = await makeFolder();
  await putFiles(root, files);
  const policy = createFilePolicy({ settings: { roots: [root] } });
  const { signal } = new AbortController();
  const access = await policy.accessFor({ signal, supports: () => false, roots: async () => [] });
  const limits = { journalBytes: MAX, journalFileBytes: MAX, journalDays: 1 };
  const changes = new Changes(await makeFolder(), limits, now);
  const author: ChangeAuthor = { principal: "", tool: "test", access };
  return { root, access, changes, author, [Symbol.asyncDispose]: () => changes.close() };
}

describe("time", () => {
  test("makes the journal forget what is older than its days", async () => {
    const DAY = 24 * 60 * 60_000;
    let today = 100 * DAY;
    await using opened = await open({ a: "0" }, () => today);
    const { access, changes, author } = opened;
    const write = (text: string) => changes.apply(author, () => draftWrite(access, "a", () => Buffer.from(text), MAX));
    await write("1");
    today += DAY;
    await write("2");
    today += 1;
    await write("3");
    const { changes: table } = await changes.journal();
    expect(table.since("", 0, 9).map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe("concurrent writers", () => {
  test("loses nothing to a write: what they wrote stays, and the write is refused", async () => {
    await using opened = await open({ a: "old" });
    const { root, access, changes, author } = opened;
    const draft = () =>
      draftWrite(
        access,
        "a",
        async () => {
          await writeFile(path.join(root, "theirs"), "theirs");
          await rename(path.join(root, "theirs"), path.join(root, "a"));
          return Buffer.from("mine");
        },
        MAX,
      );
    await expect(changes.apply(author, draft)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await readFile(path.join(root, "a"), "utf8")).toBe("theirs");
    expect(await readdir(root)).toEqual(["a"]);
  });

  test("loses nothing to a delete, a move, or a file that was new a moment ago", async () => {
    await using opened = await open({ a: "old", b: "old" });
    const { root, access, changes, author } = opened;
    const after = async <Drafted>(drafted: Promise<Drafted>, name: string): Promise<Drafted> => {
      const found = await drafted;
      await writeFile(path.join(root, name), "theirs");
      return found;
    };
    const drafts: readonly (() => Promise<Draft>)[] = [
      () => after(draftDelete(access, "a", MAX), "a"),
      () => after(draftMove(access, { from: "b", to: "c" }, { overwrite: false, maxBytes: MAX }), "c"),
      () =>
        after(
          draftWrite(access, "d", () => Buffer.from("mine"), MAX),
          "d",
        ),
    ];
    for (const draft of drafts) await expect(changes.apply(author, draft)).rejects.toThrow();
    for (const name of ["a", "c", "d"]) expect(await readFile(path.join(root, name), "utf8")).toBe("theirs");
    expect((await readdir(root)).sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("never sees a half-written file", async () => {
    const { root, call } = await openWorkstation({ files: { a: "0".repeat(50_000) } });
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
