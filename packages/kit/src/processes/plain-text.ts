import { stripVTControlCharacters } from "node:util";

/** The longest escape sequence that is waited for; a longer one is no escape sequence. */
const MOST_HELD = 512;

/** Control characters, but for tab and newline. Most output has none, which a plain range finds out fastest. */
const CONTROL = String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`;
const HAS_CONTROL = new RegExp(CONTROL);
const CONTROLS = new RegExp(CONTROL, "g");

const ESCAPE = "\u001b";
const BELL = "\u0007";

/** The start of an escape sequence or line end that continues in the next piece. */
const OPEN = new RegExp(`(?:\\r|${ESCAPE}(?:[[(#][\\d;?!"'$ ]*|\\][^${BELL}${ESCAPE}]*${ESCAPE}?)?)$`);

/** Turns what a program writes, piece by piece, into text that can be shown: no colours, no control characters, one kind of line end. */
export class PlainText {
  readonly #decoder = new TextDecoder();
  #held = "";

  /** The text of the next piece, as far as it is certain. */
  add(piece: Uint8Array): string {
    return this.#clean(this.#held + this.#decoder.decode(piece, { stream: true }), false);
  }

  /** Returns what was held back, at the end. */
  end(): string {
    return this.#clean(this.#held + this.#decoder.decode(), true);
  }

  #clean(text: string, isLast: boolean): string {
    const open = isLast ? -1 : openAt(text);
    this.#held = open < 0 ? "" : text.slice(open);
    const whole = open < 0 ? text : text.slice(0, open);
    if (!HAS_CONTROL.test(whole)) return whole;
    return stripVTControlCharacters(whole).replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "");
  }
}

/** Where a sequence starts that may continue in the next piece; negative = nowhere. Examines only the last characters. */
function openAt(text: string): number {
  const from = Math.max(0, text.length - MOST_HELD);
  const found = text.slice(from).search(OPEN);
  return found < 0 ? -1 : from + found;
}
