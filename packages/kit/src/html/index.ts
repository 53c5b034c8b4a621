import { createHash } from "node:crypto";

const IS_HTML: unique symbol = Symbol.for("toolwright.html");

/** HTML that is safe to send. Only `html` creates it, and escapes what is inserted. */
export class Html {
  readonly text: string;
  /** Registered globally: pages of outside packs are made by another copy of this class. Data from JSON cannot have it. */
  readonly [IS_HTML] = true;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can be inserted into HTML: texts are escaped, items of lists are joined, and what is missing leaves nothing. */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/**
 * Creates HTML from a template. Everything inserted that is not `Html` is escaped, in content and in attribute values.
 *
 * @example
 * ```ts
 * html`<a href="${path}">${title}</a>${isNew && html` <strong>new</strong>`}`
 * ```
 */
export const html = (texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(texts.map((text, index) => (index === 0 ? text : toText(parts[index - 1]) + text)).join(""));

function toText(part: HtmlPart): string {
  if (isHtml(part)) return part.text;
  if (part === undefined || part === null || part === false) return "";
  if (typeof part === "number") return String(part);
  return typeof part === "object" ? part.map(toText).join("") : escapeHtml(part);
}

/** Escapes text for content and attribute values. Control and direction characters become visible, so that they hide nothing. */
export const escapeHtml = (text: string): string =>
  HARMLESS.test(text)
    ? text
    : text.replaceAll(INVISIBLE, toCode).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Most texts need no escaping, and this finds that out faster than the replacements. */
const HARMLESS = /^[\n\t !#-%(-;=?-~]*$/;

/** Control characters, marks of direction or without width, and lone surrogates; not the joiners that scripts and emoji need. */
const INVISIBLE =
  /(?![\n\t])[\p{Cc}\p{Cs}\u{061c}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}]/gu;

const toCode = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const isHtml = (part: unknown): part is Html => typeof part === "object" && part !== null && IS_HTML in part;

/** The content of a page that is one file. */
export interface SinglePage {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** The body, as HTML. */
  readonly body: string;
}

/** Writes a page that is one file: it loads nothing, and runs only its own script. */
export function writeSinglePage({ title, style, script, body }: SinglePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${body}${script === undefined ? "" : `\n<script>${script}</script>`}
</body>
</html>
`;
}

/** Allows style and script by their hashes; the empty icon prevents a request for one. */
const policyOf = (style: string, script: string | undefined): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
