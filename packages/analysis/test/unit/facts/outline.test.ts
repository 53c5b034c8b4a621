import type { Language } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";

/** Each declaration on a line: whether it is exported, kind, name, signature, lines. */
async function outlineOf(language: Language, text: string): Promise<string[]> {
  const { outline = [] } = await readFacts(language, text, ["outline"]);
  return outline.map(
    ({ isExported, kind, name, signature, line, end_line }) =>
      `${isExported ? "+" : "-"} ${kind} ${name} | ${signature} | ${line}-${end_line}`,
  );
}

const CASES: readonly (readonly [Language, string, readonly string[]])[] = [
  [
    "typescript",
    `/** doc */\nexport const K: string = "s3cret", f = (a: number) => a;\nexport class A<T> extends B { #x = 1; protected m(a = "s3cret") {}\n  get g(): T { return 1; } }\ninterface I { a: "x"; b: string }\nexport { I };\nfunction hidden() {}\n`,
    [
      "+ constant K | const K: string | 2-2",
      "+ function f | const f = (a: number) | 2-2",
      "+ class A | class A<T> extends B | 3-4",
      '- function A.m | protected m(a = "…") | 3-3',
      "+ function A.g | get g(): T | 4-4",
      '+ interface I | interface I { a: "x"; b: string } | 5-5',
      "- function hidden | function hidden() | 7-7",
    ],
  ],
  [
    "javascript",
    `class A { m() {} }\nexports.z = function (q) {};\nmodule.exports = { A };\n`,
    ["+ class A | class A | 1-1", "- function A.m | m() | 1-1", "+ function z | exports.z = function (q) | 2-2"],
  ],
  ["tsx", "export const Box = (p: P) => <div>{p.x}</div>;\n", ["+ function Box | const Box = (p: P) | 1-1"]],
  [
    "python",
    `KEY = "s3cret"\nclass A(B):\n    @property\n    async def g(self, k="s3cret") -> str:\n        pass\n    def _h(self): pass\n`,
    [
      "+ constant KEY | KEY | 1-1",
      "+ class A | class A(B) | 2-6",
      '+ function A.g | async def g(self, k="…") -> str | 4-5',
      "- function A._h | def _h(self) | 6-6",
    ],
  ],
  [
    "rust",
    `pub const X: &str = "s3cret";\npub trait T { fn a(&self) { body() } }\npub struct S { a: u8 }\nimpl S { pub fn new() -> S { S } }\nimpl T for S { fn a(&self) {} }\n`,
    [
      "+ constant X | pub const X: &str | 1-1",
      "+ interface T | pub trait T { fn a(&self) } | 2-2",
      "+ class S | pub struct S { a: u8 } | 3-3",
      "+ function S.new | pub fn new() -> S | 4-4",
      "- function S.a | fn a(&self) | 5-5",
    ],
  ],
  [
    "go",
    `package p\nconst Key = "s3cret"\ntype S struct { A int }\nfunc (s *S) M(x int) error { return nil }\nfunc small() {}\n`,
    [
      "+ constant Key | const Key | 2-2",
      "+ class S | type S struct { A int } | 3-3",
      "+ function S.M | func (s *S) M(x int) error | 4-4",
      "- function small | func small() | 5-5",
    ],
  ],
  [
    "java",
    `package com.a;\npublic class A<T> extends B {\n  public static final String K = "s3cret";\n  @Deprecated public T m(int a) throws X { return null; }\n  private void p() {}\n}\n`,
    [
      "- module com.a | package com.a | 1-1",
      "+ class A | public class A<T> extends B | 2-6",
      "+ constant A.K | public static final String K | 3-3",
      "+ function A.m | public T m(int a) throws X | 4-4",
      "- function A.p | private void p() | 5-5",
    ],
  ],
  [
    "c",
    `#define KEY "s3cret"\nstruct S { int b; };\nstatic int f(int a) { return 0; }\nchar *h(int x) { return 0; }\n`,
    [
      "+ constant KEY | #define KEY | 1-1",
      "+ class S | struct S { int b; } | 2-2",
      "- function f | static int f(int a) | 3-3",
      "+ function h | char *h(int x) | 4-4",
    ],
  ],
  [
    "cpp",
    `namespace a { template <typename T> class C : public D { public: void m(int x) const { } private: void p(); }; }\n`,
    [
      "+ class a.C | class C : D | 1-1",
      "+ function a.C.m | void m(int x) const | 1-1",
      "- function a.C.p | void p() | 1-1",
    ],
  ],
  [
    "csharp",
    `namespace N;\n[Key("s3cret")] public class A : B {\n  public const string K = "s3cret";\n  public int P { get; set; } = 3;\n  void Q() { }\n}\n`,
    [
      "- module N | namespace N | 1-1",
      "+ class A | public class A : B | 2-6",
      "+ constant A.K | public const string K | 3-3",
      "+ constant A.P | public int P | 4-4",
      "- function A.Q | void Q() | 5-5",
    ],
  ],
  [
    "kotlin",
    `package com.a\nconst val K = "s3cret"\nclass A(val b: String = "s3cret") : B() {\n  fun m(x: Int): String = "s3cret"\n  private fun p() {}\n}\n`,
    [
      "- module com.a | package com.a | 1-1",
      "+ constant K | const val K | 2-2",
      '+ class A | class A(val b: String = "…") : B() | 3-6',
      "+ function A.m | fun m(x: Int): String | 4-4",
      "- function A.p | private fun p() | 5-5",
    ],
  ],
  [
    "ruby",
    `module M\n  KEY = "s3cret"\n  class A < B\n    def m(a, b = 3)\n    end\n    private\n    def p; end\n  end\nend\n`,
    [
      "+ module M | module M | 1-9",
      "+ constant M.KEY | KEY | 2-2",
      "+ class M.A | class A < B | 3-8",
      "+ function M.A.m | def m(a, b = 3) | 4-5",
      "- function M.A.p | def p | 7-7",
    ],
  ],
  [
    "php",
    `<?php\nnamespace A\\B;\nconst K = "s3cret";\nclass C extends D {\n  public function m(int $a = 3): ?string { return null; }\n  private function p() {}\n}\n`,
    [
      "- module A\\B | namespace A\\B | 2-2",
      "+ constant K | const K | 3-3",
      "+ class C | class C extends D | 4-7",
      "+ function C.m | public function m(int $a = 3): ?string | 5-5",
      "- function C.p | private function p() | 6-6",
    ],
  ],
  [
    "swift",
    `public let key: String = "s3cret"\nclass A: B {\n  init(a: Int) {}\n  private func p() {}\n}\nextension A { func q() -> Int { return 1 } }\n`,
    [
      "+ constant key | public let key: String | 1-1",
      "+ class A | class A: B | 2-5",
      "+ function A.init | init(a: Int) | 3-3",
      "- function A.p | private func p() | 4-4",
      "+ function A.q | func q() -> Int | 6-6",
    ],
  ],
];

test.each(CASES)("%s: what a file declares, without values", async (language, text, expected) => {
  expect(await outlineOf(language, text)).toEqual(expected);
});

test("a signature that is very long is cut", async () => {
  const [line = ""] = await outlineOf("typescript", `export function f(${"parameter: string, ".repeat(50)}) {}\n`);
  expect(line).toMatch(/^\+ function f \| function f\(parameter: string, .*… \| 1-1$/);
  expect(line.length).toBeLessThan(210);
});

test.each(["", "\uFEFF", "export class {{{", "}".repeat(2000), "(".repeat(10_000), "\0\0\0"])(
  "half-written and hostile texts are read as far as they go: %#",
  async (text) => {
    for (const language of ["typescript", "python", "rust", "cpp"] as const) {
      const { outline, imports, tokens } = await readFacts(language, text, ["outline", "imports", "tokens"]);
      expect([Array.isArray(outline), Array.isArray(imports), typeof tokens?.codes]).toEqual([true, true, "string"]);
    }
  },
);
