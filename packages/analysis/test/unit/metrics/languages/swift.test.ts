import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("swift", text, ["measures"])).measures?.functions ?? [];

const numbersOf = async (condition: string): Promise<readonly (number | undefined)[]> => {
  const [run] = await functionsIn(`func run() -> Bool {\n  return ${condition}\n}\n`);
  return [run?.cyclomatic, run?.cognitive];
};

test("Halstead's counts of a function in Swift", async () => {
  // Operators: func ( : -> { return * are 7, each once. Operands: twice, _, x 2, Int 2, 2 are 5, together 7.
  // Volume 14 · log2(12), difficulty 7/2 · 7/5.
  const [twice] = await functionsIn("func twice(_ x: Int) -> Int { return x * 2 }\n");
  expect(twice?.halstead).toEqual({
    distinct_operators: 7,
    distinct_operands: 5,
    operators: 7,
    operands: 7,
    volume: 50.19,
    difficulty: 4.9,
    effort: 245.93,
  });
});

test("comparisons do not part a sequence of operators", async () => {
  expect(await numbersOf("a == b && c == d && e")).toEqual([3, 1]);
  expect(await numbersOf("a != nil && b == nil || c > 1")).toEqual([3, 2]);
  expect(await numbersOf("a && !(b && c)")).toEqual([3, 2]);
  expect(await numbersOf("a ?? b && c")).toEqual([3, 1]);
});

test("functions with one name are distinguished by their labels", async () => {
  const functions = await functionsIn(`func draw(in box: Box) { draw(at: box.middle) }
func draw(at point: Point) { 1 + draw(at: point) }
func draw(_ all: Int..., by: Int = 1) { draw(1, 2, 3) }
`);
  expect(functions.map(({ cognitive }) => cognitive)).toEqual([0, 1, 1]);
});

test("defer does not increase nesting", async () => {
  const [run] = await functionsIn("func run() {\n  defer {\n    if open { close() }\n  }\n  work()\n}\n");
  expect(run).toMatchObject({ cyclomatic: 2, cognitive: 1 });
});

test("an entry that takes all is no decision", async () => {
  const [run] = await functionsIn(
    "func run(a: A) {\n  switch a {\n  case .one, .two: x()\n  case let b where b.open: y()\n  case let c: z(c)\n  }\n}\n",
  );
  expect(run).toMatchObject({ cyclomatic: 3, cognitive: 1 });
});

test("a tuple of names takes all, and a condition behind it counts once", async () => {
  const [run] = await functionsIn(
    "func run(a: A) {\n  switch a {\n  case let (b, c) where b == c: x()\n  case (1, let c): y()\n  case (let b, _): z()\n  }\n}\n",
  );
  expect(run).toMatchObject({ cyclomatic: 3, cognitive: 1 });
});

test("commas inside patterns part no conditions", async () => {
  const [one, two] = await functionsIn(
    "func one() { if case .some(let a, let b) = y { } }\nfunc two() { guard case (let a, let b) = y, a > b else { return } }\n",
  );
  expect(one).toMatchObject({ cyclomatic: 2 });
  expect(two).toMatchObject({ cyclomatic: 3 });
});

test("conditional compilation takes no function away", async () => {
  const functions = await functionsIn(`#if canImport(Darwin)
struct Lock {
  #if DEBUG
  func lock() { if busy { wait() } }
  #endif
  func unlock() { }
}
#endif
`);
  expect(functions.map(({ name, line, cyclomatic }) => [name, line, cyclomatic])).toEqual([
    ["Lock.lock", 4, 2],
    ["Lock.unlock", 6, 1],
  ]);
});

test("of incompatible branches the first is measured, with a remark", async () => {
  const { measures } = await readFacts(
    "swift",
    `#if WIDE
func size(_ n: Int64) -> Int {
#else
func size(_ n: Int) -> Int {
#endif
  return 1
}
#if A
func one() {}
#else
func other() { if a {} }
#endif
`,
    ["measures"],
  );
  expect(measures?.left_out_line).toBe(4);
  expect(measures?.functions.map(({ name, cyclomatic }) => [name, cyclomatic])).toEqual([
    ["size", 1],
    ["one", 1],
    ["other", 2],
  ]);
});

test("words that are newer than the grammar take no function away", async () => {
  const functions = await functionsIn(
    "enum Failure {\n  case failed(error: any Error)\n  func text() -> String { return a ? b : c }\n}\n",
  );
  expect(functions.map(({ name, cyclomatic }) => [name, cyclomatic])).toEqual([["Failure.text", 2]]);
});
