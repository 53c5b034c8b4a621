import { expect, test } from "vitest";
import { findCycles } from "../../src/imports/cycles.js";
import type { LinkedFile } from "../../src/imports/graph.js";
import { buildGraph } from "../../src/imports/read-graph.js";

const fileOf = (path: string, imports: readonly string[]): LinkedFile => ({
  path,
  displayPath: path,
  realPath: path,
  language: "typescript",
  origin: "own",
  facts: { outline: [], imports: imports.map((from, index) => ({ from, line: index + 1 })) },
});

test("a chain of 20,000 files has no circle until its end leads to its beginning", () => {
  const chain = Array.from({ length: 20_000 }, (_, index) => fileOf(`f${index}.ts`, [`./f${index + 1}.js`]));
  const open = buildGraph([...chain, fileOf("f20000.ts", [])], []);
  expect(open.links).toHaveLength(20_000);
  expect(findCycles(open.files, open.links)).toEqual([]);
  const closed = buildGraph([...chain, fileOf("f20000.ts", ["./f0.js"])], []);
  const [cycle, ...others] = findCycles(closed.files, closed.links);
  expect(cycle?.files).toHaveLength(20_001);
  expect(cycle?.way).toHaveLength(20_002);
  expect(others).toEqual([]);
});

test("cycles without a common file are separate, the largest first", () => {
  const files = [
    fileOf("a.ts", ["./b.js"]),
    fileOf("b.ts", ["./a.js", "./c.js"]),
    fileOf("c.ts", ["./d.js"]),
    fileOf("d.ts", ["./e.js"]),
    fileOf("e.ts", ["./c.js"]),
    fileOf("self.ts", ["./self.js"]),
  ];
  const { files: names, links } = buildGraph(files, []);
  expect(findCycles(names, links)).toEqual([
    { files: ["c.ts", "d.ts", "e.ts"], way: ["c.ts", "d.ts", "e.ts", "c.ts"] },
    { files: ["a.ts", "b.ts"], way: ["a.ts", "b.ts", "a.ts"] },
  ]);
});
