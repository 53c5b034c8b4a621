/** How a vocabulary wants its texts, as `tokenizer.json` says it of BERT's normaliser. */
export interface PlainForm {
  readonly isLowerCase: boolean;
  readonly hasNoAccents: boolean;
}

/** Characters that are dropped: controls, formats, private ones, halves of pairs, and the sign for what could not be read. */
const DROPPED = /[\p{Cf}\p{Co}\p{Cs}\ufffd]|(?![\t\n\r])\p{Cc}/gu;
const BLANK = /\p{White_Space}/gu;
/** What Chinese is written in: each character is a word. */
const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const ACCENT = /\p{Mn}/gu;

/** Writes a text as BERT's normaliser does. */
export function toPlainForm(text: string, { isLowerCase, hasNoAccents }: PlainForm): string {
  const clean = text.replace(DROPPED, "").replace(BLANK, " ").replace(IDEOGRAPH, " $& ");
  const bare = hasNoAccents ? clean.normalize("NFD").replace(ACCENT, "") : clean;
  // A capital sigma becomes another letter at the end of a word, which BERT does not do.
  return isLowerCase ? bare.replaceAll("Σ", "σ").toLowerCase() : bare;
}
