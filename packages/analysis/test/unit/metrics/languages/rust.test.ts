import { parseSource } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { measure } from "../../../../src/metrics/measure.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

test("functions are named by what they are written for", async () => {
  const functions = await measureRust(`
    impl<'a, T> Tree<'a, T> { fn grow() {} }
    impl fmt::Display for &mut wood::Oak<u8> { fn fmt(&self) {} }
    impl dyn Plant { fn kind() {} }
    impl [u8] { fn first() {} }
    trait Plant { fn height(&self) -> u8; fn is_tall(&self) -> bool { true } }
    mod tests { fn grows() { fn inner() {} } }
    static IS_OLD: fn(u8) -> bool = |age| age > 99;
  `);
  expect(functions.map(({ name }) => name)).toEqual([
    "Tree.grow",
    "Oak.fmt",
    "Plant.kind",
    "[u8].first",
    "Plant.is_tall",
    "tests.grows",
    "tests.grows.inner",
    "IS_OLD",
  ]);
});

test("arms that take all that is left are no decisions, unless they have a guard", async () => {
  const [arms] = await measureRust(`fn arms(x: u8) { match x {
    1 | 2 => a(),
    LIMIT => b(),
    n @ 5..=9 => c(),
    n if n > 40 => d(),
    _ if late() => e(),
    ref other => f(),
  } }`);
  expect(reasons(arms, "cyclomatic")).toEqual(["match arm", "match arm", "match arm", "guard", "guard"]);
  const [plain] = await measureRust("fn plain(x: &u8) { match x { 1 => a(), &n => b(n) } match x { n @ _ => c(n) } }");
  expect(reasons(plain, "cyclomatic")).toEqual(["match arm"]);
});

test("a chain of conditions with let has one decision for each &&, and one sequence", async () => {
  const [chain] = await measureRust(
    "fn chain() { if let Some(a) = one() && a > 1 && (b || c) && let Some(d) = two(a) { go(d) } }",
  );
  expect(reasons(chain, "cyclomatic").toSorted()).toEqual(["&&", "&&", "&&", "if", "||"]);
  expect(reasons(chain, "cognitive").toSorted()).toEqual(["&&", "&&", "if", "||"]);
});

test("what stands in a macro call is not counted", async () => {
  const [macros] = await measureRust(
    'fn macros() { assert!(a && b || c); println!("{}", if d { e()? } else { 2 }); vec![match f { _ => 1 }]; }',
  );
  expect(macros).toMatchObject({ cyclomatic: 1, cognitive: 0, nesting: 0 });
});

test("the bounds of types are no decisions", async () => {
  const [bounds] = await measureRust("fn bounds<T: ?Sized>(f: T) where for<'a> T: Fn(&'a u8) -> bool {}");
  expect(bounds).toMatchObject({ cyclomatic: 1, parameters: 1 });
});

test("self is no parameter, in whatever form", async () => {
  const functions = await measureRust(`impl Cup {
    fn a(&'a mut self, x: u8) {}
    fn b(self: Box<Self>, (x, y): (u8, u8), _: u8) {}
    fn c(mut self, #[cfg(test)] x: u8, /* the rest */ y: u8,) {}
    fn d() {}
  }
  static E: F = |_, (a, b), c: u8| 1;
  extern "C" fn f(format: *const u8, ...) {}`);
  expect(functions.map(({ name, parameters }) => [name, parameters])).toEqual([
    ["Cup.a", 1],
    ["Cup.b", 2],
    ["Cup.c", 2],
    ["Cup.d", 0],
    ["E", 3],
    ["f", 2],
  ]);
});

test("a method calls itself through self, Self or its type; a function of its name is another", async () => {
  const functions = await measureRust(`
    fn dig() { dig::<u8>() }
    impl<T> Hole<T> {
      fn dig(&self) { dig() }
      fn a(&self) { self.a() }
      fn b() { Self::b() }
      fn c() { Hole::c() }
      fn d(&self) { self.inner.d(); Other::d() }
    }`);
  expect(functions.map(({ name, cognitive }) => [name, cognitive])).toEqual([
    ["dig", 1],
    ["Hole.dig", 0],
    ["Hole.a", 1],
    ["Hole.b", 1],
    ["Hole.c", 1],
    ["Hole.d", 0],
  ]);
});

test("a loop may have a label, and leaving it by the label counts", async () => {
  const [labels] = await measureRust("fn labels() { 'all: loop { 'some: while a { break 'all; } break; } }");
  expect(reasons(labels, "cyclomatic").toSorted()).toEqual(["loop", "while"]);
  expect(labels).toMatchObject({ cognitive: 4, nesting: 2 });
});

test("let-else is a branch that nests", async () => {
  const [found] = await measureRust("fn find() { let Some(x) = a() else { if b { return; } panic!() }; }");
  expect(found).toMatchObject({ cyclomatic: 3, cognitive: 3, nesting: 2 });
});

test("a half-written function does not hide the others", async () => {
  const functions = await measureRust("fn whole() { if a {} }\nfn half(x: u8 { match x { Some(");
  expect(functions[0]).toMatchObject({ name: "whole", cyclomatic: 2 });
});

test("Halstead of a plain function", async () => {
  const [add] = await measureRust("fn add(a: u32, b: u32) -> u32 { a + b }");
  // Operators: fn ( : , : -> { + (8, 7 kinds). Operands: add a u32 b u32 u32 a b (8, 4 kinds).
  // Volume 16 · log2 11, difficulty 7/2 · 8/4.
  expect(add?.halstead).toEqual({
    distinct_operators: 7,
    distinct_operands: 4,
    operators: 8,
    operands: 8,
    volume: 55.35,
    difficulty: 7,
    effort: 387.46,
  });
});

test("Halstead of types, closures and texts", async () => {
  const [has] = await measureRust('fn has(all: &mut Vec<String>) -> bool { all.iter().any(|it| it == "hey") }');
  // Operators: fn ( : & mut < -> { . ( . ( | == (14, 11 kinds); of < >, | | and brackets the first counts.
  // Operands: has all Vec String bool all iter any it it "hey" (11, 9 kinds). Volume 25 · log2 20, difficulty 11/2 · 11/9.
  expect(has?.halstead).toEqual({
    distinct_operators: 11,
    distinct_operands: 9,
    operators: 14,
    operands: 11,
    volume: 108.05,
    difficulty: 6.72,
    effort: 726.32,
  });
});

async function measureRust(text: string): Promise<readonly FunctionMeasures[]> {
  using tree = await parseSource("rust", text);
  return measure(tree).functions;
}

const reasons = (of: FunctionMeasures | undefined, wanted: "cyclomatic" | "cognitive"): readonly string[] =>
  of?.increments.filter(({ metric }) => metric === wanted).map(({ reason }) => reason) ?? [];

test("a tuple of names takes all", async () => {
  const [pick] = await measureRust("fn pick() { match t { (1, a) => 1, (a, ref b) if a => 2, ((a, _), ..) => 3 } }");
  expect(pick).toMatchObject({ cyclomatic: 3, cognitive: 1 });
});
