import { sizeInJson } from "@toolwright/kit/files";
import { counted } from "../format.js";
import { noSourceFiles } from "../project/project.js";
import type { Cycle } from "./cycles.js";
import { findFocus, type ReadGraph } from "./read-graph.js";
import { type View, type ViewNode, type ViewOptions, viewOf } from "./view.js";

/** The size of a result in bytes; it contains the graph twice. */
const BUDGET = 40_000;
const MAX_CYCLES = 10;
const MAX_NAMES = 10;

/** A report on the imports of a project. */
export interface DagReport {
  readonly mermaid: string;
  readonly level: View["level"];
  readonly files: number;
  readonly nodes: readonly {
    id: string;
    name: string;
    kind: string;
    uses: number;
    used_by: number;
    complexity?: string;
  }[];
  readonly edges: readonly { from: string; to: string; count: number; weak?: true }[];
  readonly cycles: readonly { files: number; way: readonly string[] }[];
  readonly total_cycles: number;
  readonly most_used: readonly { path: string; used_by: number }[];
  readonly unresolved: { count: number; examples: readonly string[] };
  readonly left_out: View["left_out"];
  readonly notes: readonly string[];
}

/** Draws as many nodes of a graph as fit into a result. */
export function toReport(read: ReadGraph, options: ViewOptions): DagReport {
  const focus = options.focus === undefined ? undefined : findFocus(read.graph, options.focus);
  let maxNodes = options.maxNodes;
  for (;;) {
    const report = draw(read, { ...options, focus, maxNodes });
    if (maxNodes <= 5 || sizeInJson(report) + sizeInJson(report.mermaid) <= BUDGET) return report;
    maxNodes = Math.max(5, Math.floor(maxNodes * 0.7));
  }
}

function draw(read: ReadGraph, options: ViewOptions): DagReport {
  const { graph, cycles, heat } = read;
  const view = viewOf(graph, options);
  const ids = new Map(view.nodes.map(({ name }, index) => [name, `n${index}`]));
  const shownHeat = view.level === "file" ? heat : undefined;
  return {
    mermaid: toMermaid(view, { cycles, heat: shownHeat }),
    level: view.level,
    files: graph.files.length,
    nodes: view.nodes.map(({ name, kind, uses, used_by }) => {
      const complexity = shownHeat?.get(name);
      const id = ids.get(name) ?? "";
      const own = kind === "external" ? name.replace(/^package /, "") : name;
      return { id, name: own, kind, uses, used_by, ...(complexity !== undefined && { complexity }) };
    }),
    edges: view.edges.map(({ from, to, count, isWeak }) => ({
      from: ids.get(from) ?? "",
      to: ids.get(to) ?? "",
      count,
      ...(isWeak && { weak: true as const }),
    })),
    cycles: cycles.slice(0, MAX_CYCLES).map(({ files, way }) => ({ files: files.length, way: way.slice(0, 12) })),
    total_cycles: cycles.length,
    most_used: mostUsed(read),
    unresolved: {
      count: graph.unresolved.length,
      examples: graph.unresolved
        .slice(0, MAX_NAMES)
        .map(({ path, line, from }) => `${path}:${line} ${from}`.slice(0, 200)),
    },
    left_out: view.left_out,
    notes: notesOf(read, view, options),
  };
}

