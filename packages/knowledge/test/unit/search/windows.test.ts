import { expect, test } from "vitest";
import { stretchesOf } from "../../../src/search/rerank.js";

const cut = (text: string): string[] => stretchesOf(text).map(({ start, end }) => text.slice(start, end));

test("stretches are whole sentences, and no shorter than they should be", () => {
  const sentence = `${"word ".repeat(30)}end.`;
  expect(cut(`${sentence} ${sentence} ${sentence}`)).toEqual([`${sentence} ${sentence}`, sentence]);
  expect(cut("One. Two! Three?")).toEqual(["One. Two! Three?"]);
  expect(cut("")).toEqual([]);
});

test("items, rows and paragraphs end a stretch too, as do sentences of scripts without spaces", () => {
  const long = "x".repeat(220);
  expect(cut(`- ${long}\n- ${long}\n| ${long} |\n\n${long}`)).toEqual([`- ${long}`, `- ${long}`, `| ${long} |`, long]);
  expect(cut(`${"字".repeat(210)}。${"字".repeat(3)}。`)).toEqual([`${"字".repeat(210)}。`, "字字字。"]);
});
