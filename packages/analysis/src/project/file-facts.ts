import { decodeText, formOf, hashOf, type TextForm } from "@toolwright/kit/files";
import { type Language, languageOfHeader } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { Fact, Facts } from "../facts/facts.js";
import { FACTS_VERSION } from "../facts/read-facts.js";
import type { Cache } from "./cache.js";
import type { Workers } from "./workers.js";

/** The facts of a content, or why there are none. */
export type FileFacts<Wanted extends Fact> =
  | (ContentInfo & { readonly facts: Pick<Facts, Wanted>; readonly failure?: never })
  | (ContentInfo & { readonly facts?: never; readonly failure?: string });

interface ContentInfo {
  readonly nature: Nature;
  /** By the file name; for a header by its content. */
  readonly language: Language;
}

/** The facts to read from a content. */
interface FactsQuery<Wanted extends Fact> {
  readonly language: Language;
  /** Whether the content tells the language. */
  readonly isHeader?: boolean;
  readonly wanted: readonly Wanted[];
}

/** Whether facts are wanted of a content, by its nature and language. */
type Filter = (nature: Nature, language: Language) => boolean;

/** What reads facts: the cache first, then a worker thread. */
export interface FactReader {
  readonly workers: Workers;
  /** Undefined = switched off. */
  readonly cache: Cache | undefined;
}

/** Opens the cache and creates the worker threads. */
export async function openFactReader(analysis: Analysis): Promise<FactReader> {
  const [workers, cache] = await Promise.all([analysis.workers(), analysis.cache()]);
  await cache?.open();
  return { workers, cache };
}

/** The facts of a content from the cache; undefined if one of them is missing. */
export function readCachedFacts<Wanted extends Fact>(
  cache: Cache,
  hash: string,
  query: FactsQuery<Wanted>,
  isWanted: Filter,
): FileFacts<Wanted> | undefined {
  const cached = cache.text(hash, NATURE);
  if (cached === undefined) return undefined;
  const nature = JSON.parse(cached) as Nature;
  const language = query.isHeader === true && nature.form !== undefined ? cache.text(hash, HEADER) : query.language;
  if (language === undefined) return undefined;
  const info = { nature, language: language as Language };
  if (nature.form === undefined || !isWanted(nature, info.language)) return info;
  const texts: [Wanted, string][] = [];
  for (const fact of query.wanted) {
    const text = cache.text(hash, cacheName(info.language, fact));
    if (text === undefined) return undefined;
    texts.push([fact, text]);
  }
  return { ...info, facts: parseFacts(texts) };
}

/** Reads the facts of a content, from the cache or in a worker thread. There are none if `isWanted` rejects its nature. */
export async function readContentFacts<Wanted extends Fact>(
  { workers, cache }: FactReader,
  bytes: Uint8Array,
  query: FactsQuery<Wanted> & { readonly signal: AbortSignal },
  isWanted: Filter = () => true,
): Promise<FileFacts<Wanted> & { readonly hash: string }> {
  const hash = hashOf(bytes);
  const known = cache && readCachedFacts(cache, hash, query, isWanted);
  if (known !== undefined) return { ...known, hash };
  const nature = natureOf(bytes);
  cache?.keepText({ hash, name: NATURE, value: JSON.stringify(nature) });
  const { form } = nature;
  const { wanted, signal } = query;
  if (form === undefined) return { nature, language: query.language, hash };
  const language = query.isHeader === true ? languageOfHeader(textOf(bytes, form)) : query.language;
  if (query.isHeader === true) cache?.keepText({ hash, name: HEADER, value: language });
  const info = { nature, language, hash };
  if (!isWanted(nature, language)) return info;
  const failureName = failureCacheName(language, wanted, workers.limits);
  const earlier = cache?.text(hash, failureName);
  if (earlier !== undefined) return { ...info, failure: `${earlier}; it failed today already and was not tried again` };
  const { facts = {}, failure, isTransient } = await workers.readFacts(hash, { language, bytes, form, wanted }, signal);
  if (failure !== undefined && isTransient === undefined) cache?.keepText({ hash, name: failureName, value: failure });
  if (failure !== undefined) return { ...info, failure };
  const texts = Object.entries(facts) as [Wanted, string][];
  for (const [fact, value] of texts) cache?.keepText({ hash, name: cacheName(language, fact), value });
  return { ...info, facts: parseFacts(texts) };
}

const textOf = (bytes: Uint8Array, form: TextForm): string => decodeText(bytes.subarray(form.bomBytes), form.encoding);

const NATURE = `nature ${FACTS_VERSION}`;

const HEADER = `header ${FACTS_VERSION}`;

const cacheName = (language: Language, fact: Fact): string => `${fact} ${language} ${FACTS_VERSION}`;

/** Contains the day: a file that failed on a busy machine is tried again on another day. */
const failureCacheName = (language: Language, wanted: readonly Fact[], limits: string): string =>
  `fault ${language} ${FACTS_VERSION} ${wanted.toSorted().join(",")} ${limits} ${new Date().toISOString().slice(0, 10)}`;

const parseFacts = <Wanted extends Fact>(texts: readonly (readonly [Wanted, string])[]): Pick<Facts, Wanted> =>
  Object.fromEntries(texts.map(([fact, text]) => [fact, JSON.parse(text) as unknown])) as Pick<Facts, Wanted>;

/** What the bytes of a file are, apart from their language. */
export interface Nature {
  /** The encoding of the text; undefined = not a text file. */
  readonly form?: TextForm;
  /** Whether the content says or shows that it was generated. */
  readonly isGenerated: boolean;
}

/** How much of a file is searched for a comment at its start, and for one at its end. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 512;

/** Nobody writes lines that are this long on average. */
const LONG_LINES = 300;
const MIN_BYTES = 2000;

const GENERATED_COMMENT =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|<auto-?generated|\b(?:automatically|auto-?) ?generated\b|\bthis file (?:is|was) generated\b|\bgenerated by\b.*\bdo not (?:edit|modify)\b/i;

/** A comment line, or one that can precede the first comment. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|"""|'''|<\?php|$)/;

const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/g;

/** Inspects the content of a file. */
export function natureOf(bytes: Uint8Array): Nature {
  const form = formOf(bytes);
  return { ...(form !== undefined && { form }), isGenerated: form !== undefined && isGenerated(bytes) };
}

function isGenerated(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1").replaceAll("\0", "");
  if (leadingComments(head).some((line) => GENERATED_COMMENT.test(line))) return true;
  const tail = Buffer.from(bytes.subarray(-TAIL_BYTES)).toString("latin1");
  if (/^\/\/[#@] sourceMappingURL=\S+\s*$/m.test(tail)) return true;
  return bytes.length >= MIN_BYTES && hasLongLines(bytes);
}

/** Only comments before all code describe the whole file. */
function leadingComments(head: string): readonly string[] {
  const lines: string[] = [];
  for (const [, line = ""] of head.replace(/^\u00EF\u00BB\u00BF/, "").matchAll(LINE)) {
    if (!COMMENT.test(line)) break;
    lines.push(line);
  }
  return lines;
}

/** Whether lines are too long on average. Stops as soon as there are enough lines. */
function hasLongLines(bytes: Uint8Array): boolean {
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    lines += 1;
    if (bytes.length / lines <= LONG_LINES) return false;
  }
  return bytes.length / lines > LONG_LINES;
}
