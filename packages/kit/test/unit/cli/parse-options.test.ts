import { expect, test } from "vitest";
import { readWords } from "../../../src/cli/parse-options.js";

const kinds = {
  "--flag": {},
  "--folder": { value: "a folder" },
  "--at": { value: "HOST:PORT", isBare: true },
  "--name": { value: "a name", isList: true },
} as const;

test.each([
  [[], {}],
  [["--flag"], { "--flag": [""] }],
  [["--folder", "x"], { "--folder": ["x"] }],
  [["--folder=x=y"], { "--folder": ["x=y"] }],
  [["--at"], { "--at": [""] }],
  [["--at", "--flag"], { "--at": [""], "--flag": [""] }],
  [["--at", ":80", "--flag"], { "--at": [":80"], "--flag": [""] }],
  [["--at=:80"], { "--at": [":80"] }],
  [["--name", "a", "--name=b"], { "--name": ["a", "b"] }],
  [["--folder", "-x"], { "--folder": ["-x"] }],
])("%j is understood", (words, given) => {
  expect(readWords(words, kinds)).toEqual(given);
});

test.each([
  [["--port"], '"--port" is unknown'],
  [["folder"], '"folder" is unknown'],
  [["--api-key=secret"], '"--api-key" is unknown'],
  [["toString"], '"toString" is unknown'],
  [["--flag", "x"], '"x" is unknown'],
  [["--flag=x"], "--flag takes no value"],
  [["--folder"], "--folder needs a folder"],
  [["--folder", "--flag"], "--folder needs a folder"],
  [["--folder="], "--folder needs a folder"],
  [["--at", ""], '"" is unknown'],
  [["--folder", "x", "--folder", "y"], "--folder is given twice"],
])("%j is refused", (words, fault) => {
  expect(() => readWords(words, kinds)).toThrow(fault);
});

test("words that belong to no option go to their place, where there is one", () => {
  const plain: string[] = [];
  const words = ["a", "--flag", "b=--c", "--folder", "x", "--at", ":80", "d", ""];
  expect(readWords(words, kinds, plain)).toEqual({ "--flag": [""], "--folder": ["x"], "--at": [":80"] });
  expect(plain).toEqual(["a", "b=--c", "d", ""]);
  for (const word of ["-x", "--port"]) expect(() => readWords([word], kinds, plain)).toThrow(`"${word}" is unknown`);
  expect(() => readWords(["--folder", ""], kinds, plain)).toThrow("--folder needs a folder");
});
