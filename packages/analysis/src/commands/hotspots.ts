import path from "node:path";
import { defineCommand, UsageError } from "@toolwright/kit/cli";
import { type Column, type Screen, visibleLine, visibleName, widthOf } from "@toolwright/kit/terminal";
import { count, counted, writeCsv } from "../format.js";
import type { FunctionBrief, HotspotFile, Hotspots } from "../hotspots/hotspots.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  daysOption,
  endOfPeriod,
  FILE_OPTIONS,
  formatOption,
  PATH_ARGUMENT,
  ROW_OPTIONS,
  remarks,
  runAnalysis,
  section,
  skippedFiles,
} from "./run-analysis.js";

const FORMATS = ["summary", "json", "markdown", "csv"] as const;

/** The number of rows and briefs by default, and the number of briefs in a page. */
const DEFAULT_FILES = 10;
const DEFAULT_FUNCTIONS = 5;
const PAGE_FUNCTIONS = 10;

/** `toolwright analyze hotspots` */
export const hotspots = defineCommand({
  name: "hotspots",
  summary: "Find complex code that changes often, and what to refactor first",
  tool: "analyze_hotspots",
  args: PATH_ARGUMENT,
  options: {
    days: daysOption(90),
    ...ROW_OPTIONS,
    functions: {
      type: "integer",
      min: 0,
      max: 100,
      placeholder: "NUMBER",
      description: `The number of functions with a refactoring brief (default: ${DEFAULT_FUNCTIONS}).`,
    },
    html: {
      type: "string",
      placeholder: "FILE",
      description: "Write a page with a map, charts and briefs. It is one file that loads nothing from the network.",
      complete: "file",
    },
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  examples: ["toolwright analyze hotspots --html hotspots.html"],
  async run(input, ctx) {
    const { html, functions } = input;
    checkFiles(html, input.output);
    const files = html === undefined ? [] : [html];
    await runAnalysis(input, ctx, { formats: FORMATS, files }, async (screen) => {
      const { findHotspots } = await import("../hotspots/find-hotspots.js");
      const { analysis, call, path: analyzed, project } = screen;
      const { days: period_days, include, exclude, limit = input.top } = input;
      const now = endOfPeriod(ctx);
      const { hotspots: found, churn } = await findHotspots(
        analysis,
        call,
        {
          path: analyzed,
          period_days,
          functions: functions ?? (html === undefined ? DEFAULT_FUNCTIONS : PAGE_FUNCTIONS),
          include,
          exclude,
        },
        now,
      );
      const briefs = found.briefs.slice(0, functions ?? DEFAULT_FUNCTIONS);
      const text = await write(screen, { ...found, briefs }, limit);
      if (html === undefined) return { text };
      const { createPage } = await import("../report/page.js");
      const page = await createPage(analysis, call, { path: analyzed, project, hotspots: found, churn, now });
      return { text, files: [{ name: html, text: page }] };
    });
  },
});

function checkFiles(html: string | undefined, output: string | undefined): void {
  if (html === "-") throw new UsageError("--html needs a file name, such as hotspots.html");
  if (html !== undefined && output !== undefined && path.resolve(html) === path.resolve(output))
    throw new UsageError(`--html and --output name the same file ${JSON.stringify(html)}`);
}

async function write(screen: AnalysisScreen, found: Hotspots, limit: number | undefined): Promise<string> {
  const shown = { ...found, files: found.files.slice(0, limit), total: found.files.length };
  if (screen.format === "json") return JSON.stringify(shown, null, 2);
  if (screen.format === "csv") return toCsv(shown);
  if (screen.format === "markdown") {
    const { writeMarkdown } = await import("../hotspots/show-hotspots.js");
    return writeMarkdown({ ...shown, files: shown.files.slice(0, limit ?? 50) });
  }
  return showHotspots(screen, found, limit ?? DEFAULT_FILES);
}

const toCsv = ({ files }: Pick<Hotspots, "files">): string =>
  writeCsv(
    ["file_path", "score", "complexity", "churn", "commits", "functions", "code_lines", "bus_factor", "last_modified"],
    files.map((file) => [
      file.path,
      file.score,
      file.complexity,
      file.churn,
      file.commits,
      file.functions,
      file.code_lines,
      file.bus_factor,
      file.last_modified ?? "",
    ]),
  );

/** Shows the worst files, and the briefs of the worst functions. */
export function showHotspots(
  screen: Pick<AnalysisScreen, "paint" | "width" | "project">,
  found: Hotspots,
  rows: number,
): string {
  const { paint, project } = screen;
  const { files, briefs, basis, period_days, tests } = found;
  const by = basis === "complexity" ? "complexity" : `complexity × churn of ${counted(period_days, "day")}`;
  return [
    `${paint.bold(`Hotspots of ${project}`)}: ${counted(files.length, "file")} by ${by}${tests > 0 ? paint.faint(`, without ${counted(tests, "test file")}`) : ""}`,
    ...section(screen, "Files", fileColumns(screen, basis), { rows: files, limit: rows }),
    ...(briefs.length === 0 ? [] : ["", paint.bold("Where to begin")]),
    ...briefs.flatMap((brief, index) => showBrief(screen, brief, index)),
    ...skippedFiles(screen, found.skipped),
    ...remarks(screen, found.remarks),
  ].join("\n");
}

function fileColumns({ paint }: Screen, basis: Hotspots["basis"]): readonly Column<HotspotFile>[] {
  const history = (text: string): string => (basis === "complexity" ? "–" : text);
  const heat = (text: string, { score }: HotspotFile): string =>
    score >= 40 ? paint.red(text) : score >= 16 ? paint.yellow(text) : text;
  return [
    { name: "file", text: ({ path: file }) => file, gives: "path" },
    { name: "score", text: ({ score }) => score.toFixed(1), isNumber: true, paint: heat },
    { name: "complexity", text: ({ complexity }) => count(complexity), isNumber: true },
    { name: "churn", text: ({ churn }) => history(churn.toFixed(2)), isNumber: true },
    { name: "commits", text: ({ commits }) => history(count(commits)), isNumber: true },
    { name: "code lines", text: ({ code_lines }) => count(code_lines), isNumber: true },
    { name: "main author", text: ({ authors: [first] }) => first?.name ?? "–", gives: "words" },
  ];
}

/** How many entries of each list a brief has. */
const MAX_LISTED = 3;

/** The column at which the text of a brief begins, and its minimum width. */
const INDENT = 12;
const MIN_WIDTH = 20;

function showBrief({ paint, width }: Screen, brief: FunctionBrief, index: number): string[] {
  const { steps, callers, tests, coupled } = brief;
  const first = (items: readonly string[]): string =>
    items.length > MAX_LISTED
      ? `${items.slice(0, MAX_LISTED).join(", ")} and ${items.length - MAX_LISTED} more`
      : items.join(", ");
  const row = (label: string, text: string): string =>
    `   ${paint.faint(label.padEnd(8))} ${wrapWords(visibleLine(text), width - INDENT).join(`\n${" ".repeat(INDENT)}`)}`;
  return [
    "",
    `${paint.faint(`${index + 1}.`)} ${paint.bold(visibleLine(brief.function))}  ${paint.cyan(`${visibleName(brief.path)}:${brief.line}`)}`,
    row(
      "is",
      `cognitive ${brief.cognitive}, cyclomatic ${brief.cyclomatic}, ${counted(brief.nesting, "level")} deep, ${counted(brief.end_line - brief.line + 1, "line")}`,
    ),
    ...steps.map(({ advice }, at) => row(at === 0 ? "do" : "then", advice)),
    ...(callers.length === 0 ? [] : [row("callers", first(callers.map(({ caller, line }) => `${caller}:${line}`)))]),
    row(
      "tests",
      tests.length === 0
        ? "none found; write some first"
        : first(tests.map(({ path: file, by }) => `${visibleName(file)}${by === "calls" ? " (by name only)" : ""}`)),
    ),
    ...(coupled.length === 0
      ? []
      : [
          row("with", first(coupled.map(({ path: file, degree }) => `${visibleName(file)} (${Math.round(degree)} %)`))),
        ]),
  ];
}

/** Wraps a text; a word that is wider than a line is not split. */
function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > Math.max(MIN_WIDTH, width)) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
