import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const globs = { type: "array", items: words } as const;
const list = (properties: JsonObject, required: readonly string[]) =>
  ({ type: "array", items: { type: "object", properties, required: [...required] } }) as const;

/** Draws what uses what. */
export const analyzeDag = (analysis: Analysis) =>
  tool({
    name: "analyze_dag",
    title: "Draw the imports",
    description: "Imports between files as a Mermaid graph, with circles and the most used files.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        include: globs,
        exclude: globs,
        level: { enum: ["auto", "file", "folder"], default: "auto" },
        focus: { type: "string", description: "One file: what it uses and who uses it" },
        depth: { type: "integer", minimum: 1, maximum: 10, default: 1 },
        external: { type: "boolean", default: false, description: "Show packages too" },
        max_nodes: { type: "integer", minimum: 5, maximum: 150, default: 60 },
        show_complexity: { type: "boolean", default: false },
      },
    },
    output: {
      type: "object",
      properties: {
        mermaid: words,
        level: { enum: ["file", "folder"] },
        files: count,
        nodes: list({ id: words, name: words, kind: words, uses: count, used_by: count, complexity: words }, [
          "id",
          "name",
          "kind",
          "uses",
          "used_by",
        ]),
        edges: list({ from: words, to: words, count, weak: { type: "boolean" } }, ["from", "to", "count"]),
        cycles: list({ files: count, way: { type: "array", items: words } }, ["files", "way"]),
        total_cycles: count,
        most_used: list({ path: words, used_by: count }, ["path", "used_by"]),
        unresolved: { type: "object", properties: { count, examples: { type: "array", items: words } } },
        left_out: { type: "object", properties: { nodes: count, edges: count } },
        notes: { type: "array", items: words },
      },
      required: ["mermaid", "level", "files", "nodes", "edges", "cycles", "total_cycles", "most_used", "unresolved"],
    },
    annotations: READS,
    timeoutMs: 120_000,
    async run(
      { project_path: path, include, exclude, max_nodes: maxNodes, show_complexity: complexity, ...wish },
      call,
    ) {
      const [{ readGraph }, { toReport, writeReport }] = await Promise.all([
        import("../imports/read-graph.js"),
        import("../imports/report.js"),
      ]);
      const read = await readGraph(analysis, call, { path, include, exclude, complexity });
      const report = toReport(read, { ...wish, focus: wish.focus, maxNodes });
      return new Content([text(writeReport(report))], report as object as JsonObject);
    },
  });
