import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasPathTraversal, normalizeUri } from "../../src/protocol/uri.js";
import { parseParts, parseUriTemplate } from "../../src/protocol/uri-template.js";
import { compileSteps, matchSteps } from "../../src/protocol/uri-template-match.js";
import { expandUriTemplate } from "./expand-uri-template.js";

describe("match", () => {
  test.each<[string, string, Record<string, string | string[]>]>([
    ["x://h/a", "x://h/a", {}],
    ["x://h/{a}", "x://h/b", { a: "b" }],
    ["x://h/{a}", "x://h/-._~%20%2F%E2%82%AC", { a: "-._~ /€" }],
    ["x://h/{a}/{b}", "x://h/1/2", { a: "1", b: "2" }],
    ["x://h/{a}-{b}", "x://h/1-2-3", { a: "1-2", b: "3" }],
    ["x://h/{name}.{type}", "x://h/a.tar.gz", { name: "a.tar", type: "gz" }],
    ["x://h/{a,b}", "x://h/1,2", { a: "1", b: "2" }],
    ["x://h/{a,b}", "x://h/1", { a: "1" }],
    ["x://h/{a*}", "x://h/1,2%2C,3", { a: ["1", "2,", "3"] }],
    ["x://h/{+a}", "x://h/b/c?d=e#f", { a: "b/c?d=e#f" }],
    ["x://h/{+a}/z", "x://h/b/z/z", { a: "b/z" }],
    ["x://h/{+a,b}", "x://h/1/2,3", { a: "1/2", b: "3" }],
    ["x://h/{+a*}", "x://h/1/2,3", { a: ["1/2", "3"] }],
    ["x://h/{+a}{?b}", "x://h/1/2?b=3", { a: "1/2", b: "3" }],
    ["x://h/{+a}{?b}{#c}", "x://h/1/2#3", { a: "1/2", c: "3" }],
    ["x://h/a{#b}", "x://h/a#c/d?e", { b: "c/d?e" }],
    ["x://h/a{#b,c}", "x://h/a#1,2", { b: "1", c: "2" }],
    ["x://h/a{#b}", "x://h/a", {}],
    ["x://h/a{#b,c},{+d}", "x://h/a,1,2", { d: "1,2" }],
    ["x://h/a{.b}", "x://h/a.c", { b: "c" }],
    ["x://h/a{.b,c}", "x://h/a.1.2", { b: "1", c: "2" }],
    ["x://www{.b*}", "x://www.example.com", { b: ["example", "com"] }],
    ["x://h{/a}", "x://h/1", { a: "1" }],
    ["x://h{/a}", "x://h", {}],
    ["x://h{/a,b}", "x://h/1", { a: "1" }],
    ["x://h{/a}/1", "x://h/1", {}],
    ["x://h{/a*}", "x://h/1/a%2F/3", { a: ["1", "a/", "3"] }],
    ["x://h{/a,b*}/z", "x://h/1/2/3/z", { a: "1", b: ["2", "3"] }],
    ["x://h/a{;b,c*}", "x://h/a;c=1;b;c=2", { b: "", c: ["1", "2"] }],
    ["x://h{?a,b}", "x://h?b=2&a=1", { a: "1", b: "2" }],
    ["x://h{?a,b}", "x://h?b=", { b: "" }],
    ["x://h{?a,b}", "x://h?b", { b: "" }],
    ["x://h{?a,b}", "x://h", {}],
    ["x://h{?a*}", "x://h?a=1&a=%26", { a: ["1", "&"] }],
    ["x://h?f=1{&a}", "x://h?f=1&a=2", { a: "2" }],
    ["x://h{?a}&f=1", "x://h?a=2&f=1", { a: "2" }],
    ["x://h{?Stra%c3%9fe}", "x://h?Stra%C3%9Fe=1", { "Stra%c3%9fe": "1" }],
    ["x://h/{a:2}{/b}", "x://h/%E2%82%AC%F0%9D%84%9E/c", { a: "€𝄞", b: "c" }],
    ["x://h{?a:2}", "x://h?a=%E2%82%AC%F0%9D%84%9E", { a: "€𝄞" }],
    ["HTTPS://User@H%7e/é/{a}", "https://User@h~/%C3%A9/b", { a: "b" }],
    ["x:{a}B:c", "x:1B:c", { a: "1" }],
    ["File://H{/a}-B", "file://h/1-B", { a: "1" }],
    ["X://H{/a}-B", "x://H/1-B", { a: "1" }],
    ["x://h/{a}C", "x://h/%C3%ACC", { a: "ì" }],
    ["x://h/{a}C{b}", "x://h/1C2%C3%A9", { a: "1", b: "2é" }],
    ["x://h/{__proto__}", "x://h/b", { ["__proto__"]: "b" }],
    ["x://h/{a}", "x://h/...", { a: "..." }],
    ["file://{+a}", "file:///etc/motd", { a: "/etc/motd" }],
    ["x://h/{a}", "x://h/b%2Fc", { a: "b/c" }],
    ["x://h{?a}", "x://h?a=%2Fb", { a: "/b" }],
    ["x://h/{a}", "x://h/ada@example.com:8(a)", { a: "ada@example.com:8(a)" }],
  ])("of %s in %s", (template, uri, values) => {
    expect(parseUriTemplate(template).match(uri)).toEqual(values);
  });

  test.each([
    ["x://h/a", "x://h/b"],
    ["x://h/a", "x://h/a/"],
    ["x://h/{a}", "x://h/"],
    ["x://h/{a}", "x://h/b/c"],
    ["x://h/{a}", "x://h/b,c"],
    ["x://h/{a}", "x://h/b?c"],
    ["x://h/{a}", "x://h/b#c"],
    ["x://h/{a}", "x://h/b=c"],
    ["file:///docs/{+a}", "file:///docs//etc/passwd"],
    ["file:///docs/{+a}", "file:///docs/%2Fetc"],
    ["file:///docs/{a}", "file:///docs/%2Fetc"],
    ["file:///docs{/a*}", "file:///docs/b/%5Cc"],
    ["x://h/{a}", "x://h/é"],
    ["x://h/{+a}", "x://h/"],
    ["x://h/{a*}", "x://h/b,,c"],
    ["x://h{/a}", "x://h/"],
    ["x://h{/a}", "x://h/b/c"],
    ["x://h{/a*}", "x://h/b/"],
    ["x://h/a{#b,c}", "x://h/a,d"],
    ["x://h/a{.b}", "x://h/a.c.d"],
    ["x://h{?a}", "x://h?"],
    ["x://h{?a}", "x://h?a=1&a=2"],
    ["x://h{?a}", "x://h?b=1"],
    ["x://h{?a}", "x://h?a=1&b=2"],
    ["x://h{?a}", "x://h?a=1=2"],
    ["x://h{?a}", "x://h&a=1"],
    ["x://h{?a}", "x://h?toString=1"],
    ["x://h/{a:2}", "x://h/abc"],
    ["x://h{?a:2}", "x://h?a=abc"],
    ["x://h/{a}C", "x://h/%E2%82%AC"],
    ["http://H/{a}", "http://H/b"],
    ["x://H/{a}", "x://h/b"],
  ])("of %s finds nothing in %s", (template, uri) => {
    expect(parseUriTemplate(template).match(uri)).toBeUndefined();
  });

  test.each(["%FF", "%C3", "%E2%82", "%C0%AE%C0%AE", "%", "%4", "%zz"])("rejects %s, which is not UTF-8", (raw) => {
    expect(parseUriTemplate("x://h/{a}").match(`x://h/${raw}`)).toBeUndefined();
    expect(parseUriTemplate("x://h{?a}").match(`x://h?a=${raw}`)).toBeUndefined();
  });

  test.each(["..", "%2e%2E", "a%2F..", "..%5Ca", "a%5c..%5cb", "a%00b"])(
    'rejects %s, which contains ".." or NUL',
    (raw) => {
      for (const template of ["x://h/{a}", "x://h/{+a}", "x://h{/a}", "x://h{/a*}"])
        expect(parseUriTemplate(template).match(`x://h/${raw}`), template).toBeUndefined();
      for (const template of ["x://h{?a}", "x://h{?a*}"])
        expect(parseUriTemplate(template).match(`x://h?a=${raw}`), template).toBeUndefined();
    },
  );

  test("rejects reserved values with a path traversal", () => {
    expect(parseUriTemplate("x://h/{+a}").match("x://h/b/../c")).toBeUndefined();
    expect(parseUriTemplate("x://h{#a}").match("x://h#../c")).toBeUndefined();
  });

  test("rejects more than 8192 characters", () => {
    const template = parseUriTemplate("x:{a}");
    expect(template.match(`x:${"a".repeat(8190)}`)).toEqual({ a: "a".repeat(8190) });
    expect(template.match(`x:${"a".repeat(8191)}`)).toBeUndefined();
  });
});

