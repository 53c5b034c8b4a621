import { expect, test } from "vitest";
import { readFacts } from "../facts/read-facts.js";

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
