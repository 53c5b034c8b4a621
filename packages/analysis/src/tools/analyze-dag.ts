import { tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import {
  BOOLEAN,
  COUNT,
  EXCLUDE,
  INCLUDE,
  listOf,
  PATH,
  STRING,
  STRINGS,
  toAnalysisCall,
  toContent,
} from "../schema.js";

/** The tool that draws the import graph. */
export const analyzeDag = (analysis: Analysis) =>
  tool({
    name: "analyze_dag",
    title: "Draw the import graph",
    description:
      "Draws the imports between files as a Mermaid graph, and lists import cycles and the most used files. Use focus to see what depends on one file.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        include: INCLUDE,
        exclude: EXCLUDE,
        level: {
          enum: ["auto", "file", "folder"],
          default: "auto",
          description: "auto shows folders if there are many files",
        },
        focus: { type: "string", description: "Only this file, what it imports and what imports it" },
        depth: { type: "integer", minimum: 1, maximum: 10, default: 1, description: "Steps around focus" },
        external: { ...BOOLEAN, default: false, description: "Show packages from outside the project" },
        max_nodes: { type: "integer", minimum: 5, maximum: 150, default: 60, description: "Maximum number of nodes" },
        show_complexity: { ...BOOLEAN, default: false, description: "Color files by complexity" },
      },
    },
    output: {
      type: "object",
      properties: {
        mermaid: STRING,
        level: { enum: ["file", "folder"] },
        files: COUNT,
        nodes: listOf({ id: STRING, name: STRING, kind: STRING, uses: COUNT, used_by: COUNT, complexity: STRING }, [
          "id",
          "name",
          "kind",
          "uses",
          "used_by",
        ]),
        edges: listOf({ from: STRING, to: STRING, count: COUNT, weak: BOOLEAN }, ["from", "to", "count"]),
        cycles: listOf({ files: COUNT, way: STRINGS }, ["files", "way"]),
        total_cycles: COUNT,
        most_used: listOf({ path: STRING, used_by: COUNT }, ["path", "used_by"]),
        unresolved: { type: "object", properties: { count: COUNT, examples: STRINGS } },
        left_out: { type: "object", properties: { nodes: COUNT, edges: COUNT } },
        notes: STRINGS,
      },
      required: ["mermaid", "level", "files", "nodes", "edges", "cycles", "total_cycles", "most_used", "unresolved"],
    },
    annotations: READ,
    timeoutMs: 120_000,
    async run(
      { project_path: path, include, exclude, max_nodes: maxNodes, show_complexity: complexity, ...view },
      call,
    ) {
      const [{ readGraph }, { toReport, writeReport }] = await Promise.all([
        import("../imports/read-graph.js"),
        import("../imports/report.js"),
      ]);
      const read = await readGraph(analysis, toAnalysisCall(call), { path, include, exclude, complexity });
      const report = toReport(read, { ...view, maxNodes });
      return toContent(writeReport(report), report);
    },
  });
