import { describe, expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { labelOf } from "../../src/imports/report.js";
import { openBench } from "../kit.js";
import { linksIn, linksOf } from "./links.js";

const CHAIN = {
  "a.ts": 'import "./b.js";\nimport "zod";\n',
  "b.ts": 'import "./c.js";\n',
  "c.ts": 'import "./d.js";\nimport "./gone.js";\n',
  "d.ts": "export {};\n",
};
const CIRCLE = {
  "a.ts": 'import "./b.js";\n',
  "b.ts": 'import "./c.js";\n',
  "c.ts": 'import "./a.js";\nimport "./b.js";\n',
  "d.ts": 'import type { E } from "./e.js";\n',
  "e.ts": 'import { d } from "./d.js";\n',
};

describe("analyze_dag", () => {
  test("draws files and links in the language of Mermaid", async () => {
    const { call } = await openBench({ files: CHAIN });
    expect(await call("analyze_dag")).toEqual({
      mermaid: [
        "flowchart LR",
        '  n0["a.ts"]',
        '  n1["b.ts"]',
        '  n2["c.ts"]',
        '  n3["d.ts"]',
        "  n0 --> n1",
        "  n1 --> n2",
        "  n2 --> n3",
      ].join("\n"),
      level: "file",
      files: 4,
      nodes: [
        { id: "n0", name: "a.ts", kind: "file", uses: 1, used_by: 0 },
        { id: "n1", name: "b.ts", kind: "file", uses: 1, used_by: 1 },
        { id: "n2", name: "c.ts", kind: "file", uses: 1, used_by: 1 },
        { id: "n3", name: "d.ts", kind: "file", uses: 0, used_by: 1 },
      ],
      edges: [
        { from: "n0", to: "n1", count: 1 },
        { from: "n1", to: "n2", count: 1 },
        { from: "n2", to: "n3", count: 1 },
      ],
      cycles: [],
      total_cycles: 0,
      most_used: [
        { path: "b.ts", used_by: 1 },
        { path: "c.ts", used_by: 1 },
        { path: "d.ts", used_by: 1 },
      ],
      unresolved: { count: 1, examples: ["c.ts:2 ./gone.js"] },
      left_out: { nodes: 0, edges: 0 },
      notes: [],
    });
  });

  test("finds circles with a shortest way round, and draws them in red; types close none", async () => {
    const { call } = await openBench({ files: CIRCLE });
    const found = await call("analyze_dag");
    expect(found["cycles"]).toEqual([{ files: 3, way: ["b.ts", "c.ts", "b.ts"] }]);
    expect(found["mermaid"]).toContain("  linkStyle 0,1,2,3 stroke:#c92a2a,stroke-width:2px");
    expect(found["mermaid"]).toContain("  n3 -.-> n4");
  });

  test("shows what is around one file, so many steps away", async () => {
    expect(await linksOf(CHAIN, { focus: "./b.ts" })).toEqual(["a.ts → b.ts", "b.ts → c.ts"]);
    expect(await linksOf(CHAIN, { focus: "b.ts", depth: 2 })).toEqual(["a.ts → b.ts", "b.ts → c.ts", "c.ts → d.ts"]);
  });

  test("a focus that is not there is refused with what may be meant", async () => {
    const { fail } = await openBench({ files: { "src/stack.ts": "export {};\n", "src/queue.ts": "export {};\n" } });
    const { code, text } = await fail("analyze_dag", { focus: "src/stakc.ts" });
    expect(code).toBe("NOT_FOUND");
    expect(text).toContain("did you mean src/stack.ts?");
  });

  test("shows packages on request, and distinguishes them from files of that name", async () => {
    const { call } = await openBench({ files: { ...CHAIN, zod: "", "zod.ts": 'import "zod";\n' } });
    const found = await call("analyze_dag", { external: true });
    expect(linksIn(found)).toContain("zod.ts → zod");
    expect(found["mermaid"]).toContain('(["zod"])');
    expect(found["nodes"]).toContainEqual({ id: "n4", name: "zod", kind: "external", uses: 0, used_by: 2 });
  });

  test("many files are shown as folders, the fullest in parts, and no more nodes than were asked for", async () => {
    const files: Record<string, string> = {};
    for (let index = 0; index < 60; index++)
      files[`src/part${index % 12}/f${index}.ts`] = `import "../part${(index + 1) % 12}/f${(index + 1) % 60}.js";\n`;
    const { call } = await openBench({ files });
    const folders = await call("analyze_dag");
    expect(folders).toMatchObject({ level: "folder", files: 60, total_cycles: 1 });
    expect(folders["mermaid"]).toContain('["src/part0/ (5)"]');
    expect(folders["mermaid"]).toContain("-->|5|");
    const few = await call("analyze_dag", { level: "file", max_nodes: 5 });
    expect(few["nodes"]).toHaveLength(5);
    expect(few).toMatchObject({ left_out: { nodes: 55 } });
  });

  test("colours files by their worst function", async () => {
    const ifs = (count: number) => `export function f(x: number) {\n${"  if (x) x++;\n".repeat(count)}}\n`;
    const { call } = await openBench({ files: { "a.ts": ifs(2), "b.ts": ifs(12), "c.ts": ifs(30) } });
    const { mermaid, nodes } = await call("analyze_dag", { show_complexity: true });
    expect(nodes).toMatchObject([{ complexity: "low" }, { complexity: "medium" }, { complexity: "high" }]);
    expect(mermaid).toContain("  class n2 high");
  });

  test("a focus that matches no file is an error", async () => {
    const { fail } = await openBench({ files: { "a.ts": "export const a = 1;\n" } });
    expect((await fail("analyze_dag", { focus: "nowhere.py" })).text).toBe(
      'Cannot show the imports around "nowhere.py": no analyzed file matches (1 file analyzed). Give a path relative to the project.',
    );
  });

  test("a folder without sources says so", async () => {
    const { client } = await openBench({ files: { "readme.md": "# hi" } });
    expect(textOf(await client.callTool("analyze_dag", {}))).toContain("No source file was found");
  });

  test("files that all use each other stay within a result", async () => {
    const names = Array.from(
      { length: 120 },
      (_, index) => `a-rather-long-folder-name/another-one/file-number-${index}.ts`,
    );
    const text = names.map((name) => `import "./${name.split("/").pop()}";\n`).join("");
    const { call } = await openBench({ files: Object.fromEntries(names.map((name) => [name, text])) });
    const found = await call("analyze_dag", { level: "file", max_nodes: 150 });
    expect(JSON.stringify(found).length).toBeLessThan(40_000);
    expect(found).toMatchObject({ total_cycles: 1, cycles: [{ files: 120 }] });
  });
});

test.each([
  ['a"b.ts', "a#34;b.ts"],
  ["a\nb", "a#65533;b"],
  ["%%{init}%%", "#37;#37;#123;init#125;#37;#37;"],
  ["</script>", "#60;/script#62;"],
  ["a;b#c`d", "a#59;b#35;c#96;d"],
  ["\u202Eevil", "#65533;evil"],
  ["größe/文件.ts", "größe/文件.ts"],
  ["", "#65533;"],
  ["x".repeat(500), `${"x".repeat(30)}…${"x".repeat(49)}`],
])("the name %j is written so that Mermaid shows it: %s", (name, label) => {
  expect(labelOf(name)).toBe(label);
});
