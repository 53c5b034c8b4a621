import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("csharp", text, ["measures"])).measures?.functions ?? [];

const numbersIn = async (body: string): Promise<readonly (number | undefined)[]> => {
  const [run] = await functionsIn(`class A {\n  object Run(object a, bool b, bool c) {\n${body}\n  }\n}\n`);
  return [run?.cyclomatic, run?.cognitive];
};

test("Halstead's counts of a method in C#", async () => {
  // Operators: ( => * ; are 4, each once. Operands: int 2, Twice, x 2, 2 are 4, together 6.
  // Volume 10 · log2(8), difficulty 4/2 · 6/4.
  const [twice] = await functionsIn("class A { int Twice(int x) => x * 2; }\n");
  expect(twice?.halstead).toEqual({
    distinct_operators: 4,
    distinct_operands: 4,
    operators: 4,
    operands: 6,
    volume: 30,
    difficulty: 3,
    effort: 90,
  });
});

test("a pattern ends where the condition goes on", async () => {
  expect(await numbersIn("return a is Foo && b && c;")).toEqual([3, 1]);
  expect(await numbersIn("return a is not null && b || c;")).toEqual([3, 2]);
  expect(await numbersIn("return a is > 0 and < 10 && c;")).toEqual([3, 2]);
});

test("an arm that takes all is no decision, unless it has a condition", async () => {
  expect(await numbersIn("return a switch { 1 => 1, var other when b => 2, _ => 3 };")).toEqual([3, 1]);
});

test("properties that the compiler fills in have no functions", async () => {
  expect(await functionsIn("class A { public int Size { get; init; } = 3; abstract int Count(); }\n")).toEqual([]);
});

test("an interface's own code and an event's accessors are functions", async () => {
  const functions = await functionsIn(
    "interface I { int One() => 1; int Two(); }\nclass A { event E Changed { add { } remove { } } }\n",
  );
  expect(functions.map(({ name }) => name)).toEqual(["I.One", "A.Changed.add", "A.Changed.remove"]);
});

test("the accessors of an indexer take what stands between its brackets", async () => {
  const functions = await functionsIn("class A { int this[int x, int y] { get => x; set { } } }\n");
  expect(functions.map(({ name, parameters }) => [name, parameters])).toEqual([
    ["A.this[].get", 2],
    ["A.this[].set", 2],
  ]);
});

test("the functions behind a branch of the preprocessor that does not fit are found", async () => {
  const functions = await functionsIn(`class A {
#if NEW
  void Run(int a) {
#else
  void Run() {
#endif
    if (a > 0) Stop();
  }
  void Stop() { }
}
`);
  expect(functions.map(({ name, cyclomatic }) => [name, cyclomatic])).toEqual([
    ["A.Run", 2],
    ["A.Stop", 1],
  ]);
});

test("a case that takes all is no decision, a condition behind it is", async () => {
  expect(
    await numbersIn("switch (a) { case 1: break; case var x when b: break; case var (p, q): break; case _: break; }"),
  ).toEqual([3, 1]);
});