function mostUsed({ graph }: ReadGraph): DagReport["most_used"] {
  const counts = new Map<string, number>();
  for (const { to } of graph.links) counts.set(to, (counts.get(to) ?? 0) + 1);
  const sorted = [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return sorted.slice(0, MAX_NAMES).map(([path, used_by]) => ({ path, used_by }));
}

function notesOf({ graph, skipped, heat }: ReadGraph, { level, left_out }: View, options: ViewOptions): string[] {
  const hasRoom = left_out.nodes === 0 && left_out.edges === 0;
  return [
    ...(graph.files.length === 0 ? [noSourceFiles(skipped.length)] : []),
    ...(hasRoom
      ? []
      : [
          `${counted(left_out.nodes, level)} and ${counted(left_out.edges, "link")} are left out. ${options.focus === undefined ? "Analyze one folder, or focus on one file." : "Use a smaller depth or more nodes."}`,
        ]),
    ...(level === "folder" && options.level === "auto"
      ? ["Shows folders, because there are many files. To see files, include fewer of them or focus on one."]
      : []),
    ...(level === "folder" && heat !== undefined ? ["Complexity is shown for files only, not for folders."] : []),
    ...(skipped.length > 0
      ? [`Skipped or only partly read: ${counted(skipped.length, "file")}, such as ${skipped[0]?.path}.`]
      : []),
  ];
}

/** Writes the graph as Markdown, with what it does not show. */
export function writeReport(report: DagReport): string {
  const { mermaid, files, cycles, total_cycles, most_used, unresolved, notes } = report;
  const cycleLines = cycles.map(
    ({ files: count, way }) => `- ${way.join(" → ")}${count > way.length - 1 ? ` (${count} files in total)` : ""}`,
  );
  return [
    "```mermaid",
    mermaid,
    "```",
    `${counted(files, "file")}, ${total_cycles === 0 ? "no import cycles" : counted(total_cycles, "import cycle")}.`,
    ...cycleLines,
    ...(most_used.length > 0
      ? [`Most used: ${most_used.map((each) => `${each.path} (${each.used_by})`).join(", ")}`]
      : []),
    ...(unresolved.count > 0 ? [`Unresolved imports: ${unresolved.count}: ${unresolved.examples.join("; ")}`] : []),
    ...notes,
  ].join("\n");
}

/** The complexity of the worst function of a file. */
export type Heat = "low" | "medium" | "high";

/** What is drawn in addition to the files. */
export interface Drawing {
  readonly cycles: readonly Cycle[];
  /** The complexity of files, if it is shown. */
  readonly heat?: ReadonlyMap<string, Heat> | undefined;
}

const CLASSES: Readonly<Record<Heat | "external", string>> = {
  low: "fill:#d8f3dc,stroke:#2d6a4f,color:#1b1b1b",
  medium: "fill:#fff3bf,stroke:#b08900,color:#1b1b1b",
  high: "fill:#ffc9c9,stroke:#c92a2a,color:#1b1b1b",
  external: "fill:#e9ecef,stroke:#868e96,color:#1b1b1b",
};

const MAX_LETTERS = 80;
const REPLACEMENT = "#65533;";

/** Writes a graph in Mermaid syntax: cycles in red, weak imports dotted. */
function toMermaid({ nodes, edges }: View, { cycles, heat }: Drawing): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
  const cycleOf = cycleNumbers(cycles);
  const red: number[] = [];
  const lines = edges.map(({ from, to, count, isWeak }, index) => {
    const cycle = cycleOf.get(from);
    if (!isWeak && cycle !== undefined && cycle === cycleOf.get(to)) red.push(index);
    const label = count > 1 ? `|${count}|` : "";
    return `  ${ids.get(from)} ${isWeak ? "-.->" : "-->"}${label} ${ids.get(to)}`;
  });
  const classes = nodes.flatMap((node): string[] => {
    const name = node.kind === "external" ? "external" : heat?.get(node.name);
    return name === undefined ? [] : [`  class ${ids.get(node.name)} ${name}`];
  });
  const used = Object.entries(CLASSES).filter(([name]) => classes.some((each) => each.endsWith(` ${name}`)));
  return [
    "flowchart LR",
    ...nodes.map((node) => `  ${ids.get(node.name)}${boxOf(node)}`),
    ...lines,
    ...used.map(([name, style]) => `  classDef ${name} ${style}`),
    ...classes,
    ...(red.length > 0 ? [`  linkStyle ${red.join(",")} stroke:#c92a2a,stroke-width:2px`] : []),
  ].join("\n");
}

/** The number of the cycle that contains each file. */
const cycleNumbers = (cycles: readonly Cycle[]): Map<string, number> =>
  new Map(cycles.flatMap(({ files }, index) => files.map((file): [string, number] => [file, index])));

function boxOf({ name, kind, files }: ViewNode): string {
  if (kind === "external") return `(["${labelOf(name.replace(/^package /, ""))}"])`;
  return kind === "folder" ? `["${labelOf(`${name}/`)} (${files})"]` : `["${labelOf(name)}"]`;
}

/** Escapes a name for Mermaid: characters with a meaning in its syntax are written as numbers. */
export function labelOf(name: string): string {
  const letters = Array.from(name);
  const short =
    letters.length <= MAX_LETTERS ? letters : [...letters.slice(0, 30), "…", ...letters.slice(31 - MAX_LETTERS)];
  const label = short.map((letter) => (/[\p{L}\p{N} ._/@+,-]/u.test(letter) ? letter : escapeLetter(letter))).join("");
  // Mermaid does not draw an empty box.
  return label.trim() === "" ? REPLACEMENT : label;
}

/** Invisible characters are replaced; they could break the line or reverse the text. */
function escapeLetter(letter: string): string {
  if (letter === "…") return letter;
  return /[\p{C}\p{Z}]/u.test(letter) ? REPLACEMENT : `#${letter.codePointAt(0)};`;
}
