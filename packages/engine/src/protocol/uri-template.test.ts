import { describe, expect, test } from "vitest";
import { parseTemplate } from "./uri-template.js";

const values = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  none: [],
  nobody: {},
  undef: undefined,
  word: "αβγ𝄞",
  escaped: "a%2Fb%zz",
  quoted: "!'()*",
};

describe("expand writes", () => {
  test.each([
    // Literals
    ["http://h/a'b[c]", "http://h/a'b[c]"],
    ["café%20/{var}", "caf%C3%A9%20/value"],
    ["", ""],
    // {var}
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["?{undef,y}", "?768"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{word:4}", "%CE%B1%CE%B2%CE%B3%F0%9D%84%9E"],
    ["{word:1}", "%CE%B1"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{keys}", "semi,%3B,dot,.,comma,%2C"],
    ["{keys*}", "semi=%3B,dot=.,comma=%2C"],
    ["{none}", ""],
    ["{.none*}", ""],
    ["{nobody}{?undef}", ""],
    ["{escaped}", "a%252Fb%25zz"],
    ["{quoted}", "%21%27%28%29%2A"],
    // {+var}
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{+list*}", "red,green,blue"],
    ["{+keys}", "semi,;,dot,.,comma,,"],
    ["{+keys*}", "semi=;,dot=.,comma=,"],
    ["{+escaped}", "a%2Fb%25zz"],
    // {#var}
    ["{#hello}", "#Hello%20World!"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path:6}here", "#/foo/bhere"],
    ["{#keys*}", "#semi=;,dot=.,comma=,"],
    // {.var}
    ["{.half,who}", ".50%25.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
    // {/var}
    ["{/half,who}", "/50%25/fred"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/list}", "/red,green,blue"],
    ["{/list*}", "/red/green/blue"],
    ["{/keys*}", "/semi=%3B/dot=./comma=%2C"],
    // {;var}
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;v,undef,who}", ";v=6;who=fred"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list}", ";list=red,green,blue"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{;keys*}", ";semi=%3B;dot=.;comma=%2C"],
    // {?var}
    ["{?who}", "?who=fred"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["{?list}", "?list=red,green,blue"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
    ["{?keys*}", "?semi=%3B&dot=.&comma=%2C"],
    // {&var}
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{&list*}", "&list=red&list=green&list=blue"],
    ["{&keys*}", "&semi=%3B&dot=.&comma=%2C"],
  ])("%s as %s", (template, uri) => {
    expect(parseTemplate(template).expand(values)).toBe(uri);
  });

  test("nothing for a name that every object inherits", () => {
    expect(parseTemplate("x{/constructor:1,__proto__:1,toString:1}").expand({})).toBe("x");
  });

  test("no beginning of a list, and no half of a character", () => {
    expect(() => parseTemplate("{list:1}").expand(values)).toThrow(
      new Error('"list:1" takes the beginning of a text, but its value is a list'),
    );
    expect(() => parseTemplate("{+v}").expand({ v: "\uD800" })).toThrow(
      new Error('the value of "v" has half of a character (a lone surrogate)'),
    );
  });
});

describe("a template", () => {
  test("has its text and its variables in order, and is frozen", () => {
    const template = parseTemplate("x://{host}{/path*}{?b.c,a:3,Stra%C3%9Fe}");
    expect(template.text).toBe("x://{host}{/path*}{?b.c,a:3,Stra%C3%9Fe}");
    expect(template.variables).toEqual(["host", "path", "b.c", "a", "Stra%C3%9Fe"]);
    expect(Object.isFrozen(template)).toBe(true);
    expect(Object.isFrozen(template.variables)).toBe(true);
  });

  test.each([
    ["a{b", 'the "{" at character 2 is never closed'],
    ["{a}/{b", 'the "{" at character 5 is never closed'],
    ["/a}", 'the "}" at character 3 closes nothing'],
    ["{a}}", 'the "}" at character 4 closes nothing'],
    ["x{=a}", 'the operator "=" at character 3 is reserved: RFC 6570 gives it no meaning'],
    ["{,a}", 'the operator "," at character 2 is reserved: RFC 6570 gives it no meaning'],
    ["{!a}", 'the operator "!" at character 2 is reserved: RFC 6570 gives it no meaning'],
    ["{@a}", 'the operator "@" at character 2 is reserved: RFC 6570 gives it no meaning'],
    ["{|a}", 'the operator "|" at character 2 is reserved: RFC 6570 gives it no meaning'],
    ["/a b", 'the " " at character 3 must be percent-encoded'],
    ["{a}\\", 'the "\\\\" at character 4 must be percent-encoded'],
    ["/%4", 'the "%" at character 2 must be percent-encoded'],
    ["a\n", 'the "\\n" at character 2 must be percent-encoded'],
    ["{a}/{a}", '{a} at character 5 names "a" a second time'],
    ["{?a,a}", '{?a,a} at character 1 names "a" a second time'],
    ["{a}{b}", "{a} and {b} at character 4 cannot be told apart: put a literal character between them"],
    ["{a}{+b}", "{a} and {+b} at character 4 cannot be told apart: put a literal character between them"],
    ["{a}{.b}", "{a} and {.b} at character 4 cannot be told apart: put a literal character between them"],
    ["{a}{/b}{.c}", "{a} and {.c} at character 8 cannot be told apart: put a literal character between them"],
    ["{+a}{/b}", "{+a} and {/b} at character 5 cannot be told apart: put a literal character between them"],
    ["{/a*}{/b}", "{/a*} and {/b} at character 6 cannot be told apart: put a literal character between them"],
    ["{#a}{?b}", "{#a} and {?b} at character 5 cannot be told apart: put a literal character between them"],
    [
      "x{/a*,b}",
      '{/a*,b} at character 2 has variables behind "a*" that cannot be told apart from its members: put it last',
    ],
  ])("is not %j: %s", (text, reason) => {
    expect(() => parseTemplate(text)).toThrow(new Error(reason));
  });

  test.each([
    ["{}", '"" at character 2'],
    ["{?}", '"" at character 3'],
    ["{a,}", '"" at character 4'],
    ["{/?a}", '"?a" at character 3'],
    ["{$a}", '"$a" at character 2'],
    ["{a b}", '"a b" at character 2'],
    ["{?x, y}", '" y" at character 5'],
    ["{a-b}", '"a-b" at character 2'],
    ["{a.}", '"a." at character 2'],
    ["{a..b}", '"a..b" at character 2'],
    ["{%2x}", '"%2x" at character 2'],
    ["{a:0}", '"a:0" at character 2'],
    ["{a:01}", '"a:01" at character 2'],
    ["{a:10000}", '"a:10000" at character 2'],
    ["{a:}", '"a:" at character 2'],
    ["{a:2*}", '"a:2*" at character 2'],
    ["{{a}}", '"{a" at character 2'],
  ])("is not %j: no variable %s", (text, place) => {
    expect(() => parseTemplate(text)).toThrow(
      new Error(
        `${place} is no variable: it takes letters, digits, "_" and dots between them, ` +
          'and may end with "*" or a length from ":1" to ":9999"',
      ),
    );
  });

  test("has 32 expressions and 2048 characters at most", () => {
    const expressions = Array.from({ length: 33 }, (_, index) => `/{v${index}}`);
    expect(parseTemplate(expressions.slice(1).join("")).variables).toHaveLength(32);
    expect(() => parseTemplate(expressions.join(""))).toThrow(new Error("it has more than 32 expressions"));
    expect(parseTemplate("a".repeat(2048)).variables).toEqual([]);
    expect(() => parseTemplate("a".repeat(2049))).toThrow(
      new Error("it has 2049 characters, at most 2048 are allowed"),
    );
  });
});
