import { type Tool, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const withInput = (properties: object, more: object = {}): Tool =>
  tool({
    name: "mirrored",
    description: "Has headers.",
    input: { type: "object", properties, ...more },
    run: (input) => JSON.stringify(input),
  });
const header = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name });
const define = (properties: object, more?: object) => () => serverWith([withInput(properties, more)]);

describe("an x-mcp-header", () => {
  test.each([["Region"], ["x"], ["Tenant-Id"], ["a1!#$%&'*+.^_`|~-"]])("may be the token %s [HDR-07]", (name) => {
    expect(define({ a: header(name) })).not.toThrow();
  });

  test.each([[""], ["two words"], ["a:b"], ["naïve"], ["a\nb"], ["(a)"], [7], [null], [["a"]]])(
    "that is not a token is rejected: %j [HDR-07]",
    (name) => {
      expect(define({ a: header(name) })).toThrow(
        new TypeError(`Cannot register tool "mirrored": x-mcp-header ${JSON.stringify(name)} is not an HTTP token`),
      );
    },
  );

  test("that is used twice, ignoring case, is rejected [HDR-07]", () => {
    expect(define({ a: header("Region"), b: header("region") })).toThrow(
      new TypeError('Cannot register tool "mirrored": x-mcp-header "region" is used twice'),
    );
    const nested = { type: "object", properties: { b: header("REGION") } };
    expect(define({ a: header("Region"), nested })).toThrow('x-mcp-header "REGION" is used twice');
  });

  test("is allowed on strings, integers and booleans, also nested [HDR-08]", () => {
    const nested = { type: "object", properties: { deep: { type: "object", properties: { b: header("B") } } } };
    expect(define({ a: header("A"), i: header("I", "integer"), o: header("O", "boolean"), nested })).not.toThrow();
  });

  test.each([["number"], ["object"], ["array"], ["null"], [["string", "null"]], [undefined]])(
    "on another type is rejected: %j [HDR-08]",
    (type) => {
      const property = type === undefined ? { "x-mcp-header": "A" } : header("A", type);
      expect(define({ a: property })).toThrow(
        new TypeError('Cannot register tool "mirrored": x-mcp-header "A" needs a string, integer or boolean'),
      );
    },
  );

  test.each([
    ["items", { list: { type: "array", items: header("A") } }, {}],
    ["prefixItems", { list: { type: "array", prefixItems: [header("A")] } }, {}],
    ["anyOf", { a: { anyOf: [header("A"), { type: "integer" }] } }, {}],
    ["allOf", {}, { allOf: [{ properties: { a: header("A") } }] }],
    ["if", {}, { if: { properties: { a: header("A") } } }],
    ["$defs", { a: { $ref: "#/$defs/a" } }, { $defs: { a: header("A") } }],
    ["patternProperties", {}, { patternProperties: { "^a": header("A") } }],
    ["additionalProperties", {}, { additionalProperties: header("A") }],
    ["not", { a: { not: header("A") } }, {}],
  ])("inside %s is rejected [HDR-08]", (_keyword, properties, more) => {
    expect(define(properties, more)).toThrow(
      new TypeError('Cannot register tool "mirrored": x-mcp-header "A" must be reached through properties alone'),
    );
  });

  test("at the root is rejected [HDR-08]", () => {
    expect(define({}, { "x-mcp-header": "A" })).toThrow('x-mcp-header "A" needs a string, integer or boolean');
  });

  test("that is the name of a property or part of a value is ignored [HDR-08]", () => {
    expect(define({ "x-mcp-header": { type: "string" } })).not.toThrow();
    expect(define({ a: { type: "object", default: { "x-mcp-header": "two words" } } })).not.toThrow();
    expect(define({ a: { enum: [{ "x-mcp-header": 7 }] } })).not.toThrow();
  });
});

everyRevision("without HTTP no header is required, in any revision [HDR-15]", async (open) => {
  const client = await open(serverWith([withInput({ region: header("Region") })]));
  expect(await client.callTool("mirrored", { region: "eu" })).toMatchObject({
    content: [{ text: '{"region":"eu"}' }],
    isError: false,
  });
  expect((await client.listTools())[0]?.["inputSchema"]).toMatchObject({
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
  });
});
