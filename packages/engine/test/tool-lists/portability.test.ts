import { checkPortability } from "@toolwright/engine/testing";
import { expect, test } from "vitest";

const EMPTY = { type: "object", properties: {} };
const listed = (inputSchema: object, name = "look", description = "Looks.") =>
  [{ name, description, inputSchema: inputSchema as never }] as const;
const short = (tools: Parameters<typeof checkPortability>[0]) =>
  checkPortability(tools).map(({ vendor, problem, corrected }) => [vendor, problem, corrected]);

test("a tool that every vendor accepts has no issues", () => {
  expect(checkPortability(listed({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }))).toEqual(
    [],
  );
});

test("a union at the root is rejected by every vendor, and corrected for all", () => {
  const tools = listed({ type: "object", properties: {}, oneOf: [{ required: ["a"] }, { required: ["b"] }] });
  expect(checkPortability(tools)[0]).toEqual({
    tool: "look",
    vendor: "Anthropic",
    problem: "has oneOf at the root of its input schema",
    advice: "Put all properties at the root, and say in the description which of them belong together.",
    corrected: true,
  });
  expect(checkPortability(tools).map(({ vendor }) => vendor)).toEqual([
    "Anthropic",
    "OpenAI",
    "Google",
    "VS Code",
    "Cursor",
  ]);
});

test("each problem is reported for the vendors that reject it", () => {
  expect(short(listed({ type: "object", properties: { a: { type: "array" } } }))).toEqual([
    ["OpenAI", "has an array without items", true],
    ["Google", "has an array without items", true],
    ["VS Code", "has an array without items", true],
    ["Cursor", "has an array without items", true],
  ]);
  expect(short(listed({ ...EMPTY, $schema: "http://json-schema.org/draft-07/schema#" }))).toEqual([
    ["Google", "has $schema in its input schema", true],
  ]);
  expect(short(listed({ type: "object" }))).toEqual([["OpenAI", "has no properties in its input schema", true]]);
  expect(short(listed({ type: "object", properties: { "a b": {} } }))).toEqual([
    ["Anthropic", 'has the property "a b"', false],
  ]);
});

test("a schema without a root type is reported, and a recursive reference is not corrected", () => {
  expect(short(listed({ properties: {} }))[0]).toEqual([
    "Anthropic",
    'has an input schema whose root is not of type "object"',
    true,
  ]);
  const levels = Array.from({ length: 16 }, (_, level) => [
    `d${level}`,
    { properties: { l: { $ref: `#/$defs/d${level + 1}` }, r: { $ref: `#/$defs/d${level + 1}` } } },
  ]);
  const $defs = Object.fromEntries(levels);
  expect(short(listed({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }))).toEqual([
    ["Google", "has references ($ref) in its input schema", false],
    ["VS Code", "has references ($ref) in its input schema", false],
    ["Cursor", "has references ($ref) in its input schema", false],
  ]);
});

test("names that some vendors reject are reported", () => {
  expect(short(listed(EMPTY, "files.read"))).toEqual([
    ["Anthropic", "has a name with characters other than A-Z a-z 0-9 _ -", false],
    ["OpenAI", "has a name with characters other than A-Z a-z 0-9 _ -", false],
  ]);
  expect(short(listed(EMPTY, "7zip"))).toEqual([["Google", "has a name that does not begin with a letter", false]]);
  expect(short(listed(EMPTY, "a".repeat(48)))).toEqual([]);
  expect(short(listed(EMPTY, "a".repeat(49)))[0]).toEqual([
    "Anthropic",
    "has a name of 49 characters, which may exceed 64 with the prefix that clients put before it",
    false,
  ]);
  expect(short(listed(EMPTY, "a".repeat(65)))[1]).toEqual([
    "OpenAI",
    "has a name of 65 characters; 64 are allowed",
    false,
  ]);
});

test("descriptions that are too long are reported", () => {
  expect(short(listed(EMPTY, "look", "a".repeat(1024)))).toEqual([]);
  expect(short(listed(EMPTY, "look", "a".repeat(2049)))).toEqual([
    ["OpenAI", "has a description of 2049 characters; 1024 are allowed", false],
    ["Anthropic", "has a description of 2049 characters; Claude Code truncates it at 2048", false],
  ]);
});
