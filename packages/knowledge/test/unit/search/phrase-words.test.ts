import { expect, test } from "vitest";
import { quoteLexeme, toTextVector } from "../../../src/search/postgres/phrases.js";

test("words have their places, and no phrase goes from one text into the next", () => {
  const { words, isCut } = toTextVector({ title: "The rivers", headings: ["Deep"], content: "It's deep" });
  expect(words).toBe("'the':1 'river':2 'deep':4,7 'it':6");
  expect(isCut).toBe(false);
});

test("what would read as a sign is taken as it is", () => {
  expect(quoteLexeme("it's a\\b")).toBe("'it''s a\\\\b'");
});

test("a word that is there too often to say all places makes the text cut, as does a text that is too long", () => {
  const often = toTextVector({ title: "", headings: [], content: "echo ".repeat(256) });
  expect([often.isCut, often.words.split(",").length]).toEqual([true, 255]);
  const many = Array.from({ length: 16_400 }, (_, index) => `w${index}`).join(" ");
  expect(toTextVector({ title: "", headings: [], content: many }).isCut).toBe(true);
});
