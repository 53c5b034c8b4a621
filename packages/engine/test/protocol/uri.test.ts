import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasPathTraversal, normalizeUri, parentUris } from "../../src/protocol/uri.js";

describe("normalizeUri", () => {
  test.each([
    ["FILE:///Docs/A.txt", "file:///Docs/A.txt"],
    ["HTTP://User:Pw@Example.COM:80/A?B=C#D", "http://User:Pw@example.com:80/A?B=C#D"],
    ["http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"],
    ["http://[v7.A:b]/", "http://[v7.a:b]/"],
    ["http://%c3%89X/", "http://%C3%89x/"],
    ["x://h/%7euser%2fa%3a", "x://h/~user%2Fa%3A"],
    ["x://h/%41%2d%5f?%42#%43", "x://h/A-_?B#C"],
    ["x://h/%2541", "x://h/%2541"],
    ["x://h/%FF", "x://h/%FF"],
    ["x://h/é€😀?ü#ß", "x://h/%C3%A9%E2%82%AC%F0%9F%98%80?%C3%BC#%C3%9F"],
    ["x://h/./a/./b/.", "x://h/a/b/"],
    ["x://h/%2e/a/%2E", "x://h/a/"],
    ["x://h/a//b", "x://h/a//b"],
    ["x://h/.a/b./...", "x://h/.a/b./..."],
    ["x:./a", "x:a"],
    ["x:/.//a", "x:/.//a"],
    ["x:./a/.", "x:a/"],
    ["http://Example.com", "http://example.com"],
    ["http://example.com?q", "http://example.com?q"],
    ["x://", "x://"],
    ["URN:ISBN:0-395", "urn:ISBN:0-395"],
    ["mailto:a..b@example.com", "mailto:a..b@example.com"],
    ["x://h/a?../b#../c", "x://h/a?../b#../c"],
    ["x://h/!$&'()*+,;=:@?/?", "x://h/!$&'()*+,;=:@?/?"],
  ])("normalizes %s to %s", (uri, normal) => {
    expect(normalizeUri(uri)).toBe(normal);
  });

  test.each([
    "x://h/../a",
    "x://h/a/..",
    "x://h/..",
    "x:..",
    "x:../a",
    "x://h/%2e%2e/a",
    "x://h/%2E./a",
    "x://h/.%2e/a",
    "x://h/..%2f..",
    "x://h/a%2F..",
    "x://h/a%2f%2e%2e%2fb",
    "x://h/..\\a",
    "x://h/a\\..",
    "x://h/..%5ca",
    "x://h/a%5C..%5Cb",
    "file://../etc",
    "file://..",
    "x://h/a/../?q",
    "x://h/a/..#f",
  ])('rejects %s, which contains ".." or NUL', (uri) => {
    expect(() => normalizeUri(uri)).toThrow(new Error('it contains a ".." segment'));
  });

  test.each([
    ["", "it has no scheme"],
    ["a/b", "it has no scheme"],
    ["//h/a", "it has no scheme"],
    ["1x:a", "it has no scheme"],
    ["é:a", "it has no scheme"],
    ["x://h/a\u0000b", "it has a control character"],
    ["x://h/a\nb", "it has a control character"],
    ["x://h/a\u007Fb", "it has a control character"],
    ["x://h/a\u0085b", "it has a control character"],
    ["x://h/%00", "it has an encoded control character"],
    ["x://h/?a=%0a", "it has an encoded control character"],
    ["x://h/#%7f", "it has an encoded control character"],
    ["x://h/%c2%85", "it has an encoded control character"],
    ["x://h/%", 'it has a "%" that is not followed by two hexadecimal digits'],
    ["x://h/%4", 'it has a "%" that is not followed by two hexadecimal digits'],
    ["x://h/%4g", 'it has a "%" that is not followed by two hexadecimal digits'],
    ["x://h/%%34%31", 'it has a "%" that is not followed by two hexadecimal digits'],
    ["x://h/\uD800", "it contains a lone surrogate (half of a character)"],
    ["x://h/a b", 'it has a " ", which must be percent-encoded there'],
    ["x://h/a\\b", 'it has a "\\\\", which must be percent-encoded there'],
    ["x://h/{a}", 'it has a "{", which must be percent-encoded there'],
    ["x://h/[a]", 'it has a "[", which must be percent-encoded there'],
    ["x://h/?<", 'it has a "<", which must be percent-encoded there'],
    ["x://h/#a#b", 'it has a "#", which must be percent-encoded there'],
    ["x://a b/", 'its authority "a b" is not of the form user@host:port'],
    ["x://h:8a/", 'its authority "h:8a" is not of the form user@host:port'],
    ["x://a@b@c/", 'its authority "a@b@c" is not of the form user@host:port'],
    ["x://[::1/", 'its authority "[::1" is not of the form user@host:port'],
    ["x://[host]/", 'its authority "[host]" is not of the form user@host:port'],
  ])("rejects %j: %s", (uri, reason) => {
    expect(() => normalizeUri(uri)).toThrow(new Error(reason));
  });

  test("rejects more than 8192 characters, before and after encoding", () => {
    const longest = `x:${"a".repeat(8190)}`;
    expect(normalizeUri(longest)).toBe(longest);
    expect(() => normalizeUri(`${longest}a`)).toThrow("it has 8193 characters, at most 8192 are allowed");
    expect(() => normalizeUri(`x:${"é".repeat(2000)}`)).toThrow("it has 12002 characters, at most 8192 are allowed");
  });

  test("is idempotent", () => {
    const piece = fc.constantFrom(
      "a",
      "Z",
      "/",
      ".",
      ":",
      "@",
      "?",
      "#",
      "%",
      "[",
      "é",
      "\\",
      "%2e",
      "%2f",
      "%41",
      "//",
      "/./",
      "%c3%a9",
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const normal = tryNormalize(`X:${pieces.join("")}`);
        if (normal === undefined) return;
        accepted += 1;
        expect(normalizeUri(normal)).toBe(normal);
        expect(normal).not.toMatch(/^x:(?:[^?#]*(?:\/|%2F|%5C))?\.\.(?:\/|%2F|%5C|\?|#|$)/);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

function tryNormalize(uri: string): string | undefined {
  try {
    return normalizeUri(uri);
  } catch {
    return undefined;
  }
}

describe("parentUris", () => {
  test.each<[string, string[]]>([
    ["file:///a/b", ["file:///a/", "file:///a", "file:///", "file://"]],
    ["file:///a/", ["file:///a", "file:///", "file://"]],
    ["x://h/a/b?q/r#f/g", ["x://h/a/", "x://h/a", "x://h/", "x://h"]],
    ["x://h/a//b", ["x://h/a//", "x://h/a/", "x://h/a", "x://h/", "x://h"]],
    ["x://h/a", ["x://h/", "x://h"]],
    ["x://h/", ["x://h"]],
    ["x:/a/b", ["x:/a/", "x:/a", "x:/"]],
    ["x:/a", ["x:/"]],
    ["x:/", []],
    ["x://h", []],
    ["x://h?a/b", []],
    ["urn:a/b", []],
    ["no uri", []],
  ])("of %s are %j", (uri, parents) => {
    expect(parentUris(uri)).toEqual(parents);
  });

  test("are the nearest 32 at most", () => {
    const parents = parentUris(`x://h${"/a".repeat(4000)}`);
    expect(parents).toHaveLength(32);
    expect(parents[0]).toBe(`x://h${"/a".repeat(3999)}/`);
    expect(parents[31]).toBe(`x://h${"/a".repeat(3984)}`);
  });
});

describe("hasPathTraversal", () => {
  test.each(["..", "../a", "a/..", "a/../b", "..\\a", "a\\..", "a\\../b", "\0", "a\0b"])("is true for %j", (value) => {
    expect(hasPathTraversal(value)).toBe(true);
  });

  test.each(["", ".", "...", "a..", "..a", "a..b", "a/.../b", "a/..b/c", "%2e%2e"])("is false for %j", (value) => {
    expect(hasPathTraversal(value)).toBe(false);
  });
});
