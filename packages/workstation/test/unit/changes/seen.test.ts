import { expect, test } from "vitest";
import { Seen } from "../../../src/changes/seen.js";

test("texts that were shown are remembered, the oldest ones as long as there is room", () => {
  const seen = new Seen();
  const text = "x".repeat(2 * 1024 * 1024);
  for (let at = 1; at <= 9; at += 1) seen.remember(`hash ${at}`, text);
  expect(seen.recall("hash 1")).toBeUndefined();
  expect(seen.recall("hash 2")).toBe(text);
  seen.remember("large", `${text}x`);
  expect(seen.recall("large")).toBeUndefined();
  seen.remember("hash 2", "shorter");
  expect(seen.recall("hash 2")).toBe("shorter");
});
