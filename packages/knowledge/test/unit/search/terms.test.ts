import { expect, test } from "vitest";
import { eachToken } from "../../../src/search/terms.js";

function tokensOf(text: string): string[] {
  const found: string[] = [];
  eachToken(text, (start, end, { terms }, kind) =>
    found.push(`${text.slice(start, end)}${kind === "word" ? "" : `/${kind}`}: ${terms.join(" ")}`),
  );
  return found;
}

test.each([
  ["The wings' flutter", ["The: ", "wings: wing", "flutter: flutter"]],
  ["Ann’s and Bob's", ["Ann: ann", "and: ", "Bob: bob"]],
  ["readFile read_file", ["readFile: readfil read file", "read_file: read_file read file"]],
  ["HTTPServer __init__ isOn", ["HTTPServer: httpserver http server", "__init__: init", "isOn: ison"]],
  ["state-of-the-art", ["state: state", "of: ", "the: ", "art: art"]],
  ["1,000,000 3.14 v2.4.0 12:30", ["1,000,000: 1000000", "3.14: 3.14", "v2: v2", "4.0: 4.0", "12: 12", "30: 30"]],
  ["Ça, naïve ﬁn", ["Ça: ca", "naïve: naiv", "ﬁn: fin"]],
  ["日本語", ["日/single: 日", "日本/pair: 日本", "本/single: 本", "本語/pair: 本語", "語/single: 語"]],
  ["iPhone版", ["iPhone: iphon phone", "版: 版"]],
  ["😀 ok 𠮷", ["ok: ok", "𠮷: 𠮷"]],
  ["\ud800x", ["x: x"]],
  ["Donau\u00addampf", ["Donau\u00addampf: donaudampf"]],
  ["wing\u200bs of\u2060 \ufeffthe air\u00ad", ["wing\u200bs: wing", "of: ", "the: ", "air: air"]],
  ["t\u00adhe read\u200bFile", ["t\u00adhe: ", "read\u200bFile: readfil read file"]],
  ["日\u200b本", ["日/single: 日", "日\u200b本/pair: 日本", "本/single: 本"]],
  ["ab\u200b版", ["ab\u200b: ab", "版: 版"]],
])("%j has the words %j", (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens);
});

test("a word that is very long is known by its beginning", () => {
  expect(tokensOf("x".repeat(1000))[0]).toBe(`${"x".repeat(1000)}: ${"x".repeat(64)}`);
});
