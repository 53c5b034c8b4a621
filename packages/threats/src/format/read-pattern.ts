import { checkRules, checkTier } from "./check-rules.js";
import { checkSchema } from "./check-schema.js";
import { type FieldDiagnostic, fileError, formatPath, type PatternDiagnostic } from "./diagnostics.js";
import type { ThreatPattern } from "./pattern.js";
import { FILE_SCHEMA } from "./pattern-schema.js";
import { type Place, type ReadYaml, readYaml } from "./read-yaml.js";

/** Whoever has more of them has something else in hand, and each has to be looked for. */
const MAX_DIAGNOSTICS = 50;

/** A pattern, and what is wrong with it; with an error there is none. */
export interface ReadPattern {
  readonly pattern?: ThreatPattern;
  readonly diagnostics: readonly PatternDiagnostic[];
  /** Finds the place of a fault that only other files can show: of the id, and of those of related patterns. */
  readonly locate: (diagnostic: FieldDiagnostic) => PatternDiagnostic;
}

/** Reads the file of a pattern, and checks everything that can be told from it alone. */
export async function readPattern(content: string | Uint8Array, file: string): Promise<ReadPattern> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { text, diagnostic } = { text: undefined, ...readText(bytes) };
  if (text === undefined) return ended(file, diagnostic === undefined ? [] : [diagnostic]);
  const yaml = await readYaml(text);
  if (yaml.isBroken) return ended(file, yaml.diagnostics);
  const place = (found: FieldDiagnostic): PatternDiagnostic =>
    toDiagnostic(found, file, yaml.placeOf(found.path, found.isOfKey ?? false));
  const shaped = checkSchema(yaml.value, FILE_SCHEMA).slice(0, MAX_DIAGNOSTICS);
  const written = yaml.diagnostics.slice(0, MAX_DIAGNOSTICS).map((one) => toTextDiagnostic(file, one));
  if (shaped.length > 0) return ended(file, [], inOrder([...written, ...shaped.map(place)]));
  const pattern = (yaml.value as unknown as { readonly threat_pattern: ThreatPattern }).threat_pattern;
  const more = [...checkFileName(pattern, file), ...checkRules(pattern), ...checkTier(pattern)];
  const diagnostics = inOrder([...written, ...more.map(place)]);
  const locate = locatorOf(file, placesIn(pattern, yaml));
  return diagnostics.some(({ severity }) => severity === "error")
    ? { diagnostics, locate }
    : { pattern, diagnostics, locate };
}

const ended = (
  file: string,
  found: readonly TextDiagnostic[],
  diagnostics: readonly PatternDiagnostic[] = [],
): ReadPattern => ({
  diagnostics: [...found.map((diagnostic) => toTextDiagnostic(file, diagnostic)), ...diagnostics],
  locate: locatorOf(file, new Map()),
});

/** The places alone are kept: the tree of a file is many times as large as the file. */
const locatorOf = (file: string, places: ReadonlyMap<string, Place>): ReadPattern["locate"] => {
  const top = { line: 1, column: 1 };
  return (diagnostic) => toDiagnostic(diagnostic, file, places.get(formatPath(diagnostic.path)) ?? top);
};

function placesIn({ related_patterns: related = [] }: ThreatPattern, yaml: ReadYaml): ReadonlyMap<string, Place> {
  const ids = related.map((_, at) => ["threat_pattern", "related_patterns", at, "id"]);
  return new Map([["threat_pattern", "id"], ...ids].map((path) => [formatPath(path), yaml.placeOf(path, false)]));
}

/** A file with the name of another pattern would be looked for in vain. */
function checkFileName({ id }: ThreatPattern, file: string): readonly FieldDiagnostic[] {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const stem = name.replace(/\.ya?ml$/, "");
  if (!/^TMKB-/i.test(stem) || stem === id) return [];
  return [
    {
      path: ["threat_pattern", "id"],
      severity: "warning",
      message: `is ${id}, but the file is named ${name}.`,
      suggestion: `Rename the file to ${id}.yaml, or correct the id.`,
    },
  ];
}

const toTextDiagnostic = (file: string, { message, suggestion, ...place }: TextDiagnostic): PatternDiagnostic => ({
  ...fileError(file, message, suggestion),
  ...place,
});

const toDiagnostic = (
  { path, severity, message, suggestion }: FieldDiagnostic,
  file: string,
  place: Place,
): PatternDiagnostic => ({
  file,
  ...place,
  path: formatPath(path),
  severity,
  message,
  suggestion,
});

const inOrder = (diagnostics: readonly PatternDiagnostic[]): readonly PatternDiagnostic[] =>
  [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column);

/** The maximum size of a pattern file, ten times that of the largest built-in one. */
export const MAX_BYTES = 128 * 1024;

/** Where in a text something is wrong, and what. */
export interface TextDiagnostic {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion: string;
}

/** What a file says, or why that cannot be told. */
type ReadText = { readonly text: string; readonly diagnostic?: never } | { readonly diagnostic: TextDiagnostic };

/** Reads bytes as a text of moderate size: UTF-8 without signs that no editor shows. */
function readText(bytes: Uint8Array): ReadText {
  if (bytes.length > MAX_BYTES)
    return {
      diagnostic: first(`The file is larger than ${MAX_BYTES} bytes.`, "Put each pattern into a file of its own."),
    };
  const text = decode(bytes);
  if (text === undefined)
    return {
      diagnostic: { ...firstBadLine(bytes), message: "The line is not UTF-8.", suggestion: "Save the file as UTF-8." },
    };
  if (text.trim() === "")
    return { diagnostic: first("The file is empty.", "Start with threat_pattern: and its fields.") };
  // oxlint-disable-next-line no-control-regex
  const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (hidden === null) return { text };
  const before = text.slice(0, hidden.index).split("\n");
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return {
    diagnostic: {
      ...place,
      message: "The file contains a control character.",
      suggestion: "Remove it, or write it as an escape in quotes.",
    },
  };
}

const first = (message: string, suggestion: string): TextDiagnostic => ({ line: 1, column: 1, message, suggestion });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** No sign of several bytes has the byte of a line end inside it, so that lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): Pick<TextDiagnostic, "line" | "column"> {
  let start = 0;
  for (let line = 1; ; line++) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const bytesOfLine = bytes.subarray(start, end);
    if (decode(bytesOfLine) === undefined || end === bytes.length) return { line, column: columnIn(bytesOfLine) };
    start = end + 1;
  }
}

function columnIn(bytes: Uint8Array): number {
  const at = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).indexOf("\ufffd");
  return at === -1 ? 1 : at + 1;
}
