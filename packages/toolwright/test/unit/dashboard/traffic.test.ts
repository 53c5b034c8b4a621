import type { Frame } from "@toolwright/engine/observability";
import { expect, test } from "vitest";
import { recentCalls } from "../../../src/dashboard/traffic.js";

/** What crosses the wire for one call: a question, and the answer a moment later. */
function callAt(at: number, id: number, name: string): readonly Frame[] {
  const shared = { session: "a", transport: "http" } as const;
  const question = { jsonrpc: "2.0", id, method: "tools/call", params: { name } };
  const answer = { jsonrpc: "2.0", id, result: {} };
  return [
    { ...shared, timestamp: at, from: "client", text: JSON.stringify(question) },
    { ...shared, timestamp: at + 5, from: "server", text: JSON.stringify(answer) },
  ] as unknown as readonly Frame[];
}

test("an id that is used again is another call, and the first one stays", () => {
  const frames = ["echo", "add", "echo"].flatMap((name, at) => callAt(at * 10, 2, name));
  expect(recentCalls(frames, 10).map(({ name, ms, outcome }) => [name, ms, outcome])).toEqual([
    ["tools/call echo", 5, "ok"],
    ["tools/call add", 5, "ok"],
    ["tools/call echo", 5, "ok"],
  ]);
});

test("what is asked again before it was answered is answered last", () => {
  const [question, answer] = callAt(0, 2, "slow") as readonly [Frame, Frame];
  expect(recentCalls([question, question, answer], 10).map(({ outcome }) => outcome)).toEqual(["ok", "running"]);
});
