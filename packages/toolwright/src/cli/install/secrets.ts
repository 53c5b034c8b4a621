import { isObject } from "@toolwright/kit/json";
import type { Scalar } from "../../clients/formats/format.js";
import { keysInPath } from "../use/show-target.js";

/** Under these keys everything is a secret. */
const HOLDERS = new Set(["env", "environment", "envs", "headers", "http_headers", "requestInit"]);
const TELLING = /key|token|secret|passw|auth|credential|bearer/i;
const SEEN = /\bBearer\s|\bBasic\s|\/\/[^/@\s]+:[^/@\s]+@|[?&][^=\s]*(?:key|token|secret|auth)[^=\s]*=/i;

/** The secrets in a configuration. */
export function secretsIn(root: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  walk(root, false, found);
  return found;
}

function walk(value: unknown, isSecret: boolean, found: Set<string>): void {
  if (Array.isArray(value))
    for (const [at, each] of value.entries()) walk(each, isSecret || isFlag(value[at - 1]), found);
  else if (isObject(value))
    for (const [key, each] of Object.entries(value))
      walk(each, isSecret || HOLDERS.has(key) || (TELLING.test(key) && typeof each !== "object"), found);
  else if (
    typeof value === "string" &&
    (isSecret || SEEN.test(value) || isFlagWithValue(value) || keysInPath(value).length > 0)
  )
    for (const part of [value, ...value.split("\n")]) found.add(part.trim());
  else if (isSecret && (typeof value === "number" || typeof value === "boolean")) found.add(String(value));
}

const isFlag = (word: unknown): boolean => typeof word === "string" && /^--?[\w-]+$/.test(word) && TELLING.test(word);
const isFlagWithValue = (word: string): boolean => /^--?[\w-]+=./.test(word) && TELLING.test(word.split("=")[0] ?? "");

/** A configuration without its secrets; the number of lines does not change. */
export function maskScalars(text: string, scalars: readonly Scalar[], secrets: ReadonlySet<string>): string {
  return scalars
    .filter(({ value }) => value.trim() !== "" && secrets.has(value.trim()))
    .reduceRight((left, { start, end }) => left.slice(0, start) + mask(left.slice(start, end)) + left.slice(end), text);
}

function mask(literal: string): string {
  if (literal.includes("\n")) return literal.replaceAll(/\S[^\r\n]*/g, "…");
  const [quote = ""] = /^["']/.exec(literal) ?? [];
  return `${quote}…${quote}`;
}

const QUOTED = /"(?:[^"\\]|\\.)*"|'[^'\n]*'/g;
/** A value without quotes after a key, an equals sign or a dash. */
const BARE = /^(\s*(?:[\w.-]+\s*[:=]|-)\s+)([^"'\s{[#|>&*][^#]*?)(\s*(?:#.*)?)$/;

/** A value without quotes after a colon, or in a list or object on one line. */
const INLINE = /([:=,[{]\s*)([^"'\s,{}[\]#:](?:[^"',{}[\]#:]|:(?!\s))*?)(?=\s*(?:[,}\]]|$))/g;

/** A pair whose key marks a secret, also in a comment. */
const TELLING_PAIR =
  /((["']?)[\w.-]*(?:key|token|secret|passw|auth|credential|bearer)[\w.-]*\2\s*[:=]\s*)(["'])(?:(?!\3)[^\\]|\\.)*\3/gi;

/** One line of a configuration with its secrets taken out. */
export function maskLine(line: string, secrets: ReadonlySet<string>): string {
  if (secrets.has(line.trim()) && line.trim() !== "") return line.replace(line.trim(), "…");
  const telling = line.replaceAll(TELLING_PAIR, "$1$3…$3");
  const masked = telling.replaceAll(QUOTED, (literal) =>
    secrets.has(contentOf(literal)) ? `${literal[0]}…${literal[0]}` : literal,
  );
  return masked
    .replace(BARE, (whole, head: string, value: string, tail: string) =>
      secrets.has(value) ? `${head}…${tail}` : whole,
    )
    .replaceAll(INLINE, (whole, head: string, value: string) => (secrets.has(value) ? `${head}…` : whole));
}

function contentOf(literal: string): string {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal)).trim();
  } catch {
    return literal.slice(1, -1);
  }
}
