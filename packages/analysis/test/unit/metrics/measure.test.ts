import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";

test("increments are given with their lines, and deeper ones weigh more", async () => {
  const { measures } = await readFacts(
    "typescript",
    `class Stack {
  find(key: string): number {
    for (const [index, each] of this.all.entries()) {
      if (each === key && index > 0 || key === "") return index;
      else if (each) continue;
    }
    return key ? this.find("") : -1;
  }
}
`,
    ["measures"],
  );
  const functions = measures?.functions ?? [];
  expect(functions).toMatchObject([
    { name: "Stack.find", line: 2, end_line: 8, cyclomatic: 7, cognitive: 8, nesting: 2, parameters: 1, lines: 7 },
  ]);
  expect(functions[0]?.increments.filter(({ metric }) => metric === "cognitive")).toEqual([
    { metric: "cognitive", line: 3, adds: 1, reason: "for" },
    { metric: "cognitive", line: 4, adds: 2, reason: "if", nesting: 1 },
    { metric: "cognitive", line: 4, adds: 1, reason: "&&" },
    { metric: "cognitive", line: 4, adds: 1, reason: "||" },
    { metric: "cognitive", line: 5, adds: 1, reason: "else if" },
    { metric: "cognitive", line: 7, adds: 1, reason: "?:" },
    { metric: "cognitive", line: 7, adds: 1, reason: "recursion" },
  ]);
});

test("thousands of functions in each other are measured, each with what is in it", async () => {
  const depth = 3000;
  const text = `${"function f(){".repeat(depth)}if (a) f();${"}".repeat(depth)}`;
  const { measures } = await readFacts("javascript", text, ["measures"]);
  const functions = measures?.functions ?? [];
  expect(functions).toHaveLength(depth);
  expect(functions[0]).toMatchObject({ name: "f", cyclomatic: 1, cognitive: 1, nesting: 0 });
  expect(functions.at(-1)).toMatchObject({ cyclomatic: 2, cognitive: 2, nesting: 1 });
  const lambdas = await readFacts("javascript", `x = ${"() => ".repeat(5000)}1;`, ["measures"]);
  expect(lambdas.measures?.functions).toHaveLength(5000);
});

test("functions inside count in the outer one as deep as they lie, and recursion only in the one that is called", async () => {
  const { measures } = await readFacts(
    "python",
    `def outer(a):
    if a:
        def inner(b):
            for x in b:
                inner(x)
                outer(x)
    return lambda c: 1 if c else 2
`,
    ["measures"],
  );
  expect(
    measures?.functions.map(({ name, cyclomatic, cognitive, nesting }) => [name, cyclomatic, cognitive, nesting]),
  ).toEqual([
    ["outer", 3, 7, 1],
    ["outer.inner", 2, 2, 1],
  ]);
});
