const PLAIN = /^[\0-\x7f]*$/;
/** Marks over and under letters of Latin, Greek and Cyrillic. Those of other scripts are letters in all but name. */
const MARKS = /[\u{300}-\u{36f}]/gu;

/** One spelling of a word: small letters, without accents, of one width. */
export function fold(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(MARKS, "")
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ");
}