/** Replaces a string and counts how many of its characters are read. */
class CountedText {
  reads = 0;
  readonly length: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  charCodeAt(at: number): number {
    this.reads += 1;
    return this.#text.charCodeAt(at);
  }

  charAt(at: number): string {
    this.reads += 1;
    return this.#text.charAt(at);
  }

  startsWith(part: string, at = 0): boolean {
    this.reads += part.length;
    return this.#text.startsWith(part, at);
  }

  slice(start: number, end: number): string {
    this.reads += end - start;
    return this.#text.slice(start, end);
  }
}

describe("the cost of a match", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  test.each([
    [names.map((name) => `{${name}}`).join("a"), "a", "/"],
    [names.map((name) => `{+${name}}`).join("/"), "/", " "],
    [names.map((name) => `{${name}}`).join("a".repeat(50)), "a", "/"],
    [names.map((name) => `{/${name}}`).join(""), "/a", "?"],
    [names.map((name) => `{/${name}*}`).join("/a"), "/a", "?"],
    [names.map((name) => `{&${name}*}`).join("&a=1"), "&a=1", "?"],
    [names.map((name) => `{;${name},${name}2}`).join(";a"), ";a", "?"],
    [names.map((name) => `{#${name},${name}2}`).join(",a"), "#,a", " "],
  ])("is linear in the length of the URI: %s", (template, piece, end) => {
    const steps = compileSteps(parseParts(template));
    const readsAt = (length: number): number => {
      const text = new CountedText(piece.repeat(length / piece.length) + end);
      matchSteps(steps, text as unknown as string);
      return text.reads;
    };
    const reads = readsAt(8000);
    expect(reads).toBeGreaterThan(8000);
    expect(reads).toBeLessThan(2.1 * readsAt(4000));
    expect(reads).toBeLessThan(8 * template.length * 8000);
  });
});

