/** Splits a name into its words: at anything but letters and digits, and where camel case begins a word. */
function wordsOf(name: string): readonly string[] {
  return (
    name
      .normalize("NFC")
      .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

const lower = (word: string): string => word.toLowerCase();
const upper = (word: string): string => word.toUpperCase();
const capital = (word: string): string => {
  const [first = "", ...rest] = word;
  return upper(first) + lower(rest.join(""));
};

/** The spellings of names that templates can ask for. */
export const NAME_CASES: Readonly<Record<string, (name: string) => string>> = {
  snake: (name) => wordsOf(name).map(lower).join("_"),
  kebab: (name) => wordsOf(name).map(lower).join("-"),
  pascal: (name) => wordsOf(name).map(capital).join(""),
  camel: (name) =>
    wordsOf(name)
      .map((word, at) => (at === 0 ? lower(word) : capital(word)))
      .join(""),
  constant: (name) => wordsOf(name).map(upper).join("_"),
  title: (name) => wordsOf(name).map(capital).join(" "),
};
