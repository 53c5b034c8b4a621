import type { FunctionBrief, HotspotFile, Hotspots } from "../../packs/analysis/hotspots/hotspots.js";
import { visibleLine } from "../terminal/visible.js";
import type { Desk } from "./deed.js";
import type { Column } from "./table.js";
import { remarks, section, skippedFiles } from "./view.js";
import { count, counted } from "./words.js";

/** How many places of each list a brief names. */
const MOST_LISTED = 3;

/** Hotspots for people: the worst files, and what to do about the worst functions. */
export function showHotspots(desk: Desk, found: Hotspots, top: number): string {
  const { paint, project } = desk;
  const { files, briefs, basis, period_days, tests } = found;
  const by = basis === "complexity" ? "complexity" : `complexity × churn of ${counted(period_days, "day")}`;
  return [
    `${paint.bold(`Hotspots of ${project}`)}: ${counted(files.length, "file")} by ${by}${tests > 0 ? paint.faint(`, without ${counted(tests, "test file")}`) : ""}`,
    ...section(desk, "Files", columns(desk), { rows: files, most: top }),
    ...(briefs.length === 0 ? [] : ["", paint.bold("Where to begin")]),
    ...briefs.flatMap((brief, index) => showBrief(desk, brief, index)),
    ...skippedFiles(desk, found.skipped),
    ...remarks(desk, found.remarks),
  ].join("\n");
}

function columns({ paint }: Desk): readonly Column<HotspotFile>[] {
  const heat = (text: string, { score }: HotspotFile): string =>
    score >= 40 ? paint.red(text) : score >= 16 ? paint.yellow(text) : text;
  return [
    { name: "file", text: ({ path }) => path, gives: "path" },
    { name: "score", text: ({ score }) => score.toFixed(1), isNumber: true, paint: heat },
    { name: "complexity", text: ({ complexity }) => count(complexity), isNumber: true },
    { name: "churn", text: ({ churn }) => churn.toFixed(2), isNumber: true },
    { name: "commits", text: ({ commits }) => count(commits), isNumber: true },
    { name: "lines", text: ({ code_lines }) => count(code_lines), isNumber: true },
    { name: "main author", text: ({ authors: [first] }) => first?.name ?? "–", gives: "words" },
  ];
}

function showBrief({ paint }: Desk, brief: FunctionBrief, index: number): string[] {
  const { steps, callers, tests, coupled } = brief;
  const few = (items: readonly string[]): string =>
    items.length > MOST_LISTED
      ? `${items.slice(0, MOST_LISTED).join(", ")} and ${items.length - MOST_LISTED} more`
      : items.join(", ");
  const row = (label: string, text: string): string => `   ${paint.faint(label.padEnd(8))} ${visibleLine(text)}`;
  return [
    "",
    `${paint.faint(`${index + 1}.`)} ${paint.bold(visibleLine(brief.function))}  ${paint.cyan(visibleLine(`${brief.path}:${brief.line}`))}`,
    row(
      "is",
      `cognitive ${brief.cognitive}, cyclomatic ${brief.cyclomatic}, ${counted(brief.nesting, "level")} deep, ${counted(brief.end_line - brief.line + 1, "line")}`,
    ),
    ...steps.map(({ advice }, at) => row(at === 0 ? "do" : "then", advice)),
    ...(callers.length === 0 ? [] : [row("callers", few(callers.map(({ caller, line }) => `${caller}:${line}`)))]),
    row("tests", tests.length === 0 ? "none found; write some first" : few(tests.map(({ path }) => path))),
    ...(coupled.length === 0
      ? []
      : [row("with", few(coupled.map(({ path, degree }) => `${path} (${Math.round(degree)} %)`)))]),
  ];
}
