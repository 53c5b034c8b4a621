import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("kotlin", text, ["measures"])).measures?.functions ?? [];

test("Halstead's counts of a function in Kotlin", async () => {
  // Operators: fun ( : 2 = * are 5, together 6. Operands: twice, x 2, Int 2, 2 are 4, together 6.
  // Volume 12 · log2(9), difficulty 5/2 · 6/4.
  const [twice] = await functionsIn("fun twice(x: Int): Int = x * 2\n");
  expect(twice?.halstead).toEqual({
    distinct_operators: 5,
    distinct_operands: 4,
    operators: 6,
    operands: 6,
    volume: 38.04,
    difficulty: 3.75,
    effort: 142.65,
  });
});

test("extensions are named with the type that they are written for", async () => {
  const functions = await functionsIn(
    'fun String?.orNone(): String = this ?: ""\nfun <K, V> Map<K, V>.size2(): Int = 1\nfun a.b.Shop.open() {}\n',
  );
  expect(functions.map(({ name }) => name)).toEqual(["String.orNone", "Map.size2", "a.b.Shop.open"]);
});

test("an else before an if begins no level of its own", async () => {
  const [kind] = await functionsIn(
    "fun kind(n: Int): Int {\n  return if (n < 0) -1 else if (n == 0) 0 else if (n < 9) 1 else 2\n}\n",
  );
  expect(kind).toMatchObject({ cyclomatic: 4, cognitive: 4, nesting: 1 });
});

test("a return to a label is no jump, and safe calls are no decisions", async () => {
  const [run] = await functionsIn(
    "fun run(all: List<A>?) {\n  all?.forEach {\n    it?.b?.close() ?: return@forEach\n  }\n}\n",
  );
  expect(run).toMatchObject({ cyclomatic: 2, cognitive: 0 });
});

test("a lambda behind the brackets is an argument of a call to itself", async () => {
  const functions = await functionsIn(
    "fun run(times: Int, block: () -> Unit) { run(times - 1) { block() } }\nfun go(times: Int) { go(times) { } }\n",
  );
  expect(functions.map(({ cognitive }) => cognitive)).toEqual([1, 0]);
});

test("signatures without a body are no functions", async () => {
  expect(await functionsIn("interface A {\n  fun open()\n  val size: Int\n}\n")).toEqual([]);
});

test("a condition behind a pattern takes no function away, though the grammar does not know it", async () => {
  const functions = await functionsIn(`fun kind(a: Any): Int = when (a) {
  is Int if a > 3 -> 1
  is String -> 2
  else -> 3
}

fun next() {}
`);
  expect(functions.map(({ name, line, cyclomatic }) => [name, line, cyclomatic])).toEqual([
    ["kind", 1, 3],
    ["next", 7, 1],
  ]);
});

test("bodies of classes in one line take nothing away", async () => {
  const { measures } = await readFacts(
    "kotlin",
    `sealed class R { data class Ok(val v: Int) : R() { fun m() = 1 } }
enum class E(val i: Int) {
  A(1) { override fun m() = 1 },
  B(2) { override fun m() = if (a) 1 else 2 };
  abstract fun m(): Int
}
fun last() = "\${ if (a) { 1 } else { 2 } } }"
`,
    ["measures"],
  );
  expect(measures?.error_line).toBeUndefined();
  expect(measures?.functions.map(({ name, line, cyclomatic }) => [name, line, cyclomatic])).toEqual([
    ["R.Ok.m", 1, 1],
    ["E.A.m", 3, 1],
    ["E.B.m", 4, 2],
    ["last", 7, 2],
  ]);
  // Operators: fun ( = are 3. Operands: m, 1 are 2. What was put in for the grammar is not counted.
  expect(measures?.functions[0]?.halstead).toMatchObject({ operators: 3, operands: 2 });
  const [alone] = await functionsIn("class A : R(1), I { fun m() = 1 }\n");
  expect(alone?.halstead).toMatchObject({ operators: 3, operands: 2 });
});

test("what a setter takes is a parameter", async () => {
  const [set] = await functionsIn("class A {\n  var x = 1\n    set(value) { field = value }\n}\n");
  expect(set).toMatchObject({ name: "A.x.set", parameters: 1 });
});
