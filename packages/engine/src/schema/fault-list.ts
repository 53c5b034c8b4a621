const MAX_LINES = 20;
const MAX_COUNTED = 2_000;
const MAX_VISITS = 20_000;

/** Gathers the faults of a value: each line once, the first twenty in full, the next thousands counted, no more than that. */
export class FaultList {
  readonly #lines = new Set<string>();
  readonly #paths = new Set<string>();
  #more = 0;
  #visits = 0;

  /** Adds a fault of the part at a path, empty for the whole value. A text given as a function is made only to be shown. */
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

  /** Tells how many more faults are worth finding. */
  get room(): number {
    return MAX_LINES + MAX_COUNTED + 1 - this.count;
  }

  /** Says whether there is still time to look at one more part of the value. */
  visit(): boolean {
    return ++this.#visits <= MAX_VISITS && !this.isOver;
  }

  /** Lists the paths of the parts that lines are about, as of now. */
  copyPaths(): string[] {
    return [...this.#paths];
  }

  /** Gives the lines to show. */
  lines(): string[] {
    if (this.#more === 0) return [...this.#lines];
    return [...this.#lines, this.isOver ? `and more than ${MAX_COUNTED} more` : `and ${this.#more} more`];
  }
}

/** Says whether two paths lead to the same part, or one to a part of the other's. */
export function areNested(path: string, other: string): boolean {
  return path === other || isInside(path, other) || isInside(other, path);
}

function isInside(path: string, outer: string): boolean {
  return outer === "" || (path.startsWith(outer) && (path[outer.length] === "." || path[outer.length] === "["));
}
