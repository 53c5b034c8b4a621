import { hashOf } from "../../../files/text.js";
import type { Language } from "../../../syntax/languages.js";
import type { Analysis } from "../analysis.js";
import type { Fact, Facts } from "../facts/facts.js";
import { FACTS_VERSION } from "../facts/read-facts.js";
import type { Cache } from "./cache.js";
import { type Nature, natureOf } from "./nature.js";
import type { Workers } from "./workers.js";

/** What is known of a text: the wanted facts, or why there are none. */
export type Known<Wanted extends Fact> =
  | { readonly nature: Nature; readonly facts: Pick<Facts, Wanted>; readonly fault?: never }
  | { readonly nature: Nature; readonly facts?: never; readonly fault?: string };

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
  { language, wanted }: { readonly language: Language; readonly wanted: readonly Wanted[] },
  isWanted: (nature: Nature) => boolean,
): Known<Wanted> | undefined {
  const kept = cache.text(hash, NATURE);
  if (kept === undefined) return undefined;
  const nature = JSON.parse(kept) as Nature;
  if (nature.form === undefined || !isWanted(nature)) return { nature };
  const texts: [Wanted, string][] = [];
  for (const fact of wanted) {
    const text = cache.text(hash, nameOf(language, fact));
    if (text === undefined) return undefined;
    texts.push([fact, text]);
  }
  return { nature, facts: parse(texts) };
}

/** Tells what is wanted of a text, from the cache or by reading it; without facts where its nature says that none are wanted. */
export async function tellFacts<Wanted extends Fact>(
  { workers, cache }: Tellers,
  bytes: Uint8Array,
  wish: { readonly language: Language; readonly wanted: readonly Wanted[]; readonly signal: AbortSignal },
  isWanted: (nature: Nature) => boolean = () => true,
): Promise<Known<Wanted> & { readonly hash: string }> {
  const hash = hashOf(bytes);
  const known = cache && recall(cache, hash, wish, isWanted);
  if (known !== undefined) return { ...known, hash };
  const nature = natureOf(bytes);
  cache?.keepText({ hash, name: NATURE, value: JSON.stringify(nature) });
  if (nature.form === undefined || !isWanted(nature)) return { nature, hash };
  const { language, wanted, signal } = wish;
  const { facts = {}, fault } = await workers.ask({ language, bytes, form: nature.form, wanted }, signal);
  if (fault !== undefined) return { nature, hash, fault };
  const texts = Object.entries(facts) as [Wanted, string][];
  for (const [fact, value] of texts) cache?.keepText({ hash, name: nameOf(language, fact), value });
  return { nature, hash, facts: parse(texts) };
}

const NATURE = `nature ${FACTS_VERSION}`;

const nameOf = (language: Language, fact: Fact): string => `${fact} ${language} ${FACTS_VERSION}`;

const parse = <Wanted extends Fact>(texts: readonly (readonly [Wanted, string])[]): Pick<Facts, Wanted> =>
  Object.fromEntries(texts.map(([fact, text]) => [fact, JSON.parse(text) as unknown])) as Pick<Facts, Wanted>;
