import { expect, test } from "vitest";
import { readJsonc } from "../../../src/config/jsonc.js";

test.each([
  ["{}", {}],
  ["[1, 2.5e3, -0.5, true, false, null]", [1, 2500, -0.5, true, false, null]],
  ['{ "a": { "b": ["c", "\\u0064\\n"] } }', { a: { b: ["c", "d\n"] } }],
  ['// first\n{ /* second\n */ "a": 1, // third\n "b": [1, 2,], }\n// last', { a: 1, b: [1, 2] }],
  ['{ "a": "// no comment, /* neither */" }', { a: "// no comment, /* neither */" }],
  ['\uFEFF{ "a": 1 }\r\n', { a: 1 }],
  ['{ "__proto__": 1 }', JSON.parse('{ "__proto__": 1 }')],
])("%j is read", (text, value) => {
  expect(readJsonc(text).value).toEqual(value);
});

test("every member knows its line", () => {
  const { members } = readJsonc('{\n  "a": 1,\n  // between\n  "b": {\n    "c": 2\n  }\n}');
  expect(members).toMatchObject([
    { name: "a", line: 2 },
    { name: "b", line: 4, members: [{ name: "c", line: 5, value: 2 }] },
  ]);
});

test.each([
  ["", 1, 1, "a value must be here, not the end"],
  ["{", 1, 2, "a name in double quotes must be here, not the end"],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma or } must be here, not a text"],
  ['{\n  "a" 1\n}', 2, 7, "a colon must be here, not something else"],
  ['{ "a": }', 1, 8, "a value must be here, not }"],
  ['{ "a": hunter2 }', 1, 8, "this is no value; texts need double quotes"],
  ['{ "a": 01 }', 1, 8, "this is no value; texts need double quotes"],
  ['{ "a": "b\n" }', 1, 8, "the text that begins here has no end in this line"],
  ['{ "a": "\\x" }', 1, 8, "the text that begins here has a sign or an escape that JSON does not have"],
  ["{ 'a': 1 }", 1, 3, "a name in double quotes must be here, not something else"],
  ["[1,, 2]", 1, 4, "a value must be here, not ,"],
  ["{} {}", 1, 4, "nothing may follow the end, and { does"],
  ["{ /* \n }", 1, 3, "the comment that begins here has no end"],
  ["[".repeat(100), 1, 66, "there are too many values within each other"],
])("%j is refused at %i:%i", (text, line, column, message) => {
  expect(() => readJsonc(text)).toThrow(expect.objectContaining({ line, column, message }));
});
