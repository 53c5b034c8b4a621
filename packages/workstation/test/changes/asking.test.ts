import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expectAsksBeforeActing } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { openWorkstation, type TestWorkstation, type TestWorkstationOptions } from "../kit.js";

const open = (
  settings: NonNullable<TestWorkstationOptions["settings"]>,
  how: TestWorkstationOptions = {},
): Promise<TestWorkstation> => openWorkstation({ files: { a: "old", large: "x".repeat(100) }, settings, ...how });

const effects =
  ({ root }: TestWorkstation) =>
  () =>
    ["a", "large", "new/b"].map((name) => {
      const file = path.join(root, name);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    });

describe("a person is asked", () => {
  test("before anything is replaced or removed, where the settings say so; nothing happens before the answer", async () => {
    const deeds: readonly [string, object][] = [
      ["fs_write_file", { path: "a", content: "new" }],
      ["fs_edit_file", { path: "a", edits: [{ old: "old", new: "new" }] }],
      ["fs_delete_file", { path: "a" }],
      ["fs_move", { from: "large", to: "a", overwrite: true }],
    ];
    for (const [tool, input] of deeds) {
      const bench = await open({ ask: "destructive" });
      const check = { tool, input: input as never, snapshot: effects(bench) };
      await expectAsksBeforeActing(bench.server, { ...check, responses: { confirm: { sure: true } } });
      expect(effects(bench)()[0]).not.toBe("old");
    }
  });

  test("and nothing is done where they decline", async () => {
    const bench = await open({ ask: "destructive" });
    const result = await expectAsksBeforeActing(bench.server, {
      tool: "fs_delete_file",
      input: { path: "a" },
      responses: { confirm: { sure: false } },
      snapshot: effects(bench),
    });
    expect(result["isError"]).toBe(true);
    expect(textOf(result)).toContain('Not done: the user declined "Delete a".');
    expect(effects(bench)()[0]).toBe("old");
  });

  test("by default only before what cannot be undone, which the result then says", async () => {
    const bench = await open({ journalFileBytes: 50 });
    const result = await expectAsksBeforeActing(bench.server, {
      tool: "fs_write_file",
      input: { path: "large", content: "small" },
      responses: { confirm: { sure: true } },
      snapshot: effects(bench),
    });
    expect(result["structuredContent"]).toMatchObject({
      note: "This cannot be undone: the old content was too large for the journal.",
    });
    await expect(
      expectAsksBeforeActing(bench.server, {
        tool: "fs_delete_file",
        input: { path: "a" },
        responses: {},
        snapshot: effects(bench),
      }),
    ).rejects.toThrow('The tool "fs_delete_file" requested no input');
    expect((await bench.fail("undo_last", { count: 2 })).code).toBe("UNAVAILABLE");
  });

  test("never where the settings say so, or the client cannot ask", async () => {
    const never = await open({ ask: "never", journalFileBytes: 50 });
    await never.call("fs_delete_file", { path: "large" });
    const mute = await open({ ask: "destructive" }, { capabilities: {} });
    await mute.call("fs_delete_file", { path: "a" });
    expect(await readdir(mute.root)).toEqual(["large"]);
  });
});
