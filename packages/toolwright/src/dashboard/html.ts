/** A piece of a page that is safe to send: strangers' texts in it are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a page: texts are escaped, lists stand one after the other, and what is missing leaves nothing. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[];

/** Writes a piece of a page; whatever stands in it and is no `Html` itself is escaped, as content and as the value of an attribute. */
export const html = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(texts.map((text, at) => (at === 0 ? text : write(pieces[at - 1]) + text)).join(""));

function write(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (piece === undefined || piece === null || piece === false) return "";
  if (typeof piece === "number") return String(piece);
  return typeof piece === "object" ? piece.map(write).join("") : escape(piece);
}

const escape = (text: string): string =>
  PLAIN.test(text) ? text : text.replaceAll(UNSEEN, code).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Most texts have nothing that must be escaped, and this finds that out sooner than what looks for it. */
const PLAIN = /^[\n\t !#-%(-;=?-~]*$/;

/** Control signs, marks that turn the direction of writing, and lone halves of a character: they are made visible. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\u{061c}\u{2028}-\u{202e}\u{2066}-\u{206f}\u{feff}]/gu;

const code = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
