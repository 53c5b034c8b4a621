import { describe, expect, test } from "vitest";
import { parseUriTemplate } from "../../src/protocol/uri-template.js";

describe("a template", () => {
  test("has its variables in order", () => {
    const template = parseUriTemplate("x://{host}{/path*}{?b.c,a:3,Stra%C3%9Fe}");
    expect(template.variables).toEqual(["host", "path", "b.c", "a", "Stra%C3%9Fe"]);
  });

  test.each([
    ["a{b", 'the "{" in "a{b" has no matching brace'],
    ["{a}/{b", 'the "{" in "/{b" has no matching brace'],
    ["/a}", 'the "}" in "/a}" has no matching brace'],
    ["{a}}", 'the "}" in "}" has no matching brace'],
    ["/a b", 'it has a " ", which must be percent-encoded'],
    ["{a}\\", 'it has a "\\\\", which must be percent-encoded'],
    ["/%4", 'it has a "%", which must be percent-encoded'],
    ["a\n", 'it has a "\\n", which must be percent-encoded'],
    ["{a}/{a}", '{a} repeats the variable "a"'],
    ["{?a,a}", '{?a,a} repeats the variable "a"'],
    ["{a}{b}", "{a} and {b} are ambiguous: put a literal character between them"],
    ["{a}{+b}", "{a} and {+b} are ambiguous: put a literal character between them"],
    ["{a}{.b}", "{a} and {.b} are ambiguous: put a literal character between them"],
    ["{a}{/b}{.c}", "{a} and {.c} are ambiguous: put a literal character between them"],
    ["{+a}{/b}", "{+a} and {/b} are ambiguous: put a literal character between them"],
    ["{/a*}{/b}", "{/a*} and {/b} are ambiguous: put a literal character between them"],
    ["{#a}{?b}", "{#a} and {?b} are ambiguous: put a literal character between them"],
    ["{?a}{&b}", "{?a} and {&b} are ambiguous: put a literal character between them"],
    ["x{/a*,b}", '{/a*,b} has variables after the list "a*": put the list last'],
  ])("is not %j: %s", (text, reason) => {
    expect(() => parseUriTemplate(text)).toThrow(new Error(reason));
  });

  test.each([
    ["x{=a}", '"=a" in {=a}'],
    ["{,a}", '"" in {,a}'],
    ["{!a}", '"!a" in {!a}'],
    ["{@a}", '"@a" in {@a}'],
    ["{|a}", '"|a" in {|a}'],
    ["{}", '"" in {}'],
    ["{?}", '"" in {?}'],
    ["{a,}", '"" in {a,}'],
    ["{/?a}", '"?a" in {/?a}'],
    ["{$a}", '"$a" in {$a}'],
    ["{a b}", '"a b" in {a b}'],
    ["{?x, y}", '" y" in {?x, y}'],
    ["{a-b}", '"a-b" in {a-b}'],
    ["{a.}", '"a." in {a.}'],
    ["{a..b}", '"a..b" in {a..b}'],
    ["{%2x}", '"%2x" in {%2x}'],
    ["{a:0}", '"a:0" in {a:0}'],
    ["{a:01}", '"a:01" in {a:01}'],
    ["{a:10000}", '"a:10000" in {a:10000}'],
    ["{a:}", '"a:" in {a:}'],
    ["{a:2*}", '"a:2*" in {a:2*}'],
    ["{{a}", '"{a" in {{a}'],
  ])("is not %j: no variable %s", (text, location) => {
    expect(() => parseUriTemplate(text)).toThrow(
      new Error(
        `${location} is not a variable: use letters, digits, "_" and dots between them, ` +
          'then optionally "*" or a length from ":1" to ":9999"',
      ),
    );
  });

  test("has at most 32 expressions and 2048 characters", () => {
    const expressions = Array.from({ length: 33 }, (_, index) => `/{v${index}}`);
    expect(parseUriTemplate(expressions.slice(1).join("")).variables).toHaveLength(32);
    expect(() => parseUriTemplate(expressions.join(""))).toThrow(new Error("it has more than 32 expressions"));
    expect(parseUriTemplate("a".repeat(2048)).variables).toEqual([]);
    expect(() => parseUriTemplate("a".repeat(2049))).toThrow(
      new Error("it has 2049 characters, at most 2048 are allowed"),
    );
  });
});
