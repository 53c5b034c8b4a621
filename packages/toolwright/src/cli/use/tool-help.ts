import type { Json, JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { kindsOf, kindWord, resolve, shellWord, showValue } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { type Paint, visible, visibleLine, widthOf, wrap } from "@toolwright/kit/terminal";
import { inputOf, requiredNames } from "./arguments.js";
import type { ServerChoice } from "./server-choice.js";

/** How the help is written. */
interface ToolHelpOptions {
  /** The command that uses it; a prompt is described like a tool. */
  readonly command: "call" | "prompt";
  readonly way: ServerChoice;
  readonly paint: Paint;
  readonly width: number;
}

/** The output of `call SERVER TOOL --help` and `prompt SERVER NAME --help`: description, arguments, and an example. */
export function toolHelp(tool: ListedTool, { command, way, paint, width }: ToolHelpOptions): string {
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
    ...(options.length > 0 ? ["[NAME=VALUE...]"] : []),
  ];
  const line = (words: readonly string[]): string =>
    `  ${[`toolwright ${command}`, ...quoteAll(way.typed.before), shellWord(name), ...words, ...quoteAll(way.typed.behind)].join(" ")}`;
  return [
    heading,
    ...(description === "" ? [] : [visible(description.trim())]),
    ...(command === "call" ? describeAnnotations(tool) : []),
    "",
    paint.bold("Usage"),
    line(usage),
    "",
    paint.bold(rows.length === 0 ? "No arguments" : "Arguments (* = required)"),
    ...argumentLines(rows, width, paint),
    "",
    paint.bold("Example"),
    line(quoteAll(sample)),
  ].join("\n");
}

const quoteAll = (words: readonly string[]): string[] => words.map((word) => shellWord(word));

/** The annotations of the tool, which are not verified. */
function describeAnnotations({ annotations = {} }: ListedTool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const marks = [
    ...(readOnlyHint === true ? ["read-only"] : []),
    ...(readOnlyHint !== true && destructiveHint === true ? ["may be destructive"] : []),
    ...(readOnlyHint !== true && idempotentHint === true ? ["idempotent"] : []),
    ...(openWorldHint === true ? ["uses external systems"] : []),
  ];
  return marks.length === 0 ? [] : [`According to the server: ${marks.join(", ")}.`];
}

/** One argument, and the members of an object below it. */
function rowsOf(name: string, given: Json | undefined, root: JsonObject, isRequired: boolean): ArgumentRow[] {
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
    // The range of safe integers is no real bound.
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

/** One argument of a tool or prompt. */
interface ArgumentRow {
  /** With a star if it is required. */
  readonly name: string;
  readonly kind: string;
  readonly about: string;
}

/** On narrower screens descriptions go below the names. */
const MIN_WIDTH = 30;
const MAX_TYPE_WIDTH = 24;

/** Renders arguments line by line, with wrapped descriptions.  */
export function argumentLines(rows: readonly ArgumentRow[], width: number, paint: Paint): string[] {
  const shown = rows.map(({ name, kind, about }) => ({ name: visibleLine(name), kind: visibleLine(kind), about }));
  const names = Math.max(0, ...shown.map(({ name }) => widthOf(name)));
  const kinds = Math.min(MAX_TYPE_WIDTH, Math.max(0, ...shown.map(({ kind }) => widthOf(kind))));
  const indent = 2 + names + 2 + kinds + 2;
  const isBeside = width - indent >= MIN_WIDTH;
  return shown.flatMap(({ name, kind, about }) => {
    const head = `  ${paint.cyan(name)}${pad(name, names)}  ${kind}`;
    if (about === "") return [head];
    const lines = wrap(about, isBeside ? width - indent : width - 6);
    if (!isBeside || widthOf(kind) > kinds)
      return [head, ...lines.map((line) => `${" ".repeat(isBeside ? indent : 6)}${line}`)];
    const [first = "", ...rest] = lines;
    return [`${head}${pad(kind, kinds)}  ${first}`, ...rest.map((line) => `${" ".repeat(indent)}${line}`)];
  });
}

const pad = (text: string, width: number): string => " ".repeat(Math.max(0, width - widthOf(text)));

/** Schemas can be recursive. */
const MAX_DEPTH = 5;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

/** An example value for a schema: one that the schema names, or the simplest valid one. */
export function sampleOf(given: Json | undefined, root: JsonObject, depth = 0): Json {
  const schema = resolve(given, root);
  const { examples, default: usual, const: only, enum: choices } = schema;
  const example = [Array.isArray(examples) ? examples[0] : undefined, only, usual].find((value) => value !== undefined);
  if (example !== undefined) return example;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  const parts = [schema["anyOf"], schema["oneOf"], schema["allOf"]].find(Array.isArray);
  if (schema["type"] === undefined && parts?.[0] !== undefined && depth < MAX_DEPTH)
    return sampleOf(parts[0], root, depth + 1);
  const [kind = "string"] = kindsOf(schema, root);
  if (kind === "number" || kind === "integer") return numberOf(schema);
  if (kind === "boolean") return true;
  if (kind === "null") return null;
  if (kind === "array") return itemsOf(schema, root, depth);
  return kind === "object" ? membersOf(schema, root, depth) : textOf(schema);
}

function textOf({ format, minLength, maxLength }: JsonObject): string {
  const text = FORMATS[typeof format === "string" ? format : ""] ?? "hello";
  const least = typeof minLength === "number" ? minLength : 0;
  return text.padEnd(Math.min(least, 200), "x").slice(0, typeof maxLength === "number" ? maxLength : undefined);
}

function numberOf(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema as Record<string, number>;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + step);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - step);
  const near = Math.min(Math.max(1, least ?? Number.NEGATIVE_INFINITY), most ?? Number.POSITIVE_INFINITY);
  return multipleOf === undefined ? near : Math.ceil(near / step) * step;
}

function itemsOf(schema: JsonObject, root: JsonObject, depth: number): Json[] {
  const { items, minItems } = schema;
  if (depth >= MAX_DEPTH) return [];
  const count = Math.min(Math.max(1, typeof minItems === "number" ? minItems : 1), 10);
  return Array.from({ length: count }, () => sampleOf(items, root, depth + 1));
}

function membersOf(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required) || depth >= MAX_DEPTH) return {};
  const names = required.filter((name): name is string => typeof name === "string");
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], root, depth + 1)]));
}
