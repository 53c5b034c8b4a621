import { stem } from "@toolwright/kit/text";
import { isKeptWhole, joinNames, joinPairs, spellingOf } from "./spellings.js";

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that say nothing about a task: left out wherever they stand. */
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

/** Words of nearly every task: what they add to a score is little, whatever the corpus says of them. */
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

/** A word of a text that means something. */
export interface Term {
  /** What its forms have in common. */
  readonly stem: string;
  /** As it was written, in small letters. */
  readonly word: string;
  /** Which word of the text it is; those that mean nothing count too. */
  readonly place: number;
}

/** What some write with an s and others with a z; a word such as "promise" is changed wherever it stands, so it stays one word. */
const BRITISH = /(?<=\p{L}{3})is(e|es|ed|er|ers|ing|ations?)$/u;

const stems = new Map<string, string>();
/** Whoever asks can write any word, and words are kept for as long as the program runs. */
const MAX_STEMS = 20_000;

/** The stem of a word in small letters, of whatever spelling. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const one = spellingOf(word);
  const cut = isKeptWhole(one) ? one : stem(one.replace(/ifications?$/, "ify").replace(BRITISH, "iz$1"));
  if (stems.size < MAX_STEMS) stems.set(word, cut);
  return cut;
}

/** The words of a text in order, in small letters; names such as `getUserById` and `user_id` are taken apart. */
export const wordsOf = (text: string): readonly string[] => joinPairs(toSmall(text)).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Most texts of patterns are plain already, and there are thousands of them to read when the first question comes. */
function toSmall(text: string): string {
  if (/^[a-z0-9 ,.-]*$/.test(text)) return text;
  return joinNames(text.normalize("NFKC"))
    .replace(/(\p{Ll}|\d(?=\p{Lu}\p{Ll}))(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[’']s\b/g, "");
}

/** The words of a text that mean something, in order. */
export function termsOf(text: string): readonly Term[] {
  return wordsOf(text).flatMap((word, place) => (saysSomething(word) ? [{ word, stem: stemOf(word), place }] : []));
}

/** Longer words are keys, hashes, or attempts to make the scan slow. */
const MAX_WORD = 40;

const saysSomething = (word: string): boolean =>
  !STOP_WORDS.has(word) &&
  word.length <= MAX_WORD &&
  !/^\d+$/.test(word) &&
  (word.length > 1 || /[^\p{ASCII}]/u.test(word));

const weakStems: ReadonlySet<string> = new Set([...WEAK_WORDS].map(stemOf));

/** Whether a stem is one of nearly every task. */
export const isWeak = (cut: string): boolean => weakStems.has(cut);
