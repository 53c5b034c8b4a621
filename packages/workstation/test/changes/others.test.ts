import { readFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { beforeAll, describe, expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { openWorkstation } from "../kit.js";
import { type Built, buildWithDriver } from "./program.js";

let built: Built;
beforeAll(async () => {
  built = await buildWithDriver(new URL("other-program.ts", import.meta.url));
  return () => built.remove();
});

const read = (root: string, name: string) => readFile(path.join(root, name), "utf8");

/** A server in this process, and one in another over the same files and the same journal. */
async function openTwo(principal?: string) {
  const mine = await openWorkstation({ files: { a: "0", b: "0" }, ...(principal !== undefined && { principal }) });
  const whose = principal === undefined ? [] : [principal];
  const child = new Child(process.execPath, [built.file, mine.root, mine.state, ...whose]);
  const ask = async (name: string, args: JsonObject = {}): Promise<JsonObject> => {
    const count = child.lines.length;
    child.send([name, args]);
    await child.until(() => child.lines.length > count, name);
    return JSON.parse(child.lines[count] ?? "") as JsonObject;
  };
  const kill = async (): Promise<void> => {
    child.process.kill("SIGKILL");
    await child.ended;
  };
  return { ...mine, ask, kill };
}

describe("a server beside another one that is still there", () => {
  test("undoes and makes again its own changes alone, whatever came after them", async () => {
    const { root, call, fail, ask } = await openTwo();
    await call("fs_write_file", { path: "a", content: "mine" });
    await ask("fs_write_file", { path: "b", content: "theirs" });
    expect(await call("undo_last")).toMatchObject({ undone: [{ change: 1 }] });
    expect((await fail("undo_last")).text).toBe("There is nothing to undo.");
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["0", "theirs"]);
    await ask("fs_write_file", { path: "b", content: "theirs again" });
    expect(await call("redo")).toMatchObject({ redone: [{ change: 1 }] });
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["mine", "theirs again"]);
    expect(await ask("undo_last", { count: 2 })).toMatchObject({ undone: [{ change: 3 }, { change: 2 }], total: 2 });
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["mine", "0"]);
  });

  test("has transactions of its own, into which nothing of the other one comes", async () => {
    const { root, call, ask } = await openTwo();
    await call("workspace_begin", { name: "mine" });
    expect(await ask("fs_write_file", { path: "b", content: "theirs" })).not.toHaveProperty("transaction");
    expect(await ask("workspace_begin", { name: "theirs" })).toMatchObject({ transaction: "theirs" });
    await call("fs_write_file", { path: "a", content: "mine" });
    expect(await call("workspace_rollback")).toMatchObject({ transaction: "mine", changes: 1 });
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["0", "theirs"]);
  });

  test("is the same for an authenticated client", async () => {
    const { root, call, ask } = await openTwo("ann");
    await ask("workspace_begin", { name: "hers" });
    await ask("fs_write_file", { path: "b", content: "1" });
    expect(await call("fs_write_file", { path: "a", content: "1" })).toMatchObject({ transaction: "hers" });
    expect(await call("workspace_rollback")).toMatchObject({ transaction: "hers", changes: 2 });
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["0", "0"]);
  });

  test("goes on with what the other one did when that has ended", async () => {
    const { root, call, ask, kill } = await openTwo();
    await ask("fs_write_file", { path: "a", content: "first" });
    await ask("workspace_begin", { name: "theirs" });
    await ask("fs_write_file", { path: "b", content: "theirs" });
    await kill();
    expect(await call("fs_write_file", { path: "b", content: "mine" })).toMatchObject({ transaction: "theirs" });
    expect(await call("workspace_rollback")).toMatchObject({ transaction: "theirs", changes: 2 });
    await call("undo_last");
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["0", "0"]);
  });
});
