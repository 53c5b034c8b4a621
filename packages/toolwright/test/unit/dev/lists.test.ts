import { expect, test } from "vitest";
import { compareLists, describeChanges } from "../../../src/dev/lists.js";
import type { Lists } from "../../../src/dev/messages.js";

const listsOf = (tools: Readonly<Record<string, string>>): Lists => ({
  tools: new Map(Object.entries(tools)),
  prompts: new Map(),
  resources: new Map([["a://b", "{}"]]),
});

test("lists that are the same have no changes", () => {
  const changes = compareLists(listsOf({ a: "1" }), listsOf({ a: "1" }));
  expect(changes).toEqual([]);
  expect(describeChanges(changes)).toBe("the lists are unchanged");
});

test("lists added, removed and changed items by name", () => {
  const changes = compareLists(listsOf({ a: "1", b: "1", c: "1" }), listsOf({ a: "1", b: "2", d: "1" }));
  expect(changes).toEqual([{ of: "tools", added: ["d"], removed: ["c"], changed: ["b"] }]);
  expect(describeChanges(changes)).toBe("tools: added d, removed c, changed b");
});
