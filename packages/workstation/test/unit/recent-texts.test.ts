import { expect, test } from "vitest";
import { RecentTexts } from "../../src/workstation.js";

test("the texts that were read last are kept", () => {
  const texts = new RecentTexts();
  const text = "x".repeat(2 * 1024 * 1024);
  for (let at = 1; at <= 9; at += 1) texts.set(`hash ${at}`, text);
  expect(texts.get("hash 1")).toBeUndefined();
  expect(texts.get("hash 2")).toBe(text);
  texts.set("large", `${text}x`);
  expect(texts.get("large")).toBeUndefined();
  texts.set("hash 2", "shorter");
  expect(texts.get("hash 2")).toBe("shorter");
});
