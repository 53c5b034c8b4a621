import { describe, expect, test } from "vitest";
import { headerFault } from "./header-names.js";

const on = (property: object, more: object = {}) =>
  headerFault({ type: "object", properties: { a: property }, ...more } as never);

describe("a schema's header names", () => {
  test("are right on plain properties, nested as deep as one likes", () => {
    expect(headerFault({ type: "object" })).toBeUndefined();
    expect(on({ type: "string", "x-mcp-header": "Region" })).toBeUndefined();
    expect(on({ type: "object", properties: { b: { type: "integer", "x-mcp-header": "Deep" } } })).toBeUndefined();
  });

  test("are told apart without regard to case", () => {
    const twice = { b: { type: "boolean", "x-mcp-header": "REGION" } };
    expect(headerFault({ properties: { a: { type: "string", "x-mcp-header": "Region" }, ...twice } })).toBe(
      'x-mcp-header "REGION" is used twice',
    );
  });

  test.each([[""], ["a b"], ["é"], ["a\r\nX: y"], [5], [null], [{}]])("must be tokens: %j", (name) => {
    expect(on({ type: "string", "x-mcp-header": name })).toBe(
      `x-mcp-header ${JSON.stringify(name)} is not an HTTP token`,
    );
  });

  test("need a type that fits into a header", () => {
    expect(on({ type: "number", "x-mcp-header": "N" })).toBe('x-mcp-header "N" needs a string, integer or boolean');
    expect(on({ "x-mcp-header": "N" })).toBe('x-mcp-header "N" needs a string, integer or boolean');
  });

  test("cannot stand where a reader must choose or count", () => {
    const header = { type: "string", "x-mcp-header": "H" };
    const fault = 'x-mcp-header "H" must be reached through properties alone';
    expect(on({ type: "array", items: header })).toBe(fault);
    expect(on({ oneOf: [header] })).toBe(fault);
    expect(on({}, { else: { properties: { b: header } } })).toBe(fault);
    expect(on({}, { $defs: { h: header } })).toBe(fault);
    expect(on({ type: "array", items: { type: "object", properties: { b: header } } })).toBe(fault);
  });

  test("are not looked for in values", () => {
    const value = { "x-mcp-header": "not a token" };
    expect(on({ const: value })).toBeUndefined();
    expect(on({ enum: [value] })).toBeUndefined();
    expect(on({ default: value, examples: [value] })).toBeUndefined();
  });
});
