import type { Language } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";

const callsOf = async (language: Language, text: string) =>
  (await readFacts(language, text, ["calls"])).calls?.map(({ called, caller }) => `${caller ?? "-"} ${called}`);

test.each<[Language, string, readonly string[]]>([
  [
    "typescript",
    "class A { m() { a.b.c(1); new Foo(2); f<T>(3); x?.y(); (g)(1); a[0](); h()(); super.m(); } }\nrun();",
    ["A.m c", "A.m Foo", "A.m f", "A.m y", "A.m g", "A.m h", "A.m m", "- run"],
  ],
  ["tsx", "function C() { return <Foo a={f()}><Bar.Baz/><p/></Foo>; }", ["C Foo", "C f", "C Baz"]],
  ["javascript", "const f = () => list.map((a) => g(a));", ["f map", "f.(anonymous) g"]],
  ["python", "class A:\n  def f(self):\n    self.b(1)\n    g(2)\n    h()(3)\n", ["A.f b", "A.f g", "A.f h"]],
  [
    "rust",
    "fn f() { a::b(1); x.y(2); T::<u8>::new(); h::<u8>(1); assert_eq!(g(k(1)), 2); }",
    ["f b", "f y", "f new", "f h", "f assert_eq", "f g", "f k"],
  ],
  ["go", "package a\nfunc f() { a.b(1); g(2); h[int](3); defer x.y() }", ["f b", "f g", "f h", "f y"]],
  ["java", "class A { void m() { a.b(1); g(2); new Foo<>(3); this.x(); } }", ["A.m b", "A.m g", "A.m Foo", "A.m x"]],
  ["c", "int f() { a(1); b->c(2); x.y(4); }", ["f a", "f c", "f y"]],
  [
    "cpp",
    "int f() { a(1); b->c(2); std::move(x); ns::t<int>(3); new Foo(1); x.y<int>(2); h<int>(4); }",
    ["f a", "f c", "f move", "f t", "f Foo", "f y", "f h"],
  ],
  [
    "csharp",
    "class A { void M() { a.B(1); G(2); new Foo(3); x?.Y(4); H<int>(5); a.K<int>(6); } }",
    ["A.M B", "A.M G", "A.M Foo", "A.M Y", "A.M H", "A.M K"],
  ],
  [
    "kotlin",
    "class A { fun m() { a.b(1); g(2); Foo(3); x?.y(4); k(1) { n() } } }",
    ["A.m b", "A.m g", "A.m Foo", "A.m y", "A.m k", "A.m n"],
  ],
  [
    "ruby",
    "class A\n def m\n a.b(1)\n g 2\n x&.y(3)\n Foo.new(1)\n super(1)\n end\nend",
    ["A.m b", "A.m g", "A.m y", "A.m new"],
  ],
  [
    "php",
    "<?php function f() { $a->b(1); g(2); new Foo(3); A::s(4); $x?->y(5); \\N\\h(6); $v(1); }",
    ["f b", "f g", "f Foo", "f s", "f y", "f h"],
  ],
  [
    "swift",
    "func f() { a.b(1); g(2); Foo(3); x?.y(4); h<Int>(5); l.map { k($0) }; self.z() }",
    ["f b", "f g", "f Foo", "f y", "f h", "f map", "f k", "f z"],
  ],
])("calls of %s have the name of what is called and of the function around", async (language, text, calls) => {
  expect(await callsOf(language, text)).toEqual(calls);
});

test("a call has the line in which it begins", async () => {
  const { calls } = await readFacts("typescript", "\nf(\n  1,\n);", ["calls"]);
  expect(calls).toEqual([{ called: "f", line: 2 }]);
});
