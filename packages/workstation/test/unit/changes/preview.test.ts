import { expect, test } from "vitest";
import type { FileState } from "../../../src/changes/file-state.js";
import { Preview } from "../../../src/changes/plan.js";

const link = (target: string): FileState => ({ kind: "link", target });

test("a preview knows what would be in each place, also below folders that would have moved", async () => {
  const preview = new Preview(async (place) => link(place));
  preview.put("/a", link("new"));
  preview.move("/dir", "/moved");
  preview.put("/moved/x", link("x"));
  preview.move("/moved", "/again");
  expect(await preview.stateOf("/a")).toEqual(link("new"));
  expect(await preview.stateOf("/again/x")).toEqual(link("x"));
  expect(await preview.stateOf("/again/y")).toEqual(link("/dir/y"));
  expect(await preview.stateOf("/dir/y")).toEqual({ kind: "absent" });
  expect(await preview.stateOf("/moved")).toEqual({ kind: "absent" });
  expect(await preview.stateOf("/other")).toEqual(link("/other"));
  expect(preview.origin("/again/y")).toBe("/dir/y");
});
