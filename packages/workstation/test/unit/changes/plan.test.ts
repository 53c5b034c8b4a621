import { expect, test } from "vitest";
import type { Change } from "../../../src/changes/change.js";
import { ABSENT, type FileState } from "../../../src/changes/file-state.js";
import { planChange } from "../../../src/changes/plan.js";
import { Preview } from "../../../src/changes/preview.js";

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
  bundle: undefined,
  steps: [{ kind: "move", path: "/A", to: "/a", before: file("1"), after: file("1"), side: "new", temporary: "" }],
};

const clashesOn = async (disk: (place: string) => FileState) =>
  (await planChange(change, "old", new Preview(async (place) => disk(place)))).clashes.map(({ path }) => path);

test("the case of a name can be changed back where both names mean the file itself", async () => {
  expect(await clashesOn(() => file("1"))).toEqual([]);
  expect(await clashesOn((place) => (place === "/a" ? file("1") : ABSENT))).toEqual([]);
  expect(await clashesOn((place) => (place === "/a" ? file("1") : file("2")))).toEqual(["/A"]);
});
