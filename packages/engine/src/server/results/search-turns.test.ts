import { expect, test } from "vitest";
import { memoryBody } from "./body.js";
import type { Finder } from "./pattern.js";
import { searchText } from "./search.js";

test("a search with a pattern that takes its time lets others have their turn at every window", async () => {
  const body = memoryBody(Buffer.from(`${"a".repeat(3000)}\n`.repeat(200)));
  // How long a real pattern takes is up to the runtime and the machine.
  const find: Finder = () => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    return [];
  };
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const field = { from: 0, to: body.bytes, line: 1 };
  await searchText(body, find, field, { most: 5, budgetBytes: 1000, signal: new AbortController().signal });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(9);
});
