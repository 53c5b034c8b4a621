import { parseSource } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { measure } from "../../../../src/metrics/measure.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

test("methods are named by the type of their receiver, literals by what they are assigned to", async () => {
  const functions = await measureGo(`
func plain() {}
func (s *Stack[T]) Push() {}
func (Stack) Kind() {}
func (p *pair[K, V]) swap() {}
var handle = func() {}
var ( one, two = func() {}, func() {} )
var command = &Command{Name: "x", Run: func() {}}
var table = map[string]func(){"a b": func() {}}
func outside(x int) int
`);
  expect(functions.map(({ name }) => name)).toEqual([
    "plain",
    "Stack.Push",
    "Stack.Kind",
    "pair.swap",
    "handle",
    "(anonymous)",
    "(anonymous)",
    "Run",
    "a b",
  ]);
});

test("every name in the brackets is a parameter, the receiver is none", async () => {
  const functions = await measureGo(`
func a(x, y int, rest ...string) {}
func b(int, string) {}
func c(_ int, _, z string) {}
func (s *Stack) d(f func(a, b int) (c, d int)) {}
`);
  expect(functions.map(({ parameters }) => parameters)).toEqual([3, 2, 3, 1]);
});

test("every form of for is a loop", async () => {
  const [loops] = await measureGo(
    "func loops() { for {}; for a {}; for i := 0; i < 3; i++ {}; for range b {}; for i := range 10 { _ = i } }",
  );
  expect(loops).toMatchObject({ cyclomatic: 6, cognitive: 5, nesting: 1 });
});

test("cases with a condition are decisions; default and fallthrough are not", async () => {
  const [switches] = await measureGo(`func switches() {
  switch x := f(); x { case 1, 2: fallthrough; case 3: default: }
  switch { case a && b: }
  switch x.(type) { case int, string: case nil: default: }
  select { case <-c: case d <- 1: default: }
}`);
  expect(switches).toMatchObject({ cyclomatic: 9, cognitive: 5, nesting: 1 });
});

test("else and else if add one without nesting, and increase the nesting of their body", async () => {
  const [branches] = await measureGo(`func branches() {
  for {
    if x := f(); x {
    } else if y {
      if z {
      }
    } else {
      for {
      }
    }
  }
}`);
  expect(branches?.increments.filter(({ metric }) => metric === "cognitive")).toEqual([
    { metric: "cognitive", line: 3, adds: 1, reason: "for" },
    { metric: "cognitive", line: 4, adds: 2, reason: "if", nesting: 1 },
    { metric: "cognitive", line: 5, adds: 1, reason: "else if" },
    { metric: "cognitive", line: 6, adds: 3, reason: "if", nesting: 2 },
    { metric: "cognitive", line: 8, adds: 1, reason: "else" },
    { metric: "cognitive", line: 9, adds: 3, reason: "for", nesting: 2 },
  ]);
});

test("literals count to the function around them, one level deeper", async () => {
  const [outer] = await measureGo("func outer() { go func() { if a { defer func() { if b {} }() } }() }");
  expect(outer).toMatchObject({ cyclomatic: 3, cognitive: 6, nesting: 2 });
});

test("control structures in a literal lie in those around it", async () => {
  const [run] = await measureGo("func run() { if a { each(func() { for { if b {} } }) } }");
  expect(run).toMatchObject({ nesting: 3 });
});

test("jumps to a label and goto count, plain ones do not", async () => {
  const [jumps] = await measureGo(
    "func jumps() {\nall:\n for {\n for { break all }\n continue all\n break\n }\n goto end\nend:\n}",
  );
  expect(jumps).toMatchObject({ cyclomatic: 3, cognitive: 6 });
});

test("a method calls itself through its receiver; a function of its name is another", async () => {
  const functions = await measureGo(`
func dig(n int) { dig(n - 1) }
func all[T any](n T) { all[T](n) }
func both[T any](n, m T) { both[T](n, m) }
func (h *Hole) Dig() { h.Dig() }
func (h *Hole) dig() { dig(1); h.next.dig(); other.dig() }
func (Hole) rest() { h.rest() }
`);
  expect(functions.map(({ name, cognitive }) => [name, cognitive])).toEqual([
    ["dig", 1],
    ["all", 1],
    ["both", 1],
    ["Hole.Dig", 1],
    ["Hole.dig", 0],
    ["Hole.rest", 0],
  ]);
});

test("a negation starts a new sequence, parentheses do not", async () => {
  const functions = await measureGo(`
func a() bool { return p && (q && r) && s }
func b() bool { return p && !(q && r) }
func c() bool { return p && q || r && s }
func d() bool { return (p && q) == (r && s) }
`);
  expect(functions.map(({ cyclomatic, cognitive }) => [cyclomatic, cognitive])).toEqual([
    [4, 1],
    [3, 2],
    [4, 3],
    [3, 2],
  ]);
});

test("an expression of ten thousand operators is one sequence", async () => {
  const [long] = await measureGo(`func long() bool { return ${"a && ".repeat(10_000)} a }`);
  expect(long).toMatchObject({ cyclomatic: 10_001, cognitive: 1 });
});

test("a half-written function does not hide the others", async () => {
  const functions = await measureGo("func whole() { if a {} }\nfunc half( {");
  expect(functions[0]).toMatchObject({ name: "whole", cyclomatic: 2 });
});

test("Halstead of a plain function", async () => {
  const [add] = await measureGo("func add(a, b int) int { return a + b }");
  // Operators: func ( , { return + (6, 6 kinds). Operands: add a b int int a b (7, 4 kinds).
  // Volume 13 · log2 10, difficulty 6/2 · 7/4.
  expect(add?.halstead).toEqual({
    distinct_operators: 6,
    distinct_operands: 4,
    operators: 6,
    operands: 7,
    volume: 43.19,
    difficulty: 5.25,
    effort: 226.72,
  });
});

test("Halstead of texts over several lines", async () => {
  const [greet] = await measureGo(`func greet(name string) string {
  if name == "" { // nobody
    name = \`you\`
  }
  return "hello " + name
}`);
  // Operators: func ( { if == { = return + (9, 8 kinds). Operands: greet name string string name "" name \`you\` "hello " name
  // (10, 6 kinds). Volume 19 · log2 14, difficulty 8/2 · 10/6.
  expect(greet?.halstead).toEqual({
    distinct_operators: 8,
    distinct_operands: 6,
    operators: 9,
    operands: 10,
    volume: 72.34,
    difficulty: 6.67,
    effort: 482.26,
  });
});

async function measureGo(text: string): Promise<readonly FunctionMeasures[]> {
  using tree = await parseSource("go", `package x\n${text}`);
  return measure(tree).functions;
}
