import type { Language } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";

test.each<[Language, string, number]>([
  ["java", "class S { int a(int x, String... y) { return a(x); } }", 1],
  ["java", 'class S { int a(int x, String... y) { return a(x, "1", "2"); } }', 1],
  ["java", "class S { int a(int x, String... y) { return a(); } }", 0],
  ["java", "class S { int a(int x, String... y) { return a(x); } int a(int x) { return 1; } }", 0],
  ["java", "class S { int a(int x, int... y) { return a(x, 1, 2); } int a(int... y) { return 1; } }", 0],
  ["c", "int c(const char *f, ...) { return c(f, 1, 2); }", 1],
  ["cpp", "int c(const char *f, ...) { return c(f, 1, 2); }", 1],
  ["cpp", "int c(const char *f, ...) { return c(); }", 0],
  ["csharp", "class S { static int A(int x) { return S.A(x); } }", 1],
  ["csharp", "class S<T> { static int A(int x) { return S<T>.A(x); } }", 1],
  ["csharp", "class S { static int A(int x) { return T.A(x); } }", 0],
  ["csharp", "class S { class T { static int A(int x) { return S.A(x); } } }", 0],
  ["python", "class Q:\n  @staticmethod\n  def o(a): return Q.o(1)\n", 1],
  ["python", "class Q:\n  @staticmethod\n  def o(a): return R.o(1)\n", 0],
  ["python", "class Q(R):\n  class P:\n    def o(a): return Q.o(1)\n", 0],
  ["typescript", "class Q { static c() { return Q.c(); } }", 1],
  ["typescript", "class Q { static c = () => Q.c(); }", 1],
  ["typescript", "class Q { c() { return Q.c(); } static c() {} }", 0],
  ["typescript", "class Q { static c() { return R.c(); } }", 0],
  ["php", "<?php class Q { static function c() { return Q::c(); } }", 1],
  ["php", "<?php class Q extends R { static function c() { return R::c(); } }", 0],
  ["kotlin", "object S {\n  fun a(x: Int): Int = S.a(x)\n}\n", 1],
  ["kotlin", "class S {\n  companion object {\n    fun a(x: Int): Int = S.a(x)\n  }\n}\n", 1],
  ["kotlin", "class S {\n  fun a(x: Int): Int = S.a(x)\n}\n", 0],
  ["swift", "class S {\n  static func a(_ x: Int) -> Int { return S.a(x) }\n}\n", 1],
  ["swift", "class S {\n  static func a(_ x: Int) -> Int { return Self.a(x) }\n}\n", 1],
  ["swift", "class S {\n  func a(_ x: Int) -> Int { return S.a(x) }\n}\n", 0],
  ["ruby", "class S\n  def self.a(x) = S.a(x)\nend\n", 1],
  ["ruby", "class S\n  class << self\n    def a(x) = S.a(x)\n  end\nend\n", 1],
  ["ruby", "class S\n  def a(x) = S.a(x)\nend\n", 0],
])("%s: %s recurses %i times", async (language, source, cognitive) => {
  const { measures } = await readFacts(language, source, ["measures"]);
  expect(measures?.functions[0]?.cognitive).toBe(cognitive);
});

test("what takes any number of arguments is a parameter in C++ as in C", async () => {
  const counts = (["c", "cpp"] as const).map(async (language) => {
    const { measures } = await readFacts(language, "int c(const char *f, ...) { return 1; }", ["measures"]);
    return measures?.functions[0]?.parameters;
  });
  expect(await Promise.all(counts)).toEqual([2, 2]);
});
