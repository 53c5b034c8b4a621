import { choiceOf, numberOf } from "@toolwright/kit/cli";
import { type Column, visibleLine } from "@toolwright/kit/terminal";
import { count, counted } from "../format.js";
import type { ImportGraph } from "../imports/graph.js";
import { findFocus, readGraph } from "../imports/read-graph.js";
import { type DagReport, toReport, writeReport } from "../imports/report.js";
import type { Deed, Desk } from "./deed.js";
import { showFocus } from "./show-focus.js";
import { remarks, section } from "./view.js";

/** How many circles are shown. */
const MOST_CYCLES = 5;

type Used = DagReport["most_used"][number];

const used = (name: string): readonly Column<Used>[] => [
  { name, text: ({ path }) => path, gives: "path" },
  { name: "used by", text: ({ used_by }) => count(used_by), isNumber: true },
];

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
    const [given] = options["--focus"] ?? [];
    const focus = given === undefined ? undefined : findFocus(read.graph, given);
    const isForPeople = format === "summary";
    const report = toReport(read, {
      // A list of files has room for more of them than a diagram.
      level: choiceOf(options, "--level", ["auto", "file", "folder"]) ?? (isForPeople && focus ? "file" : "auto"),
      focus,
      depth: numberOf(options, "--depth", 1, 10) ?? 1,
      external: options["--external"] !== undefined,
      maxNodes: numberOf(options, "--max-nodes", 5, 150) ?? 60,
    });
    if (format === "json") return { text: JSON.stringify(report, null, 2) };
    if (format === "mermaid") return { text: report.mermaid };
    if (format === "markdown") return { text: writeReport(report) };
    const middle =
      focus === undefined
        ? [
            ...section(desk, "Most used", used("file"), { rows: report.most_used, most: 10 }),
            ...section(desk, "Packages", used("package"), { rows: packagesIn(desk, read.graph), most: 10 }),
          ]
        : showFocus(desk, focus, report);
    return { text: show(desk, report, middle) };
  },
};

/** What is used from elsewhere, where --external asks for it. */
const packagesIn = ({ options }: Desk, { external }: ImportGraph): readonly Used[] =>
  options["--external"] === undefined
    ? []
    : [...external].map(([path, users]) => ({ path, used_by: users.size })).toSorted((a, b) => b.used_by - a.used_by);

function show(desk: Desk, report: DagReport, middle: readonly string[]): string {
  const { files, edges, cycles, total_cycles, unresolved, notes } = report;
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
    ...middle,
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
      notes.filter((note) => desk.options["--focus"] !== undefined || !/are not shown|^Shown by/.test(note)),
    ),
  ].join("\n");
}
