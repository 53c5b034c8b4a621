const MAX_LINES = 20;
const MAX_VISITS = 20_000;

/** Gathers the faults of a value: each line once, the first twenty in full, the rest counted. */
export class FaultList {
  readonly #lines = new Set<string>();
  #more = 0;
  #visits = 0;

  /** Adds a fault of the part at a path; the path is empty for the whole value. */
  add(path: string, text: string): void {
    const line = path === "" ? text : `${path}: ${text}`;
    if (this.#lines.has(line)) return;
    if (this.#lines.size < MAX_LINES) this.#lines.add(line);
    else this.#more++;
  }

  /** Tells how many faults there are so far. */
  get count(): number {
    return this.#lines.size + this.#more;
  }

  /** Says whether there is still time to look at one more part of the value. */
  visit(): boolean {
    return ++this.#visits <= MAX_VISITS;
  }

  /** Gives the lines to show. */
  lines(): string[] {
    return this.#more === 0 ? [...this.#lines] : [...this.#lines, `and ${this.#more} more`];
  }
}
