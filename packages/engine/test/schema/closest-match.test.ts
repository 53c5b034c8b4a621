import { expect, it } from "vitest";
import { closestMatch, normalizeName } from "../../src/schema/closest-match.js";

it.each([
  ["color", ["colour", "size"], "colour"],
  ["limti", ["limit", "list"], "limit"],
  ["user_name", ["userName", "userNote"], "userName"],
  ["create_tsak", ["create_task", "delete_task"], "create_task"],
  ["zzz", ["limit", "name"], undefined],
  ["", ["a"], undefined],
  ["x", ["y"], undefined],
  ["toString", ["to_string"], "to_string"],
])("the closest match of %j among %j is %j", (word, known, expected) => {
  expect(closestMatch(word, known)).toBe(expected);
});

it("closestMatch ignores words that are too long to be names", () => {
  expect(closestMatch("a".repeat(100_000), ["a".repeat(99_999)])).toBeUndefined();
});

it("closestMatch compares the first thousand candidates only", () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `other${index}`);
  expect(closestMatch("limit", [...names, "limits"])).toBeUndefined();
});

it("normalizeName makes camel, snake and kebab spelling equal", () => {
  expect(["userName", "user_name", "User-Name"].map(normalizeName)).toEqual(["username", "username", "username"]);
});
