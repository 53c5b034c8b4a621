/** Words that the rules would treat wrongly, as the authors of the algorithm list them. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word) => [word, word] as const),
]);
const WHOLE_AFTER_PLURAL = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "proceed",
  "exceed",
  "succeed",
]);

const STEP_2: readonly (readonly [ending: string, instead: string])[] = [
  ["ational", "ate"],
  ["fulness", "ful"],
  ["iveness", "ive"],
  ["ization", "ize"],
  ["ousness", "ous"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["tional", "tion"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ation", "ate"],
  ["entli", "ent"],
  ["fulli", "ful"],
  ["iviti", "ive"],
  ["ousli", "ous"],
  ["abli", "able"],
  ["alli", "al"],
  ["anci", "ance"],
  ["ator", "ate"],
  ["enci", "ence"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];
const STEP_3: readonly (readonly [ending: string, instead: string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["ative", ""],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
const hasVowel = (text: string): boolean => /[aeiouy]/.test(text);

/** Cuts an English word of small letters to its stem, as the second stemmer of Porter does (Snowball's "english"). */
export function stem(given: string): string {
  if (given.length <= 2) return given;
  const whole = WHOLE.get(given);
  if (whole !== undefined) return whole;
  // A y that sounds as a consonant is written large while it lasts.
  let word = given.replace(/^y|(?<=[aeiouy])y/g, "Y");
  const [first, second] = regions(word);
  word = withoutPlural(word);
  if (WHOLE_AFTER_PLURAL.has(word)) return word;
  word = withoutPast(word, first);
  word = word.replace(/(?<=.[^aeiouy])[yY]$/, "i");
  word = replaceEnding(word, STEP_2, first, allowsStep2);
  word = replaceEnding(word, STEP_3, first, (ending, at) => ending !== "ative" || at >= second);
  word = withoutSuffix(word, second);
  return withoutLastLetter(word, first, second).toLowerCase();
}

/** Where the two regions begin: after the first consonant that follows a vowel, and after the next such one. */
function regions(word: string): readonly [number, number] {
  const fixed = /^(?:gener|commun|arsen)/.exec(word)?.[0].length;
  const first = fixed ?? afterSyllable(word, 0);
  return [first, afterSyllable(word, first)];
}

function afterSyllable(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found === null ? word.length : from + found.index + 2;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word) || !word.endsWith("s")) return word;
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutPast(word: string, first: number): string {
  const kept = /eed(?:ly)?$/.exec(word);
  if (kept) return kept.index >= first ? `${word.slice(0, kept.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!ending || !hasVowel(word.slice(0, ending.index))) return word;
  const rest = word.slice(0, ending.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return first >= rest.length && SHORT_SYLLABLE.test(rest) ? `${rest}e` : rest;
}

function allowsStep2(ending: string, at: number, word: string): boolean {
  const before = word[at - 1] ?? "";
  if (ending === "ogi") return before === "l";
  return ending !== "li" || "cdeghkmnrt".includes(before);
}

function replaceEnding(
  word: string,
  endings: typeof STEP_2,
  region: number,
  allows: (ending: string, at: number, word: string) => boolean,
): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const at = word.length - found[0].length;
  return at >= region && allows(found[0], at, word) ? word.slice(0, at) + found[1] : word;
}

function withoutSuffix(word: string, second: number): string {
  const ending = STEP_4.exec(word);
  if (!ending || ending.index < second) return word;
  if (ending[0] === "ion" && !/[st]$/.test(word.slice(0, ending.index))) return word;
  return word.slice(0, ending.index);
}

function withoutLastLetter(word: string, first: number, second: number): string {
  const at = word.length - 1;
  const rest = word.slice(0, at);
  if (word.endsWith("e") && (at >= second || (at >= first && !SHORT_SYLLABLE.test(rest)))) return rest;
  return word.endsWith("ll") && at >= second ? rest : word;
}
