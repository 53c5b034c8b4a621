import { expect, test } from "vitest";
import { ABSENT, type FileState } from "../../../src/changes/file-state.js";
import type { Change } from "../../../src/changes/journal-tables.js";
import { Preview, planChange } from "../../../src/changes/plan.js";

const file = (hash: string): FileState => ({ kind: "file", hash, size: 1 });

/** A move between names that differ in case only. */
const change: Change = {
  id: 1,
  principal: "",
  tool: "fs_move",
  madeAt: 0,
  state: "done",
  doing: undefined,
  holder: "",
  transaction: undefined,
  steps: [{ kind: "move", path: "/A", to: "/a", before: file("1"), after: file("1"), side: "new", temporary: "" }],
};

const conflictsOn = async (disk: (realPath: string) => FileState) =>
  (await planChange(change, "old", new Preview(async (realPath) => disk(realPath)))).conflicts.map(({ path }) => path);

test("the case of a name can be changed back where both names mean the file itself", async () => {
  expect(await conflictsOn(() => file("1"))).toEqual([]);
  expect(await conflictsOn((realPath) => (realPath === "/a" ? file("1") : ABSENT))).toEqual([]);
  expect(await conflictsOn((realPath) => (realPath === "/a" ? file("1") : file("2")))).toEqual(["/A"]);
});
