import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("ruby", text, ["measures"])).measures?.functions ?? [];

test("Halstead's counts of a method in Ruby", async () => {
  // Operators: def ( * if are 4, each once; `end` belongs to `def`. Operands: twice, x 3, 2 are 3, together 5.
  // Volume 9 · log2(7), difficulty 4/2 · 5/3.
  const [twice] = await functionsIn("def twice(x)\n  x * 2 if x\nend\n");
  expect(twice?.halstead).toEqual({
    distinct_operators: 4,
    distinct_operands: 3,
    operators: 4,
    operands: 5,
    volume: 25.27,
    difficulty: 3.33,
    effort: 84.22,
  });
});

test("what is put into a string is code, a string without is one operand", async () => {
  // Operators: def ( #{ + are 4. Operands: greet, name 2, "Hello " and "1" are 4, together 5.
  const [greet] = await functionsIn('def greet(name)\n  "Hello #{name + "1"}"\nend\n');
  expect(greet?.halstead).toMatchObject({ distinct_operators: 4, distinct_operands: 4, operators: 4, operands: 5 });
});

test("blocks with methods in them are bodies of classes", async () => {
  const functions = await functionsIn(
    "Point = Struct.new(:x) do\n  def far? = x > 9 && true\nend\nincluded do\n  def near? = true\nend\n",
  );
  expect(functions.map(({ name }) => name)).toEqual(["Point.far?", "near?"]);
});

test("a block outside any method is named by what it is given to", async () => {
  const functions = await functionsIn(
    'describe "a stack" do\n  it("pops") { pop if full? }\nend\nget("/") { |a, (b, c); d| a }\n',
  );
  expect(functions.map(({ name, cyclomatic, parameters }) => [name, cyclomatic, parameters])).toEqual([
    ['describe "a stack"', 2, 0],
    ['get("/")', 1, 2],
  ]);
});

test("methods have the names that they are called by", async () => {
  const functions = await functionsIn(
    "class A::B\n  def self.make; end\n  def []=(key, value); end\n  def -@; end\n  def size=(n); end\nend\ndef A.open; end\n",
  );
  expect(functions.map(({ name }) => name)).toEqual(["A.B.make", "A.B.[]=", "A.B.-@", "A.B.size=", "A.open"]);
});

test("a method calls itself with or without self, but not through another object", async () => {
  const functions = await functionsIn(
    "def one(n) = one(n - 1)\ndef two(n) = self.two(n - 1)\ndef three(n) = other.three(n - 1)\n",
  );
  expect(functions.map(({ cognitive }) => cognitive)).toEqual([1, 1, 0]);
});

test("parentheses are looked through, a negation begins a new sequence", async () => {
  const [run] = await functionsIn("def run(a, b, c)\n  (a && b) && c && !(a && (b && c))\nend\n");
  expect(run).toMatchObject({ cyclomatic: 6, cognitive: 2 });
});

test("a pattern that is a name alone takes all", async () => {
  const [run] = await functionsIn(
    "def run(x)\n  case x\n  in [a, b] then 1\n  in small if small < 3 then 2\n  in other then 4\n  end\nend\n",
  );
  expect(run).toMatchObject({ cyclomatic: 3, cognitive: 1 });
});
