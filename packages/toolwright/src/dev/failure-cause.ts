import path from "node:path";
import { fileURLToPath } from "node:url";

const HEADLINE = /^(?:Uncaught\s+|\[[A-Z]+\]\s+)?((?:[A-Z]\w*)?(?:Error|Exception)\b(?: \[\w+\])?(?::.*)?)$/;
const PLACE = /(?:file:\/\/\/[^\s()]*?|(?:[A-Za-z]:)?[/\\][^\s():]*?\.[cm]?[jt]sx?):\d+(?::\d+)?/g;

/** The line below the source of an error. */
const MARK = /^\s*\^+\s*$/;
/** The first line of an excerpt: a place and nothing else. */
const EXCERPT = /^(?:node:|file:\/\/\/|(?:[A-Za-z]:)?[/\\])\S*:\d+$/;
const MOST_HELD = 8;

/** Why a program ended, in one line with the file and the line, from what it wrote to stderr; undefined where it wrote nothing that says so. */
export function causeOf(words: readonly string[], folder: string): string | undefined {
  const headline = words.findLastIndex((line) => HEADLINE.test(line));
  if (headline === -1) return thrownValue(words) ?? words.findLast((line) => line.trim() !== "")?.trim();
  const [, message = ""] = HEADLINE.exec(words[headline] ?? "") ?? [];
  // A stack has the author's own lines; a syntax error has its place above the headline.
  const after = words.slice(headline + 1).filter((line) => /^\s+at /.test(line));
  const before = words.slice(Math.max(0, headline - 6), headline);
  const place = [...after, ...before].flatMap((line) => line.match(PLACE) ?? []).find(isTheirs);
  const shown = place === undefined ? undefined : showPlace(place, folder);
  return shown === undefined || message.includes(shown) ? message : `${shown}: ${message}`;
}

/** What was thrown that is no error: Node prints it below a mark. */
function thrownValue(words: readonly string[]): string | undefined {
  const mark = words.findLastIndex((line) => MARK.test(line));
  return mark === -1 ? undefined : words[mark + 1];
}

/** Passes lines on, with the line that names an error before the excerpt of the source that Node prints above it. */
export class ErrorFirst {
  readonly #pass: (line: string) => void;
  #held: string[] = [];

  constructor(pass: (line: string) => void) {
    this.#pass = pass;
  }

  hear(line: string): void {
    const isPlace = EXCERPT.test(line);
    if (this.#held.every((held) => held === "") && !isPlace) {
      this.over();
      // Node prints an empty line first, if what was thrown is no error.
      if (line === "") this.#held.push(line);
      else this.#pass(line);
    } else if (this.#held.some((held) => MARK.test(held)) && line !== "" && !isPlace) {
      this.#pass(line);
      this.#held = this.#held.filter((held) => held !== "");
      this.over();
    } else if (this.#held.length === MOST_HELD) {
      this.over();
      this.#pass(line);
    } else this.#held.push(line);
  }

  over(): void {
    const held = this.#held;
    this.#held = [];
    for (const line of held) this.#pass(line);
  }
}

const isTheirs = (place: string): boolean => !/[/\\]node_modules[/\\]/.test(place);

function showPlace(place: string, folder: string): string {
  const [, url = place, line = ""] = /^(.*?)((?::\d+)+)$/.exec(place) ?? [];
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  const inside = path.relative(folder, file);
  return `${inside.startsWith("..") ? file : inside}${line}`;
}
