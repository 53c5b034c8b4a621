import { decodeText, formOf, hashOf, type TextForm } from "@toolwright/kit/files";
import { type Language, languageOfHeader } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import type { Fact, Facts } from "../facts/facts.js";
import { FACTS_VERSION } from "../facts/read-facts.js";
import type { Cache } from "./cache.js";
import type { Workers } from "./workers.js";

/** What is known of a text: the wanted facts, or why there are none. */
export type Known<Wanted extends Fact> =
  | (Told & { readonly facts: Pick<Facts, Wanted>; readonly fault?: never })
  | (Told & { readonly facts?: never; readonly fault?: string });

interface Told {
  readonly nature: Nature;
  /** By its name, and of a header by its text. */
  readonly language: Language;
}

/** What is wanted of a text. */
interface Wish<Wanted extends Fact> {
  readonly language: Language;
  /** Whether its text tells the language. */
  readonly isHeader?: boolean;
  readonly wanted: readonly Wanted[];
}

/** What is needed to tell facts. */
export interface Tellers {
  readonly workers: Workers;
  /** Undefined = nothing is kept. */
  readonly cache: Cache | undefined;
}

/** Gets what is needed to tell facts ready. */
export async function openTellers(analysis: Analysis): Promise<Tellers> {
  const [workers, cache] = await Promise.all([analysis.workers(), analysis.cache()]);
  await cache?.open();
  return { workers, cache };
}

/** What the cache knows of a content; undefined where something is missing. `isWanted` tells by its nature whether facts are. */
export function recall<Wanted extends Fact>(
  cache: Cache,
  hash: string,
  wish: Wish<Wanted>,
  isWanted: (nature: Nature, language: Language) => boolean,
): Known<Wanted> | undefined {
  const kept = cache.text(hash, NATURE);
  if (kept === undefined) return undefined;
  const nature = JSON.parse(kept) as Nature;
  const language = wish.isHeader === true && nature.form !== undefined ? cache.text(hash, HEADER) : wish.language;
  if (language === undefined) return undefined;
  const told = { nature, language: language as Language };
  if (nature.form === undefined || !isWanted(nature, told.language)) return told;
  const texts: [Wanted, string][] = [];
  for (const fact of wish.wanted) {
    const text = cache.text(hash, nameOf(told.language, fact));
    if (text === undefined) return undefined;
    texts.push([fact, text]);
  }
  return { ...told, facts: parse(texts) };
}

/** Tells what is wanted of a text, from the cache or by reading it; without facts where its nature says that none are wanted. */
export async function tellFacts<Wanted extends Fact>(
  { workers, cache }: Tellers,
  bytes: Uint8Array,
  wish: Wish<Wanted> & { readonly signal: AbortSignal },
  isWanted: (nature: Nature, language: Language) => boolean = () => true,
): Promise<Known<Wanted> & { readonly hash: string }> {
  const hash = hashOf(bytes);
  const known = cache && recall(cache, hash, wish, isWanted);
  if (known !== undefined) return { ...known, hash };
  const nature = natureOf(bytes);
  cache?.keepText({ hash, name: NATURE, value: JSON.stringify(nature) });
  const { form } = nature;
  const { wanted, signal } = wish;
  if (form === undefined) return { nature, language: wish.language, hash };
  const language = languageIn(bytes, form, wish);
  if (wish.isHeader === true) cache?.keepText({ hash, name: HEADER, value: language });
  const told = { nature, language, hash };
  if (!isWanted(nature, language)) return told;
  const failed = faultName({ language, wanted }, workers.limits);
  const before = cache?.text(hash, failed);
  if (before !== undefined) return { ...told, fault: `${before}; so it was today, and it was not tried again` };
  const question = { language, bytes, form, wanted };
  const { facts = {}, fault, isPassing } = await workers.askOnce(hash, question, signal);
  if (fault !== undefined && isPassing === undefined) cache?.keepText({ hash, name: failed, value: fault });
  if (fault !== undefined) return { ...told, fault };
  const texts = Object.entries(facts) as [Wanted, string][];
  for (const [fact, value] of texts) cache?.keepText({ hash, name: nameOf(language, fact), value });
  return { ...told, facts: parse(texts) };
}

const languageIn = (bytes: Uint8Array, form: TextForm, { language, isHeader }: Wish<Fact>): Language =>
  isHeader === true ? languageOfHeader(decodeText(bytes.subarray(form.bomBytes), form.encoding)) : language;

const NATURE = `nature ${FACTS_VERSION}`;

const HEADER = `header ${FACTS_VERSION}`;

const nameOf = (language: Language, fact: Fact): string => `${fact} ${language} ${FACTS_VERSION}`;

/** A machine that was busy is not so for ever: what failed is tried again another day. */
const faultName = (
  { language, wanted }: { readonly language: Language; readonly wanted: readonly Fact[] },
  limits: string,
): string =>
  `fault ${language} ${FACTS_VERSION} ${wanted.toSorted().join(",")} ${limits} ${new Date().toISOString().slice(0, 10)}`;

const parse = <Wanted extends Fact>(texts: readonly (readonly [Wanted, string])[]): Pick<Facts, Wanted> =>
  Object.fromEntries(texts.map(([fact, text]) => [fact, JSON.parse(text) as unknown])) as Pick<Facts, Wanted>;

/** What the bytes of a file are, apart from its language. */
export interface Nature {
  /** How the text is written down; undefined = it is none. */
  readonly form?: TextForm;
  /** Whether a program has made it, and says so or shows it. */
  readonly isGenerated: boolean;
}

/** How much of a file is looked at for a comment at its top, and for one at its end. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 512;

/** No person writes lines that are so long on average. */
const LONG_LINES = 300;
const LEAST_BYTES = 2000;

const SAYS_SO =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|<auto-?generated|\b(?:automatically|auto-?) ?generated\b|\bthis file (?:is|was) generated\b|\bgenerated by\b.*\bdo not (?:edit|modify)\b/i;

/** A line of a comment, or one that may stand before the first. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|"""|'''|<\?php|$)/;

const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/g;

/** Tells what bytes are. */
export function natureOf(bytes: Uint8Array): Nature {
  const form = formOf(bytes);
  return { ...(form !== undefined && { form }), isGenerated: form !== undefined && isGenerated(bytes) };
}

function isGenerated(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1").replaceAll("\0", "");
  if (headComment(head).some((line) => SAYS_SO.test(line))) return true;
  const tail = Buffer.from(bytes.subarray(-TAIL_BYTES)).toString("latin1");
  if (/^\/\/[#@] sourceMappingURL=\S+\s*$/m.test(tail)) return true;
  return bytes.length >= LEAST_BYTES && hasLongLines(bytes);
}

/** Only comments in front of all code speak of the file as a whole. */
function headComment(head: string): readonly string[] {
  const lines: string[] = [];
  for (const [, line = ""] of head.replace(/^\u00EF\u00BB\u00BF/, "").matchAll(LINE)) {
    if (!COMMENT.test(line)) break;
    lines.push(line);
  }
  return lines;
}

/** Whether the lines are too long on average; as soon as there are enough of them, they are not. */
function hasLongLines(bytes: Uint8Array): boolean {
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    lines += 1;
    if (bytes.length / lines <= LONG_LINES) return false;
  }
  return bytes.length / lines > LONG_LINES;
}
