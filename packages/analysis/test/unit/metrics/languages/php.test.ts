import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("php", text, ["measures"])).measures?.functions ?? [];

test("Halstead's counts of a function in PHP", async () => {
  // Operators: function ( : { return * ; are 7, each once. Operands: twice, int 2, $x 2, 2 are 4, together 6.
  // Volume 13 · log2(11), difficulty 7/2 · 6/4.
  const [twice] = await functionsIn("<?php function twice(int $x): int { return $x * 2; }\n");
  expect(twice?.halstead).toEqual({
    distinct_operators: 7,
    distinct_operands: 4,
    operators: 7,
    operands: 6,
    volume: 44.97,
    difficulty: 5.25,
    effort: 236.11,
  });
});

test("the short syntax between pieces of a page nests as the long one", async () => {
  const [show] = await functionsIn(
    `<?php function show($all) { ?>
<?php foreach ($all as $each): ?>
  <?php if ($each): ?> <b>yes</b> <?php elseif ($all): ?> no <?php else: ?> none <?php endif; ?>
<?php endforeach; ?>
<?php }
`,
  );
  expect(show).toMatchObject({ line: 1, end_line: 5, cyclomatic: 4, cognitive: 5, nesting: 2 });
});

test("a method is not called by its name alone, nor is a function called on an object", async () => {
  const functions = await functionsIn(
    `<?php
class A extends B {
  function one() { return one(); }
  function two() { return $this?->two(); }
  function three() { return parent::three(); }
  static function four() { return static::four(); }
  function five() { return $this->other->five(); }
}
function six() { return six(); }
`,
  );
  expect(functions.map(({ cognitive }) => cognitive)).toEqual([0, 1, 0, 1, 0, 1]);
});

test("xor asks both sides and is no decision; and, or are", async () => {
  const [run] = await functionsIn("<?php function run($a, $b) { return $a xor $b and $a or $b; }\n");
  expect(run).toMatchObject({ cyclomatic: 3, cognitive: 2 });
});

test("a closure outside any function is named by its variable", async () => {
  const functions = await functionsIn(
    "<?php $area = function ($a, ...$more) use ($b) { return $a; };\narray_map(fn($x) => $x ?: 1, $all);\n",
  );
  expect(functions.map(({ name, parameters, cyclomatic }) => [name, parameters, cyclomatic])).toEqual([
    ["area", 2, 1],
    ["(anonymous)", 1, 2],
  ]);
});
