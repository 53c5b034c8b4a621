import { portability } from "@toolwright/engine/testing";
import { expect, test } from "vitest";

const EMPTY = { type: "object", properties: {} };
const listed = (inputSchema: object, name = "look", description = "Looks.") =>
  [{ name, description, inputSchema: inputSchema as never }] as const;
const short = (tools: Parameters<typeof portability>[0]) =>
  portability(tools).map(({ vendor, fault, mended }) => [vendor, fault, mended]);

test("a tool that every client takes gets no verdict", () => {
  expect(portability(listed({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }))).toEqual([]);
});

test("a union at the root is refused by everyone, and mended for everyone", () => {
  const tools = listed({ type: "object", properties: {}, oneOf: [{ required: ["a"] }, { required: ["b"] }] });
  expect(portability(tools)[0]).toEqual({
    tool: "look",
    vendor: "Anthropic",
    fault: "has oneOf at the root of its input schema",
    advice: "Put all properties at the root, and say in the description which of them go together.",
    mended: true,
  });
  expect(portability(tools).map(({ vendor }) => vendor)).toEqual([
    "Anthropic",
    "OpenAI",
    "Google",
    "VS Code",
    "Cursor",
  ]);
});

test("each fault is told for the vendors that refuse it", () => {
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

test("a schema without a type at its root is told, and a reference that cannot be written out is not mended", () => {
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

test("names that do not reach every model are told", () => {
  expect(short(listed(EMPTY, "files.read"))).toEqual([
    ["Anthropic", "has a name with other characters than A-Z a-z 0-9 _ -", false],
    ["OpenAI", "has a name with other characters than A-Z a-z 0-9 _ -", false],
  ]);
  expect(short(listed(EMPTY, "7zip"))).toEqual([["Google", "has a name that does not begin with a letter", false]]);
  expect(short(listed(EMPTY, "a".repeat(48)))).toEqual([]);
  expect(short(listed(EMPTY, "a".repeat(49)))[0]).toEqual([
    "Anthropic",
    "has a name of 49 characters, which may pass 64 with the prefix that clients put before it",
    false,
  ]);
  expect(short(listed(EMPTY, "a".repeat(65)))[1]).toEqual([
    "OpenAI",
    "has a name of 65 characters; 64 are allowed",
    false,
  ]);
});

test("descriptions that are too long are told", () => {
  expect(short(listed(EMPTY, "look", "a".repeat(1024)))).toEqual([]);
  expect(short(listed(EMPTY, "look", "a".repeat(2049)))).toEqual([
    ["OpenAI", "has a description of 2049 characters; 1024 are allowed", false],
    ["Anthropic", "has a description of 2049 characters; Claude Code cuts it at 2048", false],
  ]);
});
