const MAX_LINES = 20;
const MAX_COUNTED = 2_000;
const MAX_VISITS = 20_000;

/** Gathers the faults of a value: each line once, the first twenty in full, the next thousands counted, no more than that. */
export class FaultList {
  readonly #lines = new Set<string>();
  readonly #paths = new Set<string>();
  #more = 0;
  #visits = 0;

  /** Adds a fault of the part at a path, empty for the whole value. A text that takes work is given as a function, called only if it is shown. */
  add(path: string, text: string | (() => string)): void {
    if (this.isFull) {
      this.#more++;
      return;
    }
    const words = typeof text === "string" ? text : text();
    this.#lines.add(path === "" ? words : `${path}: ${words}`);
    this.#paths.add(path);
  }

  /** Tells how many faults there are so far. */
  get count(): number {
    return this.#lines.size + this.#more;
  }

  /** Says whether there is no room for another line. */
  get isFull(): boolean {
    return this.#lines.size >= MAX_LINES;
  }

  /** Says whether there are so many faults that looking for more would tell nobody anything. */
  get isOver(): boolean {
    return this.#more > MAX_COUNTED;
  }

  /** Says whether there is still time to look at one more part of the value. */
  visit(): boolean {
    return ++this.#visits <= MAX_VISITS && !this.isOver;
  }

  /** Says whether a line is about the part at a path, about what it is in or about what is in it. */
  mentions(path: string): boolean {
    return [...this.#paths].some((known) => known === path || isInside(known, path) || isInside(path, known));
  }

  /** Gives the lines to show. */
  lines(): string[] {
    if (this.#more === 0) return [...this.#lines];
    return [...this.#lines, this.isOver ? `and more than ${MAX_COUNTED} more` : `and ${this.#more} more`];
  }
}

function isInside(path: string, outer: string): boolean {
  return outer === "" || (path.startsWith(outer) && (path[outer.length] === "." || path[outer.length] === "["));
}