describe("match returns the values of an expansion", () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((value) => value !== "." && !hasPathTraversal(value) && !/^[/\\]/.test(value));
  const label = text.map((value) => value.replaceAll(/^[./\\]+|\./g, "") || "x");
  // No hexadecimal digits: "%41" in a reserved value is an "A" already.
  const reserved = fc
    .string({ unit: fc.constantFrom(...Array.from("xyzé€ /:@,;=&$'()*~-_%")), minLength: 1 })
    .filter((value) => !value.startsWith("/"));
  const list = fc.array(text, { minLength: 1 });
  const member = fc.oneof(text, fc.constant(""));
  const kinds: [expression: string, values: fc.Arbitrary<Record<string, string | string[]>>][] = [
    ["{a}", fc.record({ a: text })],
    ["{b,c}", fc.record({ b: text, c: text }, { requiredKeys: ["b"] })],
    ["{d*}", fc.record({ d: list })],
    ["{+e}", fc.record({ e: reserved })],
    ["{.f,g}", fc.record({ f: label, g: label })],
    ["{.h*}", fc.record({ h: fc.array(label, { minLength: 1 }) })],
    ["{/i,j*}", fc.record({ i: text, j: list }, { requiredKeys: ["i"] })],
    ["{;k,l*}", fc.record({ k: member, l: fc.array(member, { minLength: 1 }) }, { requiredKeys: [] })],
  ];
  const ends: typeof kinds = [
    ["", fc.constant({})],
    ["{?m,n*,o}", fc.record({ m: member, n: fc.array(member, { minLength: 1 }), o: member }, { requiredKeys: ["m"] })],
    ["{#p}", fc.record({ p: reserved }, { requiredKeys: [] })],
  ];
  const cases = fc.tuple(fc.shuffledSubarray(kinds), fc.constantFrom(...ends)).chain(([middle, end]) =>
    fc.record({
      template: fc.constant(`x://h${middle.map(([expression]) => `/!${expression}`).join("")}/!${end[0]}`),
      values: fc
        .tuple(...[...middle, end].map(([, values]) => values))
        .map((all): Record<string, string | string[]> => Object.assign({}, ...all)),
    }),
  );

  test("for every kind of expression", () => {
    fc.assert(
      fc.property(cases, ({ template, values }) => {
        const uri = normalizeUri(expandUriTemplate(template, values));
        expect(parseUriTemplate(template).match(uri)).toEqual(values);
      }),
      { numRuns: 1000 },
    );
  });
});
