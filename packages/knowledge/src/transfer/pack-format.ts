import { ToolError } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { CHUNK_TYPES } from "../chunks/passage.js";
import type { Question } from "../evaluation/questions.js";

/** The version of the file format. Older programs cannot read files with a higher number. */
export const FORM = 1;

/** The first line of a pack. */
export interface Manifest {
  readonly kbpack: number;
  readonly created_at: string;
  readonly collection: {
    readonly name: string;
    readonly description: string;
    readonly chunk_size: number;
    readonly chunk_overlap: number;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  readonly version: {
    readonly number: number;
    readonly documents: number;
    readonly chunks: number;
    readonly bytes: number;
    readonly checksum: string;
  };
  /** The embedder of the included vectors; empty if there are none. */
  readonly embedder: string;
  readonly dimension: number;
  readonly licenses: Readonly<Record<string, number>>;
}

/** A document. Its text and passages follow on the next lines. */
export interface PackedDocument {
  readonly source: string;
  readonly fingerprint: string;
  readonly edition: number;
  readonly sha256: string;
  readonly origin: "file" | "text";
  readonly url: string | null;
  readonly kind: string;
  readonly title: string;
  readonly license: string | null;
  readonly language: string | null;
  readonly encoding: string;
  readonly bytes: number;
  readonly modified_at: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The source map in base64. */
  readonly map: string;
  /** The number of text parts and passages that follow. */
  readonly parts: number;
  readonly chunks: number;
}

/** A passage. Its content is omitted if it equals the text in its range. */
export interface PackedChunk {
  readonly first: number;
  readonly last: number;
  readonly type: string;
  readonly headings: readonly string[];
  readonly tokens: number;
  readonly content?: string;
  /** The quantised vector: a scale, and one byte per component in base64. */
  readonly vector?: readonly [scale: number, bytes: string];
}

/** The last line of a pack. The hash covers all lines before it. */
interface PackEnd {
  readonly documents: number;
  readonly chunks: number;
  readonly sha256: string;
}

/** One line of an exported collection. */
export type PackLine =
  | { readonly manifest: Manifest }
  | { readonly document: PackedDocument }
  | { readonly text: string }
  | { readonly chunks: readonly PackedChunk[] }
  | { readonly question: Question }
  | { readonly end: PackEnd };

type Rule = (value: unknown) => boolean;

const text: Rule = (value) => typeof value === "string";
const whole: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const maybe =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);
const listOf =
  (rule: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.every(rule);
const mapOf =
  (rule: Rule): Rule =>
  (value) =>
    isObject(value) && Object.values(value).every(rule);
const shape =
  (rules: Readonly<Record<string, Rule>>, optional: Readonly<Record<string, Rule>> = {}): Rule =>
  (value) =>
    isObject(value) &&
    Object.entries(rules).every(([name, rule]) => rule(value[name])) &&
    Object.entries(optional).every(([name, rule]) => value[name] === undefined || rule(value[name]));

const KINDS = new Set(["markdown", "text", "html", "pdf", "docx", "csv", "json", "code"]);
const TYPES = new Set<unknown>(CHUNK_TYPES);
const SHA = /^[0-9a-f]{64}$/;
const PLAIN = /^[^\p{Cc}]{1,4096}$/u;

const RULES: Readonly<Record<string, Rule>> = {
  manifest: shape({
    kbpack: whole,
    created_at: text,
    collection: shape({ name: text, description: text, chunk_size: whole, chunk_overlap: whole, metadata: isObject }),
    version: shape({ number: whole, documents: whole, chunks: whole, bytes: whole, checksum: text }),
    embedder: text,
    dimension: whole,
    licenses: mapOf(whole),
  }),
  document: shape({
    source: (value) => typeof value === "string" && PLAIN.test(value),
    fingerprint: (value) => typeof value === "string" && /^[0-9a-f]{1,64}$/.test(value),
    edition: whole,
    sha256: (value) => typeof value === "string" && SHA.test(value),
    origin: (value) => value === "file" || value === "text",
    url: maybe(text),
    kind: (value) => KINDS.has(value as string),
    title: text,
    license: maybe(text),
    language: maybe(text),
    encoding: text,
    bytes: whole,
    modified_at: maybe(text),
    metadata: mapOf(text),
    map: text,
    parts: whole,
    chunks: whole,
  }),
  text,
  chunks: listOf(
    shape(
      { first: whole, last: whole, type: (value) => TYPES.has(value), headings: listOf(text), tokens: whole },
      {
        content: text,
        vector: (value) =>
          Array.isArray(value) && value.length === 2 && Number.isFinite(value[0]) && typeof value[1] === "string",
      },
    ),
  ),
  question: shape({
    question: text,
    relevant: listOf(shape({ source: text }, { heading: text, grade: (value) => Number.isFinite(value) })),
  }),
  end: shape({ documents: whole, chunks: whole, sha256: text }),
};

/** Parses a line of a pack; undefined if it is invalid. */
export function readLine(line: string): PackLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const [[name, part] = ["", undefined], ...yieldToEventLoop] = Object.entries(value);
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return yieldToEventLoop.length === 0 && rule?.(part) ? (value as PackLine) : undefined;
}

/** The file is not a pack, or is damaged. */
export const damaged = (path: string, reason: string): ToolError =>
  new ToolError(`Cannot import ${JSON.stringify(path)}: ${reason}. Nothing was changed. Export it again.`, {
    code: "PARSE_FAILED",
    details: { path },
  });

/** The pack was written by a newer version of this program. */
export const tooNew = (path: string, form: number, known: number): ToolError =>
  new ToolError(
    `Cannot import ${JSON.stringify(path)}: its format version is ${form}, and this program supports up to ${known}. Update toolwright.`,
    { code: "VERSION_MISMATCH", details: { path, expected: known, got: form } },
  );

/** The pack exceeds a limit. */
export const tooLarge = (path: string, reason: string): ToolError =>
  new ToolError(`Cannot import ${JSON.stringify(path)}: ${reason}. Nothing was changed.`, {
    code: "TOO_LARGE",
    details: { path },
  });
