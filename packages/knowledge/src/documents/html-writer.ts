import type { BlockBuilder } from "./block-builder.js";
import type { DecodedText } from "./decode.js";

/** Writes the text of an HTML file into blocks, blanks as a browser shows them. */
export class HtmlWriter {
  /** Nothing of an item or a cell is there yet. */
  isAtItem = false;
  readonly #source: DecodedText;
  readonly #builder: BlockBuilder;
  #space: { readonly start: number; readonly end: number } | undefined;

  constructor(source: DecodedText, builder: BlockBuilder) {
    this.#source = source;
    this.#builder = builder;
  }

  /** A blank comes before the next text on the line; it stands for this part of the source, or for none where that is empty. */
  space(start: number, end: number): void {
    this.#space ??= { start, end };
  }

  dropSpace(): void {
    this.#space = undefined;
  }

  /** Prose, with one blank for any number of them. */
  writeProse(start: number, end: number): void {
    const { text } = this.#source;
    let from = start;
    for (let at = start; at < end; ) {
      if (!isBlank(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      let after = at + 1;
      while (after < end && isBlank(text.charCodeAt(after))) after += 1;
      const isPlain = after === at + 1 && text.charCodeAt(at) === 32 && at > from && after < end;
      if (!isPlain) {
        if (at > from) this.write(from, at);
        this.#space ??= { start: at, end: after };
        from = after;
      }
      at = after;
    }
    if (end > from) this.write(from, end);
  }

  /** Text as it stands in the source. */
  write(start: number, end: number): void {
    const { text, bytes } = this.#source;
    const [first, last] = [bytes.startOf(start), bytes.endOf(end)];
    if (last - first === end - start) return this.writeAs(text.slice(start, end), start, end);
    for (let at = start; at < end; ) {
      const next = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
      this.writeAs(text.slice(at, next), at, next);
      at = next;
    }
  }

  /** Text for what stands in the source. */
  writeAs(text: string, start: number, end: number): void {
    const { bytes } = this.#source;
    const space = this.#space;
    this.#space = undefined;
    if (space !== undefined && !this.#builder.isAtStart && !this.isAtItem) {
      if (space.end === 0) this.#builder.insert(" ");
      else this.#builder.append(" ", bytes.startOf(space.start), bytes.endOf(space.end));
    }
    this.isAtItem = false;
    this.#builder.append(text, bytes.startOf(start), bytes.endOf(end));
  }
}

const isBlank = (code: number): boolean => code <= 32 || code === 0xa0;
