import { expect, test } from "vitest";
import { NAME_CASES } from "../../src/rendering/filters.js";

const spelled = (name: string): string[] => Object.values(NAME_CASES).map((change) => change(name));

test.each([
  ["my-tool", ["my_tool", "my-tool", "MyTool", "myTool", "MY_TOOL", "My Tool"]],
  ["HTTPServer2", ["http_server2", "http-server2", "HttpServer2", "httpServer2", "HTTP_SERVER2", "Http Server2"]],
  ["  two words ", ["two_words", "two-words", "TwoWords", "twoWords", "TWO_WORDS", "Two Words"]],
  ["Über_größe", ["über_größe", "über-größe", "ÜberGröße", "überGröße", "ÜBER_GRÖSSE", "Über Größe"]],
  ["--", ["", "", "", "", "", ""]],
])("%j is spelled in each case", (name, spellings) => {
  expect(spelled(name)).toEqual(spellings);
});
