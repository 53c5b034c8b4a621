import { describe, expect, test } from "vitest";
import { redactedJson } from "./redact.js";

const redact = (value: unknown): unknown => JSON.parse(redactedJson(value));

describe("redact", () => {
  test.each([
    ["token"],
    ["accessToken"],
    ["client_secret"],
    ["password"],
    ["PASSWD"],
    ["credentials"],
    ["apiKey"],
    ["api_key"],
    ["API-KEY"],
    ["privateKey"],
    ["private-key"],
    ["Authorization"],
    ["connectionString"],
    ["connection_string"],
  ])("says nothing of %s", (name) => {
    expect(redact({ [name]: "value" })).toEqual({ [name]: "[redacted]" });
    expect(redact({ [name]: { deep: ["value"] } })).toEqual({ [name]: "[redacted]" });
  });

  test("looks into objects and lists, and leaves the rest alone", () => {
    expect(redact({ user: "ada", list: [{ secret: 1, n: 2 }], none: null, yes: true })).toEqual({
      user: "ada",
      list: [{ secret: "[redacted]", n: 2 }],
      none: null,
      yes: true,
    });
    expect(redact("password hunter2")).toBe("password hunter2");
    expect(redact(5)).toBe(5);
    expect(redact(null)).toBeNull();
  });

  test("leaves the number of tokens that a model has used", () => {
    expect(redact({ tokens: 5, maxTokens: 9, token: 5 })).toEqual({ tokens: 5, maxTokens: 9, token: "[redacted]" });
  });

  test("tells what JSON cannot write as text, and never fails", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(redact(cyclic)).toBe("[object that JSON cannot write]");
    expect(redact(undefined)).toBeNull();
    expect(redact({ error: new Error("lost"), big: 1n })).toEqual({ error: "lost", big: "1" });
    expect(redact(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
  });

  test("changes nothing in the value it is given", () => {
    const value = { token: "t", nested: { password: "p" } };
    redact(value);
    expect(value).toEqual({ token: "t", nested: { password: "p" } });
  });

  test("keeps members with names that JavaScript treats in its own way", () => {
    const value = JSON.parse('{"__proto__":{"token":"t"},"a":1}') as never;
    expect(redactedJson(value)).toBe('{"__proto__":{"token":"[redacted]"},"a":1}');
  });
});
