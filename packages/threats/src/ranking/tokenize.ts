import { stem } from "@toolwright/kit/text";
import { canonicalWord, isUnstemmed, joinCompounds, lowercaseNames } from "./spellings.js";

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words without meaning for the ranking. They are ignored. */
const STOP_WORDS = wordSet(`
a about above after again against all also am an and any are aren as at be because been before being below between both but by
can cannot could did do does doesn doing don done down during each either else ever every few for from further get gets getting
give given gives go goes going got had has hasn have having he her here hers him his how however i if in into is isn it its
itself just let lets like ll may maybe me might more most much must my myself neither no nor not now of off often on once one
only onto or other others our ours out over own per please put rather re really s same shall she should shouldn since so some
something somewhere still such t than that the their theirs them then there these they thing things this those though through
to too toward towards two under until up upon us ve very via want wants was wasn options we well were weren what whatever when
where whether which while who whoever whom whose why will with within without won would yes yet you your yours
able already always another anything around away back become becomes better big came come comes etc even exactly far first
good instead keep kept know known last later least less little long look hint made many need needed needs never new next nice
old important com example examples acme www quick quickly right sure take taken takes three try until usual usually want
`);

/** Words that occur in nearly every task. They count little, however rare they are in the corpus. */
const WEAK_WORDS = wordSet(`
add adds added adding api app application applications apps backend build building builds button call called calls change
changed changes changing class click code component components create created creates creating current customer customers
develop display endpoint endpoints enable existing explain feature features field fields find fix frontend function functions
handle handler handlers handles handling help implement implementation implementing implements improve item items library
make makes making method methods module modules name names object objects option options page pages people person post
program project provide refactor remove render request requests response return returned returns returning route routes run
running runs screen script section send sending sends sent server servers service services set sets setting setup show showing
shown shows simple site small start step steps store stores support system team teams test tests text time tool type
update updated updates updating use used user users uses using value values view web website work works working write writes
writing number table list lists line lines read reads reading open opens save saves large fast slow nightly daily button
aspnet axum boot csharp django dotnet express fastapi flask golang java javascript kotlin laravel nestjs node nodejs php python
rails react ruby rust spring typescript vue angular svelte
box color colour style layout animation tab menu chart week day days hour hours minute minutes
`);

/** A word of a text that is not a stop word. */
export interface Term {
  readonly stem: string;
  /** As in the text, in lower case. */
  readonly word: string;
  /** Its index among all words of the text, including stop words. */
  readonly position: number;
}

/** Endings with an s in British spelling. Words such as "promise" change too, which is harmless: they change everywhere. */
const BRITISH = /(?<=\p{L}{3})is(e|es|ed|er|ers|ing|ations?)$/u;

const stems = new Map<string, string>();
/** The size of the cache: queries can contain any word. */
const MAX_STEMS = 20_000;

/** Returns the stem of a lower-case word, after normalizing its spelling. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const canonical = canonicalWord(word);
  const result = isUnstemmed(canonical)
    ? canonical
    : stem(canonical.replace(/ifications?$/, "ify").replace(BRITISH, "iz$1"));
  if (stems.size < MAX_STEMS) stems.set(word, result);
  return result;
}

/** Splits a text into lower-case words. Identifiers such as `getUserById` and `user_id` are split too. */
export const wordsOf = (text: string): readonly string[] =>
  joinCompounds(normalize(text)).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Splits identifiers and converts to lower case. */
function normalize(text: string): string {
  // The fast path: the first query indexes thousands of texts, and most of them are plain.
  if (/^[a-z0-9 ,.-]*$/.test(text)) return text;
  return lowercaseNames(text.normalize("NFKC"))
    .replace(/(\p{Ll}|\d(?=\p{Lu}\p{Ll}))(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[’']s\b/g, "");
}

/** Returns the words of a text without stop words, in order. */
export function termsOf(text: string): readonly Term[] {
  return wordsOf(text).flatMap((word, position) =>
    isMeaningful(word) ? [{ word, stem: stemOf(word), position }] : [],
  );
}

/** The maximum length of a word. Longer ones are keys, hashes, or attempts to slow down the scan. */
const MAX_WORD = 40;

const isMeaningful = (word: string): boolean =>
  !STOP_WORDS.has(word) &&
  word.length <= MAX_WORD &&
  !/^\d+$/.test(word) &&
  (word.length > 1 || /[^\p{ASCII}]/u.test(word));

const weakStems: ReadonlySet<string> = new Set([...WEAK_WORDS].map(stemOf));

/** Whether a word, given by its stem, occurs in nearly every task. */
export const isWeak = (word: string): boolean => weakStems.has(word);
