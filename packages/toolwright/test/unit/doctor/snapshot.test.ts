import { expect, test } from "vitest";
import { walkList } from "../../../src/doctor/snapshot.js";
import type { Conversation } from "../../../src/doctor/wire/connection.js";

test("a page with very many items is walked to its end", async () => {
  const tools = Array.from({ length: 200_000 }, () => ({}));
  const ask = async () => ({ kind: "answer", message: { result: { tools } }, reason: "", evidence: [] });
  const { items, problem } = await walkList({ ask } as unknown as Conversation, "tools/list", "tools");
  expect([items.length, problem]).toEqual([200_000, undefined]);
});
