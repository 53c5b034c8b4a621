import { describe, expect, test } from "vitest";
import { isToken, readBearer, writeChallenge } from "./bearer.js";

describe("the header Authorization", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["Basic YTpi", undefined],
    ["Bearerabc", undefined],
    ["Bearer abc", "abc"],
    ["bearer   abc ", "abc"],
    ["BEARER abc", "abc"],
    ["Bearer", ""],
    ["Bearer,abc", ",abc"],
  ])("%j has %j", (header, given) => {
    expect(readBearer(header)).toBe(given);
  });

  test.each([
    ["abc.def-ghi_~+/==", true],
    ["", false],
    ["a b", false],
    ["a, Bearer b", false],
    [",abc", false],
    ["ünï", false],
    ["=abc", false],
    ["a=b", false],
  ])("has a token where it says %j: %j", (text, is) => {
    expect(isToken(text)).toBe(is);
  });
});

describe("a challenge", () => {
  test("has its parts in quotes, and nothing that could end them", () => {
    expect(
      writeChallenge({
        error: "invalid_token",
        description: 'The "token"\r\nis \\bad – really.',
        scopes: ["read", "write"],
        metadataUrl: "https://a.example/.well-known/oauth-protected-resource/mcp",
      }),
    ).toBe(
      `Bearer error="invalid_token", error_description="The 'token'''is 'bad ' really.", scope="read write", ` +
        'resource_metadata="https://a.example/.well-known/oauth-protected-resource/mcp"',
    );
  });

  test("that has nothing to say names the realm", () => {
    expect(writeChallenge({ scopes: [], metadataUrl: undefined })).toBe('Bearer realm="mcp"');
  });
});
