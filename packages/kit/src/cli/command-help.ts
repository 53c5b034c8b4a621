import { createPaint, type Paint } from "../terminal/screen.js";
import { WIDEST, widthOf, wrap } from "../terminal/text.js";
import { type ArgumentSpec, type Command, flagOf, type OptionSpec, placeholderOf } from "./command.js";
import { formatDuration, valueName } from "./parse-command-line.js";

/** How help is printed. */
export interface HelpLayout {
  readonly paint: Paint;
  readonly width: number;
}

/** A label and its description, such as `-n, --limit NUMBER`. */
export type HelpRow = readonly [label: string, description: string];

/** Labels that are longer than this have their description on the next line. */
const WIDEST_LABEL = 28;
const INDENT = "  ";
const PLAIN: HelpLayout = { paint: createPaint(false), width: WIDEST };

/** Renders the help of a command; `path` has its names, such as `["task", "add"]`. */
export function renderHelp(command: Command, path: readonly string[], layout: HelpLayout = PLAIN): string {
  const { description, sections = [], examples = [], exitCodes = {} } = command;
  const width = Math.min(layout.width, WIDEST);
  const paragraphs = description?.split(/\n{2,}/).map((paragraph) => wrap(paragraph, width).join("\n")) ?? [];
  const rows = (title: string, content: readonly HelpRow[]): string[] =>
    content.length === 0 ? [] : [`${layout.paint.bold(title)}\n${renderRows(content, width)}`];
  const lines = (title: string, content: readonly string[]): string[] =>
    content.length === 0
      ? []
      : [[layout.paint.bold(title), ...content.map((line) => `${INDENT}${line}`.trimEnd())].join("\n")];
  return `${[
    command.summary,
    ...lines("Usage", usageLines(command, path)),
    ...paragraphs,
    ...rows("Commands", commandRows(command.subcommands)),
    ...rows("Arguments", argumentRows(command)),
    ...optionGroups(command).flatMap(([title, content]) => rows(title, content)),
    ...sections.flatMap(({ title, text }) => lines(title, text.trimEnd().split("\n"))),
    ...rows("Exit codes", Object.entries(exitCodes)),
    ...lines("Examples", examples),
  ].join("\n\n")}\n`;
}

/** The lines under "Usage". */
export function usageLines({ usage, subcommands, args, trailing, run }: Command, path: readonly string[]): string[] {
  const name = ["toolwright", ...path].join(" ");
  if (usage !== undefined) return usage.map((line) => `${name} ${line}`.trimEnd());
  const words = Object.entries(args).map(([key, spec]) => argumentLabel(key, spec));
  if (trailing !== undefined) words.push(`[-- ${trailing.name}]`);
  return [
    ...(run === undefined ? [] : [[name, ...words, "[options]"].join(" ")]),
    ...(subcommands.length === 0 ? [] : [`${name} COMMAND [options]`]),
  ];
}

function argumentLabel(key: string, { required, multiple, placeholder = placeholderOf(key) }: ArgumentSpec): string {
  const label = `${placeholder}${multiple ? "..." : ""}`;
  return required ? label : `[${label}]`;
}

/** The rows that list commands. */
export const commandRows = (commands: readonly Command[]): HelpRow[] =>
  commands.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary]);

/** The rows that describe the arguments. */
export function argumentRows({ args, trailing }: Command): HelpRow[] {
  const rows = Object.entries(args).map(([key, spec]): HelpRow => {
    const choices = spec.choices === undefined ? [] : [`(choices: ${spec.choices.join(", ")})`];
    return [argumentLabel(key, spec), [spec.description, ...choices].join(" ")];
  });
  return trailing === undefined ? rows : [...rows, [`-- ${trailing.name}`, trailing.description]];
}

/** The options by the headings under which they are listed. */
export function optionGroups({ options }: Command): [title: string, rows: HelpRow[]][] {
  const groups = new Map<string, HelpRow[]>();
  for (const [key, spec] of Object.entries(options)) {
    if (spec.hidden) continue;
    const title = spec.group ?? "Options";
    groups.set(title, [...(groups.get(title) ?? []), optionRow(key, spec)]);
  }
  const own = groups.get("Options") ?? [];
  groups.delete("Options");
  // The options that a command shares with others come first, and what belongs to none of the headings last.
  return [...groups, ["Options", [...own, ["-h, --help", "Print this help."]]]];
}

function optionRow(key: string, spec: OptionSpec): HelpRow {
  const short = spec.short === undefined ? "    " : `-${spec.short}, `;
  const value = spec.type === "boolean" ? "" : valueName(key, spec);
  const label = `${short}${flagOf(key)} ${spec.implied === undefined ? value : `[${value}]`}`.trimEnd();
  const choices =
    spec.choices === undefined || value.includes("|") || spec.description.includes(spec.choices.join(", "))
      ? []
      : [`choices: ${spec.choices.join(", ")}`];
  const usual = spec.default === undefined ? spec.shownDefault : writeDefault(spec, spec.default);
  const notes = [
    ...choices,
    ...(usual === undefined ? [] : [`default: ${usual}`]),
    ...(spec.multiple ? ["can be repeated"] : []),
  ];
  return [label, notes.length === 0 ? spec.description : `${spec.description} (${notes.join("; ")})`];
}

function writeDefault({ type }: OptionSpec, value: NonNullable<OptionSpec["default"]>): string | undefined {
  if (value === false || value === "" || (Array.isArray(value) && value.length === 0)) return undefined;
  if (type === "duration" && typeof value === "number") return formatDuration(value);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Renders rows in two aligned columns; descriptions are wrapped. */
export function renderRows(rows: readonly HelpRow[], width: number): string {
  const column = Math.min(WIDEST_LABEL, Math.max(0, ...rows.map(([label]) => widthOf(label)))) + INDENT.length;
  const room = Math.max(20, width - INDENT.length - column);
  return rows
    .flatMap(([label, description]) => {
      const lines = wrap(description, room);
      const isLong = widthOf(label) > WIDEST_LABEL;
      const first = isLong ? [label] : [`${label}${" ".repeat(column - widthOf(label))}${lines.shift() ?? ""}`];
      return [...first, ...lines.map((line) => `${" ".repeat(column)}${line}`)];
    })
    .map((line) => `${INDENT}${line}`.trimEnd())
    .join("\n");
}
