import { describe, expect, test } from "vitest";
import { isLogLevel } from "./caller.js";
import { without } from "./description.js";
import { ToolError } from "./outcome.js";

describe("a log level", () => {
  test.each(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"])("is %s", (level) => {
    expect(isLogLevel(level)).toBe(true);
  });

  test.each([["warn"], ["INFO"], [""], [3], [null], [undefined], [["info"]], ["toString"]])("is not %j", (value) => {
    expect(isLogLevel(value)).toBe(false);
  });
});

describe("without", () => {
  test("leaves out the named members and keeps the order of the rest", () => {
    const value = { a: 1, b: 2, c: 3 };
    expect(Object.keys(without(value, "b", "absent"))).toEqual(["a", "c"]);
    expect(value).toEqual({ a: 1, b: 2, c: 3 });
  });

  test("gives a copy even where nothing is left out", () => {
    const value = { a: 1 };
    expect(without(value)).toEqual({ a: 1 });
    expect(without(value)).not.toBe(value);
  });
});

describe("a ToolError", () => {
  test("is an error with words for the model, and details where given", () => {
    const bare = new ToolError("No such file.");
    expect(bare).toBeInstanceOf(Error);
    expect(bare).toMatchObject({ name: "ToolError", message: "No such file.", code: undefined, details: {} });
    expect(new ToolError("x", { code: "GONE", details: { path: "/a" } })).toMatchObject({
      code: "GONE",
      details: { path: "/a" },
    });
  });
});
