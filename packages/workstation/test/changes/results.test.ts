import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

/** The names of folders in one another. */
const deep = (count: number): string => Array.from({ length: count }, () => "d".repeat(200)).join("/");

/** Many changes, of which each has many folders. */
async function openMany(count: number) {
  const bench = await openWorkstation();
  await bench.call("checkpoint", { name: "start" });
  await bench.call("workspace_begin", { name: "many" });
  for (let at = 0; at < count; at += 1)
    await bench.call("fs_write_file", { path: `${at}/${deep(13)}/file`, content: `${at}` });
  return bench;
}

const lengthOf = (list: unknown): number => (list as readonly unknown[]).length;

describe("results of changes", () => {
  test("fits into a result, and says how many there are, when many are undone and made again", async () => {
    const { call } = await openMany(4);
    const undone = await call("undo_last", { to_checkpoint: "start" });
    expect(undone["total"]).toBe(4);
    expect(lengthOf(undone["undone"])).toBeLessThan(4);
    const redone = await call("redo", { count: 4 });
    expect(redone["total"]).toBe(4);
    expect(lengthOf(redone["redone"])).toBeLessThan(4);
    const rolled = await call("workspace_rollback");
    expect(rolled["changes"]).toBe(4);
    expect(lengthOf(rolled["undone"])).toBeLessThan(4);
  });

  test("fits into a result where one change has made very many folders", async () => {
    const { call } = await openWorkstation();
    await call("fs_write_file", { path: `${deep(18)}/file`, content: "" });
    const { undone } = await call("undo_last");
    const [{ files, more_files } = {}] = undone as JsonObject[];
    expect(lengthOf(files) + Number(more_files)).toBe(19);
    expect(more_files).toBeGreaterThan(0);
  });

  test("fits into a result by its bytes, whatever the script", async () => {
    const { call } = await openWorkstation();
    for (let at = 0; at < 6; at += 1)
      await call("fs_write_file", { path: `${at}`, content: "漢字仮名交じり文を書く\n".repeat(500) });
    const first = await call("changes_since", { diffs: true });
    expect(lengthOf(first["changes"])).toBeGreaterThan(0);
    expect(first["next_cursor"]).toEqual(expect.any(String));
  });

  test("fits into a refusal where others have changed much", async () => {
    const { root, call, fail } = await openWorkstation();
    for (let at = 0; at < 5; at += 1) {
      await call("fs_write_file", { path: `${at}`, content: "mine\n" });
      await writeFile(path.join(root, `${at}`), "漢字仮名交じり文を書く\n".repeat(500));
    }
    const refused = await fail("undo_last", { count: 5 });
    expect([refused.code, refused.details["paths"]]).toEqual(["CONFLICT", ["4", "3", "2", "1", "0"]]);
    expect(refused.text.match(/^@@/gm)?.length).toBe(3);
  });
});
