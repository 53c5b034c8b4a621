import path from "node:path";
import { type CommandContext, JSON_OPTION, LIMIT_OPTION, QUIET_OPTION, UsageError } from "@toolwright/kit/cli";
import {
  type Column,
  checkWritable,
  createPaint,
  drawTable,
  type Screen,
  say,
  visible,
  writeOut,
} from "@toolwright/kit/terminal";
import type { Analysis, Settings } from "../analysis.js";
import { count } from "../format.js";
import type { AnalysisCall } from "../project/project.js";

/** The argument of every analysis. */
export const PATH_ARGUMENT = {
  path: { description: "The folder or file to analyze; the current folder by default.", complete: "file" },
} as const;

/** The options of every analysis but `--format`. */
export const COMMON_OPTIONS = {
  json: JSON_OPTION,
  output: {
    type: "string",
    short: "o",
    placeholder: "FILE",
    description: "Write to a file instead of stdout.",
    complete: "file",
  },
  noCache: { type: "boolean", description: "Read every file again instead of using the cache." },
  quiet: QUIET_OPTION,
} as const;

/** The options that select files. */
export const FILE_OPTIONS = {
  include: { type: "string", multiple: true, placeholder: "GLOB", description: "Analyze only these files." },
  exclude: { type: "string", multiple: true, placeholder: "GLOB", description: "Do not analyze these files." },
} as const;

/** The number of rows; `--top` is its earlier name. */
export const ROW_OPTIONS = {
  limit: { ...LIMIT_OPTION, max: 1_000_000, description: "The number of rows." },
  top: { type: "integer", min: 1, hidden: true, description: "The earlier name of --limit." },
} as const;

/** The number of rows of a table by default. */
export const DEFAULT_ROWS = 15;

/** The option for a period of the history. */
export const daysOption = <const Days extends number>(days: Days) =>
  ({
    type: "integer",
    min: 1,
    max: 3650,
    default: days,
    placeholder: "NUMBER",
    description: "Days of git history.",
  }) as const;

/** The option for the form of the output; the first is for people. */
export const formatOption = <const Formats extends readonly [string, ...string[]]>(formats: Formats) =>
  ({ type: "string", choices: formats, placeholder: "FORMAT", description: "The form of the output." }) as const;

/** The common input of all analyses. */
interface AnalysisInput {
  readonly path?: string | undefined;
  readonly format?: string | undefined;
  readonly json: boolean;
  readonly output?: string | undefined;
  readonly noCache: boolean;
  readonly quiet: boolean;
}

/** What an analysis works with. */
export interface AnalysisScreen extends Screen {
  readonly analysis: Analysis;
  readonly call: AnalysisCall;
  /** The absolute path of what is analyzed. */
  readonly path: string;
  /** Its name, for headings. */
  readonly project: string;
  readonly format: string;
}

/** The result of an analysis. */
export interface AnalysisOutput {
  /** What is printed, or written to the file of `--output`. */
  readonly text: string;
  /** Ends the process with code 1. */
  readonly hasFailed?: boolean;
  /** Further files to write. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}

/** Runs an analysis with the settings of the pack, and prints or writes its result. */
export async function runAnalysis(
  input: AnalysisInput,
  ctx: CommandContext,
  { formats, files = [] }: { readonly formats: readonly [string, ...string[]]; readonly files?: readonly string[] },
  work: (screen: AnalysisScreen) => Promise<AnalysisOutput>,
): Promise<void> {
  const { output, quiet } = input;
  const format = formatOf(input, formats);
  for (const file of output === undefined ? files : [...files, output]) checkWritable(file);
  const isForScreen = format === formats[0] && output === undefined;
  const [{ settings, host }, { Analysis }] = await Promise.all([ctx.openPack<Settings>(), import("../analysis.js")]);
  const analysis = new Analysis({ settings: { ...settings, ...(input.noCache && { cache: false }) }, host });
  const inputPath = path.resolve(input.path ?? ".");
  try {
    const result = await work({
      analysis,
      call: {
        signal: ctx.signal,
        supports: () => false,
        roots: async () => [],
        onProgress: quiet ? undefined : ctx.onProgress,
      },
      path: inputPath,
      project: path.basename(inputPath) || inputPath,
      format,
      ...(isForScreen ? ctx.screen : { paint: createPaint(false), width: Number.POSITIVE_INFINITY }),
    });
    await deliver(result, output, ctx);
  } finally {
    await analysis.close();
  }
}

function formatOf({ format, json }: AnalysisInput, formats: readonly [string, ...string[]]): string {
  if (!json) return format ?? formats[0];
  // `full` says what is listed, and JSON in which form.
  if (format !== undefined && format !== "json" && format !== "full")
    throw new UsageError(`--json and --format ${format} exclude each other`);
  return "json";
}

async function deliver(
  { text, hasFailed, files = [] }: AnalysisOutput,
  output: string | undefined,
  ctx: CommandContext,
): Promise<void> {
  const written =
    output === undefined ? files : [...files, { name: output, text: text.endsWith("\n") ? text : `${text}\n` }];
  for (const file of written) writeOut(file.name, file.text);
  if (output === undefined) await say(text);
  for (const { name } of written) ctx.notice(`Written: ${name}`);
  if (hasFailed === true) process.exitCode = 1;
}

/** A heading and a table with the first rows. */
export function section<Row>(
  { paint, width }: Screen,
  title: string,
  columns: readonly Column<Row>[],
  { rows, limit }: { readonly rows: readonly Row[]; readonly limit: number },
): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, limit);
  const left = rows.length - shown.length;
  return [
    "",
    paint.bold(title),
    drawTable(columns, shown, { width, head: paint.faint }),
    ...(left > 0 ? [paint.faint(`and ${count(left)} more`)] : []),
  ];
}

/** Notes on how to read the numbers. */
export const remarks = ({ paint }: Screen, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", ...lines.map((line) => paint.yellow(`! ${visible(line)}`))];

/** Files that were not read, or only partly. */
export const skippedFiles = (
  screen: Screen,
  skipped: readonly { readonly path: string; readonly reason: string }[],
): string[] =>
  section<{ readonly path: string; readonly reason: string }>(
    screen,
    "Skipped, or only partly measured",
    [
      { name: "file", text: ({ path: file }) => file, gives: "path" },
      { name: "reason", text: ({ reason }) => reason, gives: "words" },
    ],
    { rows: skipped, limit: 5 },
  );

/** The end of the period: now, or SOURCE_DATE_EPOCH, so that a report can be reproduced. */
export function endOfPeriod(ctx: CommandContext, env: NodeJS.ProcessEnv = process.env): Date {
  const seconds = env["SOURCE_DATE_EPOCH"];
  return seconds !== undefined && /^\d{1,12}$/.test(seconds) ? new Date(Number(seconds) * 1000) : ctx.now();
}
