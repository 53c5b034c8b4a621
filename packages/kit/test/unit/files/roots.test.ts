import { describe, expect, test } from "vitest";
import { findRoots, narrow } from "../../../src/files/access-policy.js";

const root = (place: string) => ({ configuredPath: place, realPath: place });

describe("roots", () => {
  const cases: readonly (readonly [ours: string[], theirs: string[], both: string[]])[] = [
    [["/a"], ["/a/b"], ["/a/b"]],
    [["/a/b"], ["/a"], ["/a/b"]],
    [["/a"], ["/b"], []],
    [["/a"], ["/ab"], []],
    [["/a", "/b"], ["/"], ["/a", "/b"]],
    [["/a"], [], []],
    [["/a"], ["/a"], ["/a"]],
    [["/a", "/a/b"], ["/a/b/c"], ["/a/b/c"]],
    [["/a"], ["/a/c", "/a/b", "/x"], ["/a/c", "/a/b"]],
  ];
  test.each(cases)("%j narrowed by %j are %j", (ours, theirs, both) => {
    expect(narrow(ours.map(root), theirs.map(root)).map(({ realPath: real }) => real)).toEqual(both);
  });

  test("are refused by name where they are no folders", async () => {
    await expect(findRoots(["/dev/null"], "/")).rejects.toThrow("/dev/null is not a folder");
    await expect(findRoots(["not-there"], "/dev")).rejects.toThrow("the folder /dev/not-there cannot be used");
  });
});
