import { describe, expect, test } from "vitest";
import { expandScopes, readScopes, scopesFault, uniteScopes } from "./scopes.js";

describe("scopes", () => {
  const covers = new Map([
    ["admin", ["write", "audit"]],
    ["write", ["read"]],
    ["read", ["write"]],
  ]);

  test("include what the granted ones include, over several steps and in circles [AUTH-07]", () => {
    expect([...expandScopes(["admin"], covers)].sort()).toEqual(["admin", "audit", "read", "write"]);
    expect([...expandScopes(["read"], covers)].sort()).toEqual(["read", "write"]);
    expect([...expandScopes(["other"], covers)]).toEqual(["other"]);
  });

  test("of a token are read from scope or scp, as text or a list", () => {
    expect(readScopes({ scope: "read  write" })).toEqual(["read", "write"]);
    expect(readScopes({ scp: "read write" })).toEqual(["read", "write"]);
    expect(readScopes({ scp: ["read", 7, "write"] })).toEqual(["read", "write"]);
    expect(readScopes({ scope: ["read"] })).toEqual(["read"]);
    expect(readScopes({ scope: 7 })).toEqual([]);
    expect(readScopes({})).toEqual([]);
  });

  test("are shown once each, in their order, and never offline_access [AUTH-08]", () => {
    expect(uniteScopes(["read", "write"], new Set(["admin", "read", "offline_access"]))).toEqual([
      "read",
      "write",
      "admin",
    ]);
  });

  test.each([
    ["read", "must be a list of scopes"],
    [["two words"], 'has "two words", which is no scope: printable ASCII without spaces'],
    [['"'], 'has "\\"", which is no scope: printable ASCII without spaces'],
    [[7], "has 7, which is no scope: printable ASCII without spaces"],
    [["*"], 'has "*"; name the scopes that are needed'],
    [["offline_access"], "has offline_access, which clients ask for by themselves"],
    [["mcp:read", "files.write", "https://x.example/all"], undefined],
  ])("%j is judged", (scopes, fault) => {
    expect(scopesFault(scopes)).toBe(fault);
  });
});
