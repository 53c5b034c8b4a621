import { type Language, parseSource, type SyntaxNode } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { blocksOf } from "../../../src/hotspots/blocks.js";
import { ANALYZERS } from "../../../src/languages/analyzers.js";

/** The parts of the first function with the jumps that lead out of each. */
async function jumpsIn(language: Language, text: string) {
  using tree = await parseSource(language, text);
  const rules = ANALYZERS[language].metrics;
  const find = (node: SyntaxNode): SyntaxNode | undefined =>
    rules.functionKind(node, tree) === undefined ? node.children.map(find).find((found) => found !== undefined) : node;
  const root = find(tree.root);
  if (root === undefined) throw new Error("there is no function");
  return Object.fromEntries(
    blocksOf(rules, tree, root).map(({ what, line, jumps }) => [`${line} ${what}`, jumps.join(" ")]),
  );
}

test("a jump counts where it leads out of the part", async () => {
  const text = `function find(rows) {
  for (const row of rows) {
    if (row.a) {
      if (row.b) break;
      if (row.c) continue;
      while (row.d) {
        if (row.e) break;
        if (row.f) return 1;
      }
    }
  }
  return 0;
}`;
  expect(await jumpsIn("typescript", text)).toEqual({
    '2 the "for"': "return",
    '3 the body of the "for"': "break return",
    '3 the "if"': "break continue return",
    '4 the body of the "if"': "break continue return",
    '6 the "while"': "return",
  });
});

test("a switch contains its breaks, a function all its jumps, and labels name their target", async () => {
  const text = `function find(rows) {
  outer: for (const row of rows) {
    switch (row.a) {
      case 1:
        if (row.b) break;
        if (row.c) continue outer;
        if (row.c && row.d) break;
    }
    row.each((cell) => {
      if (cell) return 1;
      if (!cell) return 2;
    });
    for (const cell of row) {
      if (cell > 1) break outer;
      if (cell > 2) break;
    }
  }
  return 0;
}`;
  expect(await jumpsIn("typescript", text)).toEqual({
    '2 the "for"': "",
    '3 the body of the "for"': "break",
    '3 the "switch"': "continue",
    '4 the body of the "switch"': "break continue",
    '9 the function "(anonymous)"': "",
    '13 the "for"': "break",
  });
});

test("a return of what comes last is the return of the function", async () => {
  const text = `function last(a) {
  for (const b of a) {
    if (b > 1) return b;
    if (b > 2) return 0;
  }
}`;
  expect(await jumpsIn("javascript", text)).toMatchObject({ '2 the "for"': "" });
});

test.each<[Language, string, string]>([
  [
    "python",
    "def f(a):\n  for b in a:\n    while b:\n      if c:\n        break\n      if d:\n        return 1\n  go()",
    "return",
  ],
  [
    "rust",
    "fn f() {\n  'o: for b in a {\n    loop {\n      if c { continue 'o; }\n      if d { return 1; }\n    }\n  }\n  go();\n}",
    "continue return",
  ],
  [
    "go",
    "func f() {\n  for {\n    for {\n      if c {\n        break\n      }\n      if d {\n        goto end\n      }\n    }\n  }\nend:\n}",
    "goto",
  ],
  [
    "java",
    "int f() {\n  o: for (int b : a) {\n    while (b) {\n      if (c) { continue; }\n      if (d) { break o; }\n    }\n  }\n  return 1;\n}",
    "break",
  ],
  [
    "c",
    "int f() {\n  for (;;) {\n    while (b) {\n      if (c) break;\n      if (d) return 1;\n    }\n  }\n  return 2;\n}",
    "return",
  ],
  [
    "csharp",
    "int F() {\n  foreach (var b in a) {\n    while (b) {\n      if (c) break;\n      if (d) return 1;\n    }\n  }\n  return 2;\n}",
    "return",
  ],
  [
    "kotlin",
    "fun f(): Int {\n  o@ for (b in a) {\n    while (b) {\n      if (c) break\n      if (d) { continue@o }\n    }\n  }\n  return 2\n}",
    "continue",
  ],
  [
    "ruby",
    "def f(a)\n  for b in a do\n    while b do\n      break if c\n      return 1 if d\n    end\n  end\n  go\nend",
    "return",
  ],
  [
    "php",
    "<?php function f() {\n  foreach ($a as $b) {\n    while ($b) {\n      if ($c) { break; }\n      if ($d) { continue 2; }\n    }\n  }\n  return 2;\n}",
    "continue",
  ],
  [
    "swift",
    "func f() -> Int {\n  for b in a {\n    while b {\n      if c { break }\n      if d { return 1 }\n    }\n  }\n  return 2\n}",
    "return",
  ],
])("jumps of %s are known", async (language, text, jumps) => {
  expect(await jumpsIn(language, text)).toMatchObject({
    [language === "rust" ? '3 the "loop"' : language === "go" ? '3 the "for"' : '3 the "while"']: jumps,
  });
});

test("a return of Kotlin leaves the function around a lambda, unless it names the lambda", async () => {
  const text = `fun f(a: List<Int>): Int {
  for (b in a) {
    a.forEach {
      if (it > 1) return@forEach
      if (it > 2) return@forEach
    }
    a.forEach {
      if (it > 1) return 1
      if (it > 2) return 2
    }
  }
  return 2
}`;
  expect(await jumpsIn("kotlin", text)).toMatchObject({
    '3 the function "(anonymous)"': "",
    '7 the function "(anonymous)"': "return",
  });
});
