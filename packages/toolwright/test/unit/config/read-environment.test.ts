import { expect, test } from "vitest";
import { readEnvironment } from "../../../src/config/read-environment.js";
import { createTable } from "../../../src/config/settings.js";

const read = (env: Record<string, string>) => readEnvironment(env, createTable(["basics"]));

test.each([
  ["TOOLWRIGHT_STDIO", "true", "stdio", true],
  ["TOOLWRIGHT_HTTP", "true", "http.listen", true],
  ["TOOLWRIGHT_HTTP", "false", "http.listen", false],
  ["TOOLWRIGHT_HTTP", "0.0.0.0:80", "http.listen", "0.0.0.0:80"],
  ["TOOLWRIGHT_HTTP_ALLOWED_HOSTS", "a.example, b.example", "http.allowedHosts", ["a.example", "b.example"]],
  ["TOOLWRIGHT_HTTP_ALLOWED_HOSTS", '["a,b"]', "http.allowedHosts", ["a,b"]],
  ["TOOLWRIGHT_HTTP_ALLOWED_HOSTS", "", "http.allowedHosts", []],
  ["TOOLWRIGHT_LIMITS_CALL_TIMEOUT_MS", "500", "limits.callTimeoutMs", 500],
  ["TOOLWRIGHT_HTTP_LIMITS_SESSIONS", "5", "http.limits.sessions", 5],
  ["TOOLWRIGHT_PACKS_BASICS", "false", "packs.basics", false],
  ["TOOLWRIGHT_PACKS_BASICS", '{"a":1}', "packs.basics", { a: 1 }],
  ["TOOLWRIGHT_API_KEY", "123", "auth.apiKey", "123"],
])("%s=%s", (name, text, key, value) => {
  expect(read({ [name]: text, HOME: "/", TOOLWRIGHT_CONFIG: "x" })).toEqual({
    values: [{ key, value, source: { from: "environment", at: name } }],
    faults: [],
  });
});

test("reports all errors at once", () => {
  const { values, faults } = read({
    TOOLWRIGHT_HTP: "80",
    TOOLWRIGHT_CONFG: "x",
    TOOLWRIGHT_COLOUR: "blue",
    TOOLWRIGHT_STDIO: "yes",
    TOOLWRIGHT_LIMITS_PAGE_SIZE: "many",
    TOOLWRIGHT_REDACT_VALUES: "abc,hunter2",
  });
  expect(values).toEqual([]);
  expect(faults).toEqual([
    "TOOLWRIGHT_HTP is unknown; did you mean TOOLWRIGHT_HTTP?",
    "TOOLWRIGHT_CONFG is unknown; did you mean TOOLWRIGHT_CONFIG?",
    "TOOLWRIGHT_COLOUR is unknown",
    'TOOLWRIGHT_STDIO must be true or false, not "yes"',
    'TOOLWRIGHT_LIMITS_PAGE_SIZE must be a whole number above 0, not "many"',
    "TOOLWRIGHT_REDACT_VALUES must be a list, each of it a text of four characters or more",
  ]);
});
