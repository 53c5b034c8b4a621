import { type Column, visibleLine, visibleName, widthOf } from "@toolwright/kit/terminal";
import { count, counted } from "../format.js";
import type { FunctionBrief, HotspotFile, Hotspots } from "../hotspots/hotspots.js";
import type { Desk } from "./deed.js";
import { remarks, section, skippedFiles } from "./view.js";

/** How many places of each list a brief names. */
const MOST_LISTED = 3;

/** Where the text of a brief begins, and the least room that it has. */
const INDENT = 12;
const LEAST_ROOM = 20;

/** Hotspots for people: the worst files, and what to do about the worst functions. */
export function showHotspots(desk: Desk, found: Hotspots, top: number): string {
  const { paint, project } = desk;
  const { files, briefs, basis, period_days, tests } = found;
  const by = basis === "complexity" ? "complexity" : `complexity × churn of ${counted(period_days, "day")}`;
  return [
    `${paint.bold(`Hotspots of ${project}`)}: ${counted(files.length, "file")} by ${by}${tests > 0 ? paint.faint(`, without ${counted(tests, "test file")}`) : ""}`,
    ...section(desk, "Files", columns(desk, basis), { rows: files, most: top }),
    ...(briefs.length === 0 ? [] : ["", paint.bold("Where to begin")]),
    ...briefs.flatMap((brief, index) => showBrief(desk, brief, index)),
    ...skippedFiles(desk, found.skipped),
    ...remarks(desk, found.remarks),
  ].join("\n");
}

function columns({ paint }: Desk, basis: Hotspots["basis"]): readonly Column<HotspotFile>[] {
  const past = (text: string): string => (basis === "complexity" ? "–" : text);
  const heat = (text: string, { score }: HotspotFile): string =>
    score >= 40 ? paint.red(text) : score >= 16 ? paint.yellow(text) : text;
  return [
    { name: "file", text: ({ path }) => path, gives: "path" },
    { name: "score", text: ({ score }) => score.toFixed(1), isNumber: true, paint: heat },
    { name: "complexity", text: ({ complexity }) => count(complexity), isNumber: true },
    { name: "churn", text: ({ churn }) => past(churn.toFixed(2)), isNumber: true },
    { name: "commits", text: ({ commits }) => past(count(commits)), isNumber: true },
    { name: "code lines", text: ({ code_lines }) => count(code_lines), isNumber: true },
    { name: "main author", text: ({ authors: [first] }) => first?.name ?? "–", gives: "words" },
  ];
}

function showBrief({ paint, width }: Desk, brief: FunctionBrief, index: number): string[] {
  const { steps, callers, tests, coupled } = brief;
  const few = (items: readonly string[]): string =>
    items.length > MOST_LISTED
      ? `${items.slice(0, MOST_LISTED).join(", ")} and ${items.length - MOST_LISTED} more`
      : items.join(", ");
  const row = (label: string, text: string): string =>
    `   ${paint.faint(label.padEnd(8))} ${wrapped(visibleLine(text), width - INDENT).join(`\n${" ".repeat(INDENT)}`)}`;
  return [
    "",
    `${paint.faint(`${index + 1}.`)} ${paint.bold(visibleLine(brief.function))}  ${paint.cyan(`${visibleName(brief.path)}:${brief.line}`)}`,
    row(
      "is",
      `cognitive ${brief.cognitive}, cyclomatic ${brief.cyclomatic}, ${counted(brief.nesting, "level")} deep, ${counted(brief.end_line - brief.line + 1, "line")}`,
    ),
    ...steps.map(({ advice }, at) => row(at === 0 ? "do" : "then", advice)),
    ...(callers.length === 0 ? [] : [row("callers", few(callers.map(({ caller, line }) => `${caller}:${line}`)))]),
    row(
      "tests",
      tests.length === 0
        ? "none found; write some first"
        : few(tests.map(({ path, by }) => `${visibleName(path)}${by === "calls" ? " (by the name alone)" : ""}`)),
    ),
    ...(coupled.length === 0
      ? []
      : [row("with", few(coupled.map(({ path, degree }) => `${visibleName(path)} (${Math.round(degree)} %)`)))]),
  ];
}

/** A text in lines of a width; a word that is wider stays whole. */
function wrapped(text: string, width: number): readonly string[] {
  const room = Math.max(LEAST_ROOM, width);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > room) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
