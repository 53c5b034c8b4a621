import { isObject } from "@toolwright/kit/json";
import { CHUNK_TYPES } from "../chunks/passage.js";
import type { PackLine } from "./form.js";

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

/** Reads a line of a pack; undefined where it is none. */
export function readLine(line: string): PackLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const [[name, part] = ["", undefined], ...others] = Object.entries(value);
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return others.length === 0 && rule?.(part) ? (value as PackLine) : undefined;
}
