import { describe, expect, test } from "vitest";
import { headerAnnotationIssue } from "../../src/server/features/mirrored-headers.js";

const on = (property: object, more: object = {}) =>
  headerAnnotationIssue({ type: "object", properties: { a: property }, ...more } as never);

describe("x-mcp-header in a schema", () => {
  test("is allowed on properties at any depth", () => {
    expect(headerAnnotationIssue({ type: "object" })).toBeUndefined();
    expect(on({ type: "string", "x-mcp-header": "Region" })).toBeUndefined();
    expect(on({ type: "object", properties: { b: { type: "integer", "x-mcp-header": "Deep" } } })).toBeUndefined();
  });

  test("must be unique, ignoring case", () => {
    const twice = { b: { type: "boolean", "x-mcp-header": "REGION" } };
    expect(headerAnnotationIssue({ properties: { a: { type: "string", "x-mcp-header": "Region" }, ...twice } })).toBe(
      'x-mcp-header "REGION" is used twice',
    );
  });

  test.each([[""], ["a b"], ["é"], ["a\r\nX: y"], [5], [null], [{}]])("must be a token, not %j", (name) => {
    expect(on({ type: "string", "x-mcp-header": name })).toBe(
      `x-mcp-header ${JSON.stringify(name)} is not an HTTP token`,
    );
  });

  test("requires a string, integer or boolean", () => {
    expect(on({ type: "number", "x-mcp-header": "N" })).toBe('x-mcp-header "N" needs a string, integer or boolean');
    expect(on({ "x-mcp-header": "N" })).toBe('x-mcp-header "N" needs a string, integer or boolean');
  });

  test("is not allowed inside arrays, unions and references", () => {
    const header = { type: "string", "x-mcp-header": "H" };
    const fault = 'x-mcp-header "H" must be reached through properties alone';
    expect(on({ type: "array", items: header })).toBe(fault);
    expect(on({ oneOf: [header] })).toBe(fault);
    expect(on({}, { else: { properties: { b: header } } })).toBe(fault);
    expect(on({}, { $defs: { h: header } })).toBe(fault);
    expect(on({ type: "array", items: { type: "object", properties: { b: header } } })).toBe(fault);
  });

  test("is ignored inside values such as const and default", () => {
    const value = { "x-mcp-header": "not a token" };
    expect(on({ const: value })).toBeUndefined();
    expect(on({ enum: [value] })).toBeUndefined();
    expect(on({ default: value, examples: [value] })).toBeUndefined();
  });
});
