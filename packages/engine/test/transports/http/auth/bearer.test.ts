import { describe, expect, test } from "vitest";
import { formatChallenge, parseBearerToken } from "../../../../src/transports/http/auth/authenticator.js";
import { isTokenSyntax } from "../../../../src/transports/http/auth/options.js";

describe("the Authorization header", () => {
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
  ])("%j contains %j", (header, token) => {
    expect(parseBearerToken(header)).toBe(token);
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
  ])("has a token in %j: %j", (text, isToken) => {
    expect(isTokenSyntax(text)).toBe(isToken);
  });
});

describe("a challenge", () => {
  test("quotes its parameters and replaces characters that would end them", () => {
    expect(
      formatChallenge({
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

  test("without parameters has a realm", () => {
    expect(formatChallenge({ scopes: [], metadataUrl: undefined })).toBe('Bearer realm="mcp"');
  });
});
