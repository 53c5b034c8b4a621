import { describe, expect, test } from "vitest";
import { createPathMatcher } from "../../../src/files/access-policy.js";

const ROOTS = [
  { configuredPath: "/tmp/one", realPath: "/private/tmp/one" },
  { configuredPath: "/two", realPath: "/two" },
];

describe("what the settings hide", () => {
  const cases: readonly (readonly [glob: string, place: string, hidden: boolean])[] = [
    ["**/.env", "/two/.env", true],
    ["**/.env", "/private/tmp/one/a/b/.env", true],
    ["**/.env", "/two/.env/inside", true],
    ["**/.env", "/two/.env.example", false],
    ["**/.env", "/two/.ENV", true],
    ["**/.env", "/elsewhere/.env", false],
    [".env", "/two/a/.env", true],
    ["secrets", "/two/secrets/a/b", true],
    ["secrets/", "/two/secrets/a", true],
    ["./secrets", "/two/secrets", true],
    ["/secrets", "/two/secrets", true],
    ["secrets/**", "/two/secrets", true],
    ["a/secrets", "/two/a/secrets/x", true],
    ["a/secrets", "/two/b/secrets/x", false],
    ["/tmp/one/keys", "/private/tmp/one/keys", true],
    ["/private/tmp/one/keys", "/private/tmp/one/keys", true],
    ["*.pem", "/two/deep/down/key.pem", true],
    ["*.pem", "/two/key.pem.txt", false],
    ["caf\u00e9", "/two/cafe\u0301", true],
    ["{a,b}/*.key", "/two/b/x.key", true],
  ];
  test.each(cases)("%s, %s: %s", async (glob, place, hidden) => {
    expect((await createPathMatcher([glob], ROOTS))(place)).toBe(hidden);
  });

  test("is nothing where nothing is said", async () => {
    expect((await createPathMatcher([], ROOTS))("/two/.env")).toBe(false);
  });
});
