import { expect, test } from "vitest";
import { splitWindows } from "../../../src/search/rerank.js";

const cut = (text: string): string[] => splitWindows(text).map(({ start, end }) => text.slice(start, end));

test("windows consist of whole sentences and have the minimum length", () => {
  const sentence = `${"word ".repeat(30)}end.`;
  expect(cut(`${sentence} ${sentence} ${sentence}`)).toEqual([`${sentence} ${sentence}`, sentence]);
  expect(cut("One. Two! Three?")).toEqual(["One. Two! Three?"]);
  expect(cut("")).toEqual([]);
});

test("list items, table rows and paragraphs end a window, as do sentences of scripts without spaces", () => {
  const long = "x".repeat(220);
  expect(cut(`- ${long}\n- ${long}\n| ${long} |\n\n${long}`)).toEqual([`- ${long}`, `- ${long}`, `| ${long} |`, long]);
  expect(cut(`${"字".repeat(210)}。${"字".repeat(3)}。`)).toEqual([`${"字".repeat(210)}。`, "字字字。"]);
});
