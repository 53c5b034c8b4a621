import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Vocabulary } from "../../src/embedders/vocabulary.js";
import { WordPieces } from "../../src/embedders/word-pieces.js";

/** Texts of ours, with the tokens that the Python package `tokenizers` 0.22 gives them by the vocabulary of BERT, uncased. */
const cases = JSON.parse(readFileSync(new URL("word-pieces.json", import.meta.url), "utf8")) as {
  readonly text: string;
  readonly tokens: readonly number[];
}[];

/** The vocabulary, out of the built-in table: it stands at the end. */
function readVocabulary(): string {
  const file = readFileSync(new URL("../../models/static-en-2.bin", import.meta.url));
  return file.toString("utf8", file.length - file.readUInt32LE(16));
}

const pieces = new WordPieces(
  new Vocabulary(readVocabulary(), "##"),
  { isLowerCase: true, hasNoAccents: true },
  "[UNK]",
);

describe("WordPieces", () => {
  test("has the vocabulary of BERT, uncased", () => {
    expect(pieces.vocabulary.size).toBe(30_522);
    expect(["[PAD]", "[CLS]", "the", "##ing", "no such token"].map((name) => pieces.vocabulary.numberOf(name))).toEqual(
      [0, 101, 1996, 2075, -1],
    );
  });

  test.each(cases)("cuts $text as the reference does", ({ text, tokens }) => {
    expect([...pieces.read(text)]).toEqual(tokens);
  });

  test("cuts a text the same among others as alone", () => {
    const texts = cases.map(({ text }) => text).filter((text) => !text.includes("[UNK]"));
    const alone = texts.flatMap((text) => [...pieces.read(text)]);
    expect([...pieces.read(texts.join(" "))]).toEqual(alone);
  });

  test("takes a text of a million words, and one of a single word as long", () => {
    expect(pieces.read("word ".repeat(1_000_000)).length).toBe(1_000_000);
    expect([...pieces.read("w".repeat(5_000_000))]).toEqual([100]);
  });
});

describe("WordPieces of a vocabulary with upper case", () => {
  const vocabulary = new Vocabulary("[UNK]\nÉ\nA\n##b\na", "##");

  test("leaves case and accents as they are", () => {
    const cased = new WordPieces(vocabulary, { isLowerCase: false, hasNoAccents: false }, "[UNK]");
    expect([...cased.read("É Ab a ab c")]).toEqual([1, 2, 3, 4, 4, 3, 0]);
  });

  test("lowercases and strips accents only if configured", () => {
    const lower = new WordPieces(vocabulary, { isLowerCase: true, hasNoAccents: false }, "[UNK]");
    expect([...lower.read("É Ab")]).toEqual([0, 4, 3]);
  });
});
