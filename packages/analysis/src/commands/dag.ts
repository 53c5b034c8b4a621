import { defineCommand } from "@toolwright/kit/cli";
import { type Column, visibleLine } from "@toolwright/kit/terminal";
import { count, counted } from "../format.js";
import type { ImportGraph } from "../imports/graph.js";
import type { DagReport } from "../imports/report.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  FILE_OPTIONS,
  formatOption,
  PATH_ARGUMENT,
  remarks,
  runAnalysis,
  section,
} from "./run-analysis.js";

const FORMATS = ["summary", "json", "markdown", "mermaid"] as const;

/** `toolwright analyze dag` */
export const dag = defineCommand({
  name: "dag",
  summary: "Show which file imports which, as a Mermaid diagram",
  tool: "analyze_dag",
  args: PATH_ARGUMENT,
  options: {
    level: {
      type: "string",
      choices: ["auto", "file", "folder"],
      placeholder: "LEVEL",
      description: "What the nodes are; auto shows folders if there are many files.",
    },
    focus: {
      type: "string",
      placeholder: "FILE",
      description: "Show only this file, what it imports and what imports it.",
      complete: "file",
    },
    depth: {
      type: "integer",
      min: 1,
      max: 10,
      default: 1,
      placeholder: "NUMBER",
      description: "Steps around --focus.",
    },
    external: { type: "boolean", description: "Include packages from outside the project." },
    maxNodes: {
      type: "integer",
      min: 5,
      max: 150,
      default: 60,
      placeholder: "NUMBER",
      description: "The maximum number of nodes.",
    },
    showComplexity: { type: "boolean", description: "Color files by complexity." },
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  examples: ["toolwright analyze dag src --format mermaid", "toolwright analyze dag --focus src/main.ts"],
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async (screen) => {
      const [{ findFocus, readGraph }, { toReport, writeReport }] = await Promise.all([
        import("../imports/read-graph.js"),
        import("../imports/report.js"),
      ]);
      const { analysis, call, path, format } = screen;
      const { include, exclude, showComplexity, external, depth, maxNodes } = input;
      const read = await readGraph(analysis, call, { path, include, exclude, complexity: showComplexity });
      const focus = input.focus === undefined ? undefined : findFocus(read.graph, input.focus);
      // A list has room for more files than a diagram.
      const level = input.level ?? (format === "summary" && focus !== undefined ? "file" : "auto");
      const report = toReport(read, { level, focus, depth, external, maxNodes });
      if (format === "json") return { text: JSON.stringify(report, null, 2) };
      if (format === "mermaid") return { text: report.mermaid };
      if (format === "markdown") return { text: writeReport(report) };
      const packages = external ? packagesIn(read.graph) : [];
      const details =
        focus === undefined
          ? [
              ...section(screen, "Most used", usageColumns("file"), { rows: report.most_used, limit: 10 }),
              ...section(screen, "Packages", usageColumns("package"), { rows: packages, limit: 10 }),
            ]
          : showFocus(screen, focus, report);
      return { text: show(screen, report, { details, hasFocus: focus !== undefined }) };
    }),
});

type Used = DagReport["most_used"][number];

const usageColumns = (name: string): readonly Column<Used>[] => [
  { name, text: ({ path }) => path, gives: "path" },
  { name: "used by", text: ({ used_by }) => count(used_by), isNumber: true },
];

const packagesIn = ({ external }: ImportGraph): readonly Used[] =>
  [...external].map(([path, users]) => ({ path, used_by: users.size })).toSorted((a, b) => b.used_by - a.used_by);

const MAX_CYCLES = 5;

function show(
  screen: AnalysisScreen,
  report: DagReport,
  { details, hasFocus }: { readonly details: readonly string[]; readonly hasFocus: boolean },
): string {
  const { files, edges, cycles, total_cycles, unresolved, notes } = report;
  const { paint, project } = screen;
  const found =
    total_cycles > 0
      ? paint.red(counted(total_cycles, "import cycle"))
      : files === 0
        ? "no import cycles"
        : paint.green("no import cycles");
  const left = total_cycles - Math.min(MAX_CYCLES, cycles.length);
  return [
    `${paint.bold(`Imports of ${project}`)}: ${counted(files, "file")}, ${found}`,
    ...cycles.slice(0, MAX_CYCLES).map(({ way }) => `  ${visibleLine(way.join(" → "))}`),
    ...(left > 0 && total_cycles > 0 ? [paint.faint(`  and ${count(left)} more`)] : []),
    ...details,
    ...(unresolved.count === 0
      ? []
      : [
          "",
          `${counted(unresolved.count, "unresolved import")}, such as`,
          ...unresolved.examples.slice(0, 3).map((example) => `  ${visibleLine(example)}`),
        ]),
    ...(edges.length === 0
      ? []
      : [
          "",
          paint.faint('For the diagram run "toolwright analyze dag --format mermaid", with --focus FILE for one file.'),
        ]),
    // Notes on the diagram do not matter where it is not shown.
    ...remarks(
      screen,
      notes.filter((note) => hasFocus || !/are left out|^Shows folders/.test(note)),
    ),
  ].join("\n");
}

/** An import between two files, or of a package. */
interface Link {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
}

const IMPORTS: Column<Link> = { name: "imports", text: ({ imports }) => count(imports), isNumber: true };
const USER: Column<Link> = { name: "file", text: ({ from }) => from, gives: "path" };
const usedColumn = (name: string): Column<Link> => ({ name, text: ({ to }) => to, gives: "path" });
/** The report is limited by `--max-nodes`. */
const limit = Number.POSITIVE_INFINITY;

/** What a file imports, what imports it, and what else is within `--depth`. */
function showFocus(screen: AnalysisScreen, focus: string, { level, nodes, edges }: DagReport): readonly string[] {
  const names = new Map(nodes.map(({ id, name, kind }) => [id, kind === "external" ? `${name} (package)` : name]));
  const links = edges.map((edge): Link => {
    return { from: names.get(edge.from) ?? "", to: names.get(edge.to) ?? "", imports: edge.count };
  });
  const file = visibleLine(focus);
  if (level === "folder")
    return section(screen, `Folders around ${file}`, [USER, usedColumn("uses"), IMPORTS], { rows: links, limit });
  const uses = links.filter(({ from }) => from === focus);
  const usedBy = links.filter(({ to }) => to === focus);
  const rows = links.filter(({ from, to }) => from !== focus && to !== focus);
  // These counts include files that are left out.
  const own = nodes.find(({ name, kind }) => kind === "file" && name === focus);
  return [
    ...(own?.uses === 0 ? ["", `${file} uses no file`] : []),
    ...section(screen, `${file} uses`, [usedColumn("file"), IMPORTS], { rows: uses, limit }),
    ...(own?.used_by === 0 ? ["", `No file uses ${file}`] : []),
    ...section(screen, `${file} is used by`, [USER, IMPORTS], { rows: usedBy, limit }),
    ...section(screen, "Around it", [USER, usedColumn("uses"), IMPORTS], { rows, limit }),
  ];
}
