import { describe, expect, test } from "vitest";
import { omit } from "../../src/jsonrpc/messages.js";
import { ToolError } from "../../src/protocol/outcome.js";
import { isLogLevel } from "../../src/protocol/types.js";

describe("a log level", () => {
  test.each(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"])("is %s", (level) => {
    expect(isLogLevel(level)).toBe(true);
  });

  test.each([["warn"], ["INFO"], [""], [3], [null], [undefined], [["info"]], ["toString"]])("is not %j", (value) => {
    expect(isLogLevel(value)).toBe(false);
  });
});

describe("omit", () => {
  test("removes the named members and keeps the order", () => {
    const value = { a: 1, b: 2, c: 3 };
    expect(Object.keys(omit(value, "b", "absent"))).toEqual(["a", "c"]);
    expect(value).toEqual({ a: 1, b: 2, c: 3 });
  });

  test("copies even if nothing is removed", () => {
    const value = { a: 1 };
    expect(omit(value)).toEqual({ a: 1 });
    expect(omit(value)).not.toBe(value);
  });
});

describe("a ToolError", () => {
  test("has a message, and optionally a code and details", () => {
    const bare = new ToolError("No such file.");
    expect(bare).toBeInstanceOf(Error);
    expect(bare).toMatchObject({ name: "ToolError", message: "No such file.", code: undefined, details: {} });
    expect(new ToolError("x", { code: "GONE", details: { path: "/a" } })).toMatchObject({
      code: "GONE",
      details: { path: "/a" },
    });
  });
});
