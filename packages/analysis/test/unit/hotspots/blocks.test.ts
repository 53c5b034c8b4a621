import { type Language, parseSource, type SyntaxNode } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { blocksOf } from "../../../src/hotspots/blocks.js";
import { ANALYZERS } from "../../../src/languages/analyzers.js";

async function blocksIn(language: Language, text: string) {
  using tree = await parseSource(language, text);
  const rules = ANALYZERS[language].metrics;
  const find = (node: SyntaxNode): SyntaxNode | undefined =>
    rules.functionKind(node, tree) === undefined ? node.children.map(find).find((found) => found !== undefined) : node;
  const root = find(tree.root);
  return root === undefined
    ? []
    : blocksOf(rules, tree, root).map(
        ({ what, line, end_line, takes, becomes }) => `${line}–${end_line} ${what} ${takes}→${becomes}`,
      );
}

test("each part of a function says what it takes away, and what it would be alone", async () => {
  const text = `function bill(orders, rates) {
  let sum = 0;
  for (const order of orders) { // 1
    if (order.paid) continue; // 2
    for (const item of order.items) { // 2
      if (item.count > 0 && item.price > 0) { // 3 + 1
        if (rates[item.kind]) { // 4
          sum += item.price * rates[item.kind];
        } else { // 1
          sum += item.price;
        }
      }
    }
  }
  return sum;
}`;
  expect(await blocksIn("typescript", text)).toEqual([
    '3–14 the "for" 14→14',
    '4–13 the body of the "for" 13→9',
    '5–13 the "for" 11→8',
    '6–12 the body of the "for" 9→5',
    '6–12 the "if" 9→5',
    '7–11 the body of the "if" 5→2',
    '7–11 the "if" 5→2',
  ]);
});

test("a function inside a function is a part of its own", async () => {
  const text = `function outer(list) {
  if (list === undefined) return;
  list.each((item) => {
    if (item) {
      go();
    }
  });
}`;
  expect(await blocksIn("javascript", text)).toEqual(['3–7 the function "(anonymous)" 2→1', '4–6 the "if" 2→1']);
});

test("functions inside are not gone because the only condition around them is", async () => {
  const text = `function outer(list) {
  for (const item of list) {
    if (item) go(item);
  }
  function inner(a) {
    if (a) return a.b ? 1 : 2;
  }
}`;
  expect(await blocksIn("javascript", text)).toEqual(['2–4 the "for" 3→3', '5–7 the function "inner" 5→3']);
});

test("bodies without brackets have lines too", async () => {
  const text = `def f(rows):
    for row in rows:
        if row:
            if row.a:
                go(row)
            else:
                stop(row)
`;
  expect(await blocksIn("python", text)).toContain('3–7 the body of the "for" 6→4');
});

test("what is short, or adds nothing, is no part", async () => {
  expect(await blocksIn("typescript", "function f(a) {\n  if (a) return 1;\n  return 2;\n}")).toEqual([]);
});

test.each<[Language, string]>([
  [
    "typescript",
    "function f(a) {\n  for (const b of a) {\n    if (b) {\n      if (c) {\n        go();\n      }\n    }\n  }\n}",
  ],
  [
    "go",
    "func f(a []int) {\n  for _, b := range a {\n    if b > 0 {\n      if c {\n        g()\n      }\n    }\n  }\n}",
  ],
  ["rust", "fn f(a: &[i32]) {\n  for b in a {\n    if *b > 0 {\n      if c {\n        g();\n      }\n    }\n  }\n}"],
  [
    "java",
    "void f(int[] a) {\n  for (int b : a) {\n    if (b > 0) {\n      if (c) {\n        g();\n      }\n    }\n  }\n}",
  ],
  [
    "c",
    "void f(int *a) {\n  for (int b = 0; b < 3; b++) {\n    if (a[b]) {\n      if (c) {\n        g();\n      }\n    }\n  }\n}",
  ],
  ["cpp", "void f(int *a) {\n  for (auto b : a) {\n    if (b) {\n      if (c) {\n        g();\n      }\n    }\n  }\n}"],
  [
    "csharp",
    "void F(int[] a) {\n  foreach (var b in a) {\n    if (b > 0) {\n      if (c) {\n        G();\n      }\n    }\n  }\n}",
  ],
  [
    "kotlin",
    "fun f(a: List<Int>) {\n  for (b in a) {\n    if (b > 0) {\n      if (c) {\n        g()\n      }\n    }\n  }\n}",
  ],
  ["ruby", "def f(a)\n  for b in a do\n    if b\n      if c\n        g\n      end\n    end\n  end\nend"],
  [
    "php",
    "<?php function f($a) {\n  foreach ($a as $b) {\n    if ($b) {\n      if ($c) {\n        g();\n      }\n    }\n  }\n}",
  ],
  ["swift", "func f(a: [Int]) {\n  for b in a {\n    if b > 0 {\n      if c {\n        g()\n      }\n    }\n  }\n}"],
])("parts of %s are measured as elsewhere", async (language, text) => {
  expect(await blocksIn(language, text)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^2–8 the "for(?:each)?" 6→6$/),
      expect.stringMatching(/^3–7 the body of the "for(?:each)?" 5→3$/),
      '3–7 the "if" 5→3',
      '4–6 the "if" 3→1',
    ]),
  );
});
