import type { Json, JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { kindWord, resolve, shellWord, showValue } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { type Paint, visible, visibleLine } from "@toolwright/kit/terminal";
import { inputOf, requiredNames } from "../arguments.js";
import type { Way } from "../target.js";
import { argumentLines, type Row } from "./argument-lines.js";
import { sampleOf } from "./sample.js";

/** How the help is written. */
export interface Page {
  /** What is typed to use it: a prompt is told of as a tool is. */
  readonly command: "call" | "prompt";
  readonly way: Way;
  readonly paint: Paint;
  readonly width: number;
}

/** What `call SERVER TOOL --help` and `prompt SERVER NAME --help` print: what the tool is for, what it takes, and a command line that will do. */
export function toolHelp(tool: ListedTool, { command, way, paint, width }: Page): string {
  const { schema, properties } = inputOf(tool);
  const required = requiredNames(tool);
  const { name, title, description = "" } = tool;
  const heading = `${paint.bold(visibleLine(name))}${title === undefined ? "" : `: ${visibleLine(title)}`}`;
  const rows = Object.entries(properties).flatMap(([label, property]) =>
    rowsOf(label, property, schema, required.includes(label)),
  );
  const sample = required.map((label) => `${label}=${showValue(sampleOf(properties[label], schema))}`);
  const options = Object.keys(properties).filter((label) => !required.includes(label));
  const usage = [
    ...required.map((label) => `${label}=${label.toUpperCase()}`),
    ...(options.length > 0 ? ["[NAME=VALUE …]"] : []),
  ];
  const line = (words: readonly string[]): string =>
    `  ${[`toolwright ${command}`, ...shown(way.typed.before), shellWord(name), ...words, ...shown(way.typed.behind)].join(" ")}`;
  return [
    heading,
    ...(description === "" ? [] : [visible(description.trim())]),
    ...(command === "call" ? marksOf(tool) : []),
    "",
    paint.bold("Usage"),
    line(usage),
    "",
    paint.bold(rows.length === 0 ? "It takes no arguments." : "Arguments (* = required)"),
    ...argumentLines(rows, width, paint),
    "",
    paint.bold("Example"),
    line(shown(sample)),
  ].join("\n");
}

const shown = (words: readonly string[]): string[] => words.map((word) => shellWord(word));

/** What the server says of the tool's effects, which nobody has checked. */
function marksOf({ annotations = {} }: ListedTool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const marks = [
    ...(readOnlyHint === true ? ["it changes nothing"] : []),
    ...(readOnlyHint !== true && destructiveHint === true ? ["it may destroy something"] : []),
    ...(readOnlyHint !== true && idempotentHint === true ? ["calling it again changes nothing more"] : []),
    ...(openWorldHint === true ? ["it reaches out of this machine"] : []),
  ];
  return marks.length === 0 ? [] : [`The server says: ${marks.join("; ")}.`];
}

/** One argument; the members of an object follow it. */
function rowsOf(name: string, given: Json | undefined, root: JsonObject, isRequired: boolean): Row[] {
  const schema = resolve(given, root);
  const row = { name: `${name}${isRequired ? "*" : ""}`, kind: kindWord(schema, root), about: aboutOf(schema) };
  const { properties, required } = schema;
  if (!isObject(properties) || name.includes(".")) return [row];
  const names = Array.isArray(required) ? required : [];
  return [
    row,
    ...Object.entries(properties).flatMap(([member, each]) =>
      rowsOf(`${name}.${member}`, each, root, names.includes(member)),
    ),
  ];
}

function aboutOf(schema: JsonObject): string {
  const { description, default: usual } = schema;
  const notes = [...boundsOf(schema), ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`])];
  const about = typeof description === "string" ? visibleLine(description) : "";
  return [about, ...(notes.length === 0 ? [] : [`(${visibleLine(notes.join(", "))})`])].join(" ").trim();
}

const BOUNDS: readonly (readonly [least: string, most: string, unit: string])[] = [
  ["minimum", "maximum", ""],
  ["exclusiveMinimum", "exclusiveMaximum", ", both left out"],
  ["minLength", "maxLength", " characters"],
  ["minItems", "maxItems", " of them"],
];

function boundsOf(schema: JsonObject): string[] {
  const { format, pattern } = schema;
  const bounds = BOUNDS.flatMap(([low, high, unit]) => {
    const [least, most] = [schema[low], schema[high]].map((bound) => (typeof bound === "number" ? bound : undefined));
    // What every whole number of JavaScript is within is no bound.
    const [from, to] = [least, most].map((bound) =>
      Number.isSafeInteger(bound) && isLimit(bound) ? undefined : bound,
    );
    if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`];
    if (from !== undefined) return [`at least ${from}${unit.replace(", both left out", " and more")}`];
    return to === undefined ? [] : [`at most ${to}${unit.replace(", both left out", " and less")}`];
  });
  const shape = [
    ...(typeof format === "string" ? [format] : []),
    ...(typeof pattern === "string" ? [`like ${pattern}`] : []),
  ];
  return [...shape, ...bounds];
}

const isLimit = (bound: number | undefined): boolean => Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER;
