import { expect, test } from "vitest";
import { walkList } from "./snapshot.js";
import type { Talk } from "./wire/connection.js";

test("a page with very many items is walked to its end", async () => {
  const tools = Array.from({ length: 200_000 }, () => ({}));
  const ask = async () => ({ kind: "answer", message: { result: { tools } }, reason: "", evidence: [] });
  const { items, trouble } = await walkList({ ask } as unknown as Talk, "tools/list", "tools");
  expect([items.length, trouble]).toEqual([200_000, undefined]);
});
