import path from "node:path";
import { fileURLToPath } from "node:url";

const ERROR_LINE = /^(?:Uncaught\s+|\[[A-Z]+\]\s+)?((?:[A-Z]\w*)?(?:Error|Exception)\b(?: \[\w+\])?(?::.*)?)$/;
const LOCATION = /(?:file:\/\/\/[^\s()]*?|(?:[A-Za-z]:)?[/\\][^\s():]*?\.[cm]?[jt]sx?):\d+(?::\d+)?/g;

/** The line below the source line of an error. */
const CARET_LINE = /^\s*\^+\s*$/;
/** The first line of an excerpt: only a location. */
const EXCERPT_START = /^(?:node:|file:\/\/\/|(?:[A-Za-z]:)?[/\\])\S*:\d+$/;
const MAX_HELD_LINES = 8;

/** Finds why a program exited in its stderr, as one line with the location; undefined if stderr is empty. */
export function findCause(words: readonly string[], folder: string): string | undefined {
  const headline = words.findLastIndex((line) => ERROR_LINE.test(line));
  if (headline === -1) return thrownNonError(words) ?? words.findLast((line) => line.trim() !== "")?.trim();
  const [, message = ""] = ERROR_LINE.exec(words[headline] ?? "") ?? [];
  // A stack has the author's lines; a syntax error has its location above the message.
  const after = words.slice(headline + 1).filter((line) => /^\s+at /.test(line));
  const before = words.slice(Math.max(0, headline - 6), headline);
  const place = [...after, ...before].flatMap((line) => line.match(LOCATION) ?? []).find(isAuthorCode);
  const shown = place === undefined ? undefined : formatLocation(place, folder);
  return shown === undefined || message.includes(shown) ? message : `${shown}: ${message}`;
}

/** A thrown value that is not an error: Node prints it below a caret. */
function thrownNonError(words: readonly string[]): string | undefined {
  const mark = words.findLastIndex((line) => CARET_LINE.test(line));
  return mark === -1 ? undefined : words[mark + 1];
}

/** Passes lines on, with the message of an error before the source excerpt that Node prints above it. */
export class ErrorLineReorderer {
  readonly #pass: (line: string) => void;
  #held: string[] = [];

  constructor(pass: (line: string) => void) {
    this.#pass = pass;
  }

  receive(line: string): void {
    const isPlace = EXCERPT_START.test(line);
    if (this.#held.every((held) => held === "") && !isPlace) {
      this.over();
      // Node prints an empty line first if the thrown value is not an error.
      if (line === "") this.#held.push(line);
      else this.#pass(line);
    } else if (this.#held.some((held) => CARET_LINE.test(held)) && line !== "" && !isPlace) {
      this.#pass(line);
      this.#held = this.#held.filter((held) => held !== "");
      this.over();
    } else if (this.#held.length === MAX_HELD_LINES) {
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

const isAuthorCode = (place: string): boolean => !/[/\\]node_modules[/\\]/.test(place);

function formatLocation(place: string, folder: string): string {
  const [, url = place, line = ""] = /^(.*?)((?::\d+)+)$/.exec(place) ?? [];
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  const inside = path.relative(folder, file);
  return `${inside.startsWith("..") ? file : inside}${line}`;
}
