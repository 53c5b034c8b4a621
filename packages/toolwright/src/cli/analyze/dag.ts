import { readGraph } from "../../packs/analysis/imports/read-graph.js";
import { type DagReport, toReport, writeReport } from "../../packs/analysis/imports/report.js";
import { choiceOf, numberOf } from "../option-values.js";
import { visibleLine } from "../terminal/visible.js";
import type { Deed, Desk } from "./deed.js";
import { remarks, section } from "./view.js";
import { count, counted } from "./words.js";

/** How many circles are shown. */
const MOST_CYCLES = 5;

/** `toolwright analyze dag`: which file imports which. */
export const dag: Deed = {
  takes: ["--include", "--exclude", "--level", "--focus", "--depth", "--external", "--max-nodes", "--show-complexity"],
  formats: ["summary", "json", "markdown", "mermaid"],
  async run(desk) {
    const { analysis, call, path, options, format } = desk;
    const read = await readGraph(analysis, call, {
      path,
      include: options["--include"],
      exclude: options["--exclude"],
      complexity: options["--show-complexity"] !== undefined,
    });
    const report = toReport(read, {
      level: choiceOf(options, "--level", ["auto", "file", "folder"]) ?? "auto",
      focus: options["--focus"]?.[0],
      depth: numberOf(options, "--depth", 1, 10) ?? 1,
      external: options["--external"] !== undefined,
      maxNodes: numberOf(options, "--max-nodes", 5, 150) ?? 60,
    });
    if (format === "json") return { text: JSON.stringify(report, null, 2) };
    if (format === "mermaid") return { text: report.mermaid };
    if (format === "markdown") return { text: writeReport(report) };
    return { text: show(desk, report) };
  },
};

function show(desk: Desk, { files, edges, cycles, total_cycles, most_used, unresolved, notes }: DagReport): string {
  const { paint, project } = desk;
  const circles =
    total_cycles === 0
      ? files === 0
        ? "no circles"
        : paint.green("no circles")
      : paint.red(counted(total_cycles, "circle"));
  const left = total_cycles - Math.min(MOST_CYCLES, cycles.length);
  return [
    `${paint.bold(`Imports of ${project}`)}: ${counted(files, "file")}, ${circles}`,
    ...cycles.slice(0, MOST_CYCLES).map(({ way }) => `  ${visibleLine(way.join(" → "))}`),
    ...(left > 0 && total_cycles > 0 ? [paint.faint(`  and ${count(left)} more`)] : []),
    ...section<DagReport["most_used"][number]>(
      desk,
      "Most used",
      [
        { name: "file", text: ({ path }) => path, gives: "path" },
        { name: "used by", text: ({ used_by }) => count(used_by), isNumber: true },
      ],
      { rows: most_used, most: 10 },
    ),
    ...(unresolved.count === 0
      ? []
      : [
          "",
          `${counted(unresolved.count, "import")} ${unresolved.count === 1 ? "leads" : "lead"} nowhere, such as`,
          ...unresolved.examples.slice(0, 3).map((example) => `  ${visibleLine(example)}`),
        ]),
    ...(edges.length === 0
      ? []
      : ["", paint.faint('The diagram: "toolwright analyze dag --format mermaid", with --focus FILE for one file.')]),
    // How the diagram was drawn is of no matter where it is not shown.
    ...remarks(
      desk,
      notes.filter((note) => !/are not shown|^Shown by/.test(note)),
    ),
  ].join("\n");
}
