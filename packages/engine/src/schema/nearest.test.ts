import { expect, it } from "vitest";
import { fold, nearest } from "./nearest.js";

it.each([
  ["color", ["colour", "size"], "colour"],
  ["limti", ["limit", "list"], "limit"],
  ["user_name", ["userName", "userNote"], "userName"],
  ["create_tsak", ["create_task", "delete_task"], "create_task"],
  ["zzz", ["limit", "name"], undefined],
  ["", ["a"], undefined],
  ["x", ["y"], undefined],
  ["toString", ["to_string"], "to_string"],
])("the name nearest to %j among %j is %j", (word, known, expected) => {
  expect(nearest(word, known)).toBe(expected);
});

it("nearest does not look at words that are too long to be names", () => {
  expect(nearest("a".repeat(100_000), ["a".repeat(99_999)])).toBeUndefined();
});

it("nearest looks at the first thousand names only", () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `other${index}`);
  expect(nearest("limit", [...names, "limits"])).toBeUndefined();
});

it("fold makes camel, snake and kebab spelling equal", () => {
  expect(["userName", "user_name", "User-Name"].map(fold)).toEqual(["username", "username", "username"]);
});
