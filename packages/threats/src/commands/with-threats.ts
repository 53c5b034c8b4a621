import { type CommandContext, Failure } from "@toolwright/kit/cli";
import { createPaint, type Paint, say, visible, visibleLine, wantsColour, wrap } from "@toolwright/kit/terminal";
import type { Settings } from "../settings.js";
import { openThreats, type ThreatsContext } from "../threats-context.js";

/** The options of all subcommands. */
export interface CommonInput {
  readonly patterns: readonly string[];
  readonly format?: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

/** What a subcommand prints. */
export interface CommandOutput {
  readonly text: string;
  /** Printed on stderr. */
  readonly notes?: readonly string[];
  /** Ends the program with code 1. */
  readonly hasFailed?: boolean;
}

/** What a subcommand works with. */
export interface ThreatsSession {
  readonly threats: ThreatsContext;
  readonly format: string;
  readonly isVerbose: boolean;
  readonly paint: Paint;
  /** The width of the terminal; infinite if stdout is none. */
  readonly width: number;
}

/** Opens the patterns for the duration of a command, and prints its output. */
export async function withThreats(
  input: CommonInput,
  ctx: CommandContext,
  run: (session: ThreatsSession) => Promise<CommandOutput>,
): Promise<void> {
  const threats = await open(input.patterns, ctx);
  const format = input.json ? "json" : (input.format ?? "text");
  const isText = format === "text";
  try {
    const {
      text,
      notes = [],
      hasFailed,
    } = await run({
      threats,
      format,
      isVerbose: input.verbose,
      paint: createPaint(isText && wantsColour(process.stdout, process.env)),
      width: (isText && process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
    });
    await say(text);
    for (const note of notes) ctx.notice(visible(note));
    if (hasFailed === true) process.exitCode = 1;
  } finally {
    threats.close();
  }
}

async function open(folders: readonly string[], ctx: CommandContext): Promise<ThreatsContext> {
  const { settings, host } = await ctx.openPack<Settings>();
  try {
    return await openThreats({ ...settings, patternFolders: [...folders, ...settings.patternFolders] }, host);
  } catch (error) {
    throw new Failure((error as Error).message.replace(/^settings\.patternFolders: c/, "C"), 2, error);
  }
}

/** Completes the id of a pattern, with its name. */
export async function completePatternIds(
  prefix: string,
  { patterns }: Readonly<Record<string, unknown>>,
  ctx: CommandContext,
) {
  const threats = await open((patterns as readonly string[] | undefined) ?? [], ctx);
  try {
    return (await threats.library.list())
      .filter(({ id }) => id.startsWith(prefix.toUpperCase()))
      .map(({ id, name }) => ({ value: id, description: visibleLine(name) }));
  } finally {
    threats.close();
  }
}

/** Colours a text by severity. */
export function paintSeverity(paint: Paint, severity: string, text = severity): string {
  if (severity === "critical" || severity === "high") return paint.red(text);
  return severity === "medium" ? paint.yellow(text) : paint.faint(text);
}

/** Formats a value as JSON. */
export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** A number with its noun, in the plural if needed. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${value} ${value === 1 ? noun : plural}`;

/** Indents every line of a text. */
export const indent = (text: string, by = "  "): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : by + line))
    .join("\n");

/** The width of the labels before texts. */
const LABEL_WIDTH = 8;

/** Below this width a column is hard to read, so the text is not wrapped. */
const MIN_WIDTH = 30;

/** A text after a label. On a terminal it is wrapped in its column. */
export function labelled(
  { paint, width }: Pick<ThreatsSession, "paint" | "width">,
  label: string,
  text: string,
): string {
  const line = visibleLine(text);
  const room = width - LABEL_WIDTH - 2;
  const lines = room >= MIN_WIDTH && Number.isFinite(room) ? wrap(line, room) : [line];
  const padding = " ".repeat(LABEL_WIDTH - label.length);
  return indent(`${paint.faint(label)}${padding}${lines.join(`\n${" ".repeat(LABEL_WIDTH)}`)}`);
}
