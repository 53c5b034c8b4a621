import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openWorkstation, type TestWorkstation } from "../kit.js";

const RUNS = Number(process.env["CHANGE_RUNS"] ?? 12);

type Files = Readonly<Record<string, string>>;

/** What the tools should do, as simply as it can be said. */
class Model {
  files: Files = {};
  readonly done: Files[] = [];
  undone: Files[] = [];

  become(files: Files): boolean {
    this.done.push(this.files);
    this.undone = [];
    this.files = files;
    return true;
  }

  back(count: number, from: Files[], to: Files[]): boolean {
    if (from.length === 0) return false;
    for (let at = 0; at < count && from.length > 0; at += 1) {
      to.push(this.files);
      this.files = from.pop() ?? {};
    }
    return true;
  }
}

/** A call, and what it should do; the result says whether it should succeed. */
interface Deed {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly act: (model: Model) => boolean;
}

const without = (files: Files, name: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([each]) => each !== name));

const name = fc.constantFrom("a", "b", "dir/c", "dir/deep/d");
const text = fc.constantFrom("one\n", "two\n", "one\ntwo\n", "", "two\ntwo\n");
const count = fc.integer({ min: 1, max: 3 });

const write = fc.tuple(name, text).map(
  ([file, content]): Deed => ({
    tool: "fs_write_file",
    args: { path: file, content },
    act: (model) => model.files[file] === content || model.become({ ...model.files, [file]: content }),
  }),
);
const edit = name.map(
  (file): Deed => ({
    tool: "fs_edit_file",
    args: { path: file, edits: [{ old: "two", new: "2" }] },
    act: (model) => {
      const now = model.files[file];
      if (now?.split("two").length !== 2) return false;
      return model.become({ ...model.files, [file]: now.replace("two", "2") });
    },
  }),
);
const remove = name.map(
  (file): Deed => ({
    tool: "fs_delete_file",
    args: { path: file },
    act: (model) => model.files[file] !== undefined && model.become(without(model.files, file)),
  }),
);
const move = fc.tuple(name, name, fc.boolean()).map(
  ([from, to, overwrite]): Deed => ({
    tool: "fs_move",
    args: { from, to, overwrite },
    act: (model) => {
      const moved = model.files[from];
      if (moved === undefined || from === to || (model.files[to] !== undefined && !overwrite)) return false;
      return model.become({ ...without(model.files, from), [to]: moved });
    },
  }),
);
const undo = count.map(
  (most): Deed => ({
    tool: "undo_last",
    args: { count: most },
    act: (model) => model.back(most, model.done, model.undone),
  }),
);
const redo = count.map(
  (most): Deed => ({
    tool: "redo",
    args: { count: most },
    act: (model) => model.back(most, model.undone, model.done),
  }),
);

async function contents(root: string): Promise<Files> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.relative(root, place)] = await readFile(place, "utf8");
  }
  return found;
}

async function compare(bench: TestWorkstation, deeds: readonly Deed[]): Promise<void> {
  const model = new Model();
  for (const { tool, args, act } of deeds) {
    const result = await bench.client.callTool(tool, args as never);
    expect([tool, args, result["isError"] !== true]).toEqual([tool, args, act(model)]);
    expect(await contents(bench.root)).toEqual(model.files);
  }
}

describe("any sequence of writes, edits, moves, deletes, undo and redo", () => {
  test("does what the model does", async () => {
    const deeds = fc.array(fc.oneof(write, write, edit, remove, move, undo, redo), { minLength: 5, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(deeds, async (sequence) => compare(await openWorkstation(), sequence)),
      { numRuns: RUNS },
    );
  }, 120_000);
});
