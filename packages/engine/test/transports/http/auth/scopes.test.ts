import { describe, expect, test } from "vitest";
import { expandScopes, mergeScopes } from "../../../../src/transports/http/auth/options.js";
import { parseScopes } from "../../../../src/transports/http/auth/token-verifier.js";

describe("scopes", () => {
  const impliedScopes = new Map([
    ["admin", ["write", "audit"]],
    ["write", ["read"]],
    ["read", ["write"]],
  ]);

  test("include implied scopes, over several steps and in cycles [AUTH-07]", () => {
    expect([...expandScopes(["admin"], impliedScopes)].sort()).toEqual(["admin", "audit", "read", "write"]);
    expect([...expandScopes(["read"], impliedScopes)].sort()).toEqual(["read", "write"]);
    expect([...expandScopes(["other"], impliedScopes)]).toEqual(["other"]);
  });

  test("of a token are parsed from scope or scp, as a string or a list", () => {
    expect(parseScopes({ scope: "read  write" })).toEqual(["read", "write"]);
    expect(parseScopes({ scp: "read write" })).toEqual(["read", "write"]);
    expect(parseScopes({ scp: ["read", 7, "write"] })).toEqual(["read", "write"]);
    expect(parseScopes({ scope: ["read"] })).toEqual(["read"]);
    expect(parseScopes({ scope: 7 })).toEqual([]);
    expect(parseScopes({})).toEqual([]);
  });

  test("are merged in order without duplicates and offline_access [AUTH-08]", () => {
    expect(mergeScopes(["read", "write"], new Set(["admin", "read", "offline_access"]))).toEqual([
      "read",
      "write",
      "admin",
    ]);
  });
});
