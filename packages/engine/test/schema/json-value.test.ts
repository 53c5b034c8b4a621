import { expect, it } from "vitest";
import { canonicalJson } from "../../src/jsonrpc/messages.js";
import { isMultiple } from "../../src/schema/compile-types.js";
import { deepCopy, setOwn } from "../../src/schema/json-value.js";

it.each([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [1, 1.0, true],
  [0, false, false],
  [{}, [], false],
  [null, {}, false],
  [{ a: undefined }, { b: undefined }, false],
])("canonicalJson is the same for %j and %j: %j", (left, right, expected) => {
  expect(canonicalJson(left) === canonicalJson(right)).toBe(expected);
});

it.each([
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [0.35, 0.1, false],
  [1e308, 0.123456789, false],
  [12_391_239_123, 1e-8, true],
  [7, 2, false],
  [-4.5, 1.5, true],
])("%d is a multiple of %d: %j", (value, factor, expected) => {
  expect(isMultiple(value, factor)).toBe(expected);
});

it("setOwn and deepCopy treat __proto__ as an ordinary name", () => {
  const object = {};
  setOwn(object, "__proto__", { polluted: true });
  expect(Object.keys(object)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  expect(JSON.stringify(deepCopy(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
});

it("canonicalJson does not depend on the order of keys", () => {
  expect(canonicalJson({ b: [1, "x"], a: null })).toBe('{"a":null,"b":[1,"x"]}');
});
