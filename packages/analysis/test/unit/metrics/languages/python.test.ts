import { describe, expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";

const functionsOf = async (text: string) => (await readFacts("python", text, ["measures"])).measures?.functions ?? [];

const numbersOf = async (text: string) =>
  (await functionsOf(text)).map(({ cyclomatic, cognitive }) => [cyclomatic, cognitive]);

test("functions are named with all that they lie in", async () => {
  const text = `
class Outer:
    class Inner:
        def run(self):
            def step(): pass
            return lambda: 1
    key = lambda self: 2
sort(key=lambda each: 3)
`;
  expect((await functionsOf(text)).map(({ name }) => name)).toEqual([
    "Outer.Inner.run",
    "Outer.Inner.run.step",
    "Outer.key",
    "(anonymous)",
  ]);
});

test("parameters are what a caller writes: neither the object, nor the marks between", async () => {
  const text = `
def one(a, /, b, *, c=1, **rest): pass
class Two:
    def method(self, a): pass
    @classmethod
    def made(cls: type, a): pass
    @staticmethod
    def free(a, b): pass
    def none(): pass
`;
  expect((await functionsOf(text)).map(({ parameters }) => parameters)).toEqual([4, 1, 1, 2, 0]);
});

test("a decorated function begins at its `def`", async () => {
  const [one] = await functionsOf("@first\n@second(1)\nasync def f():\n    return 1\n\n\nx = 1\n");
  expect(one).toMatchObject({ line: 3, end_line: 4 });
});

describe("decisions", () => {
  test("every `for` and `if` of a comprehension is one, and none is hard to read", async () => {
    expect(await numbersOf("def f(): return [a for a in b if a for c in a if c if d]")).toEqual([[6, 0]]);
  });

  test("a case that takes anything is none, unless it has a condition", async () => {
    const cases = (last: string) => `def f(a):\n  match a:\n    case 1 | 2:\n      b()\n    case ${last}:\n      c()\n`;
    expect(await numbersOf(cases("_"))).toEqual([[2, 1]]);
    expect(await numbersOf(cases("other"))).toEqual([[2, 1]]);
    expect(await numbersOf(cases("_ if a > 3"))).toEqual([[3, 1]]);
    expect(await numbersOf(cases("Colour.RED"))).toEqual([[3, 1]]);
    expect(await numbersOf(cases("(other)"))).toEqual([[2, 1]]);
    expect(await numbersOf(cases("None"))).toEqual([[3, 1]]);
    expect(await numbersOf(cases("a, b"))).toEqual([[3, 1]]);
    expect(await numbersOf(cases("a,"))).toEqual([[3, 1]]);
  });

  test("`with`, `assert`, `finally`, `not` and the `else` of loops and `try` are none", async () => {
    const text = "def f(a):\n  with a:\n    assert not a\n  try:\n    b()\n  finally:\n    c()\n";
    expect(await numbersOf(text)).toEqual([[1, 0]]);
    expect(await numbersOf("def f(a):\n  for b in a: pass\n  else: c()\n")).toEqual([[2, 2]]);
    expect(await numbersOf("def f(a):\n  try: b()\n  except E: c()\n  else: d()\n")).toEqual([[2, 2]]);
  });

  test("those in a formatted string count", async () => {
    expect(await numbersOf("def f(a): return f'{a or 1:{w if w else 2}}'")).toEqual([[3, 2]]);
  });
});

describe("cognitive complexity", () => {
  test("a function that only wraps another adds no level, with or without documentation", async () => {
    const wrap = (before: string) => `def d(f):\n${before}  @wraps(f)\n  def g():\n    if f: h()\n  return g\n`;
    expect(await numbersOf(wrap(""))).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect((await numbersOf(wrap("  '''Wraps.'''\n")))[0]).toEqual([1, 1]);
    expect((await numbersOf(wrap("  n = 0\n")))[0]).toEqual([1, 2]);
  });

  test("a method calls itself through its object, a function by its name", async () => {
    expect(await numbersOf("class A:\n  def close(self): close(self)\n")).toEqual([[1, 0]]);
    expect(await numbersOf("class A:\n  def close(self): self.close()\n")).toEqual([[1, 1]]);
    expect(await numbersOf("def close(): close()\n")).toEqual([[1, 1]]);
  });

  test("an `if` in an `else` is deeper, an `elif` is not", async () => {
    expect(await numbersOf("def f(a):\n  if a: b()\n  elif c: d()\n")).toEqual([[3, 2]]);
    expect(await numbersOf("def f(a):\n  if a: b()\n  else:\n    if c: d()\n")).toEqual([[3, 4]]);
  });
});

test("a lambda counts in the function around it, one level deeper", async () => {
  expect(await numbersOf("def f(a): return sorted(a, key=lambda x: 1 if x else 2)")).toEqual([[2, 2]]);
});

test("what is half written is measured as far as it goes", async () => {
  const { measures } = await readFacts(
    "python",
    "def f(a):\n    if a and b:\n        return g(\n\ndef h(x):\n    return x or 1\n",
    ["measures"],
  );
  expect(measures?.functions.map(({ name, cyclomatic }) => [name, cyclomatic])).toEqual([
    ["f", 3],
    ["h", 2],
  ]);
  expect(measures?.error_line).toBe(3);
});

test("a condition behind a pattern counts, and a pattern that takes all does not", async () => {
  const text = "def f(x):\n  match x:\n    case [a, b] if a > b: pass\n    case n if n: pass\n    case n: pass\n";
  expect(await numbersOf(text)).toEqual([[4, 1]]);
});
