/** A row with its score. */
export interface FoundRow {
  readonly row: number;
  /** The cosine similarity to the query. */
  readonly score: number;
}

/** Keeps the rows with the highest scores. Rows must be offered in order, so that the first of equal rows wins. */
export class TopRows {
  /** A binary heap with the worst row at the root. */
  readonly #scores: Float32Array;
  readonly #rows: Uint32Array;
  #size = 0;

  constructor(limit: number) {
    this.#scores = new Float32Array(limit);
    this.#rows = new Uint32Array(limit);
  }

  /** The score that a row must exceed. */
  get floor(): number {
    return this.#size < this.#scores.length ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Adds a row whose score is above `floor`. */
  offer(row: number, score: number): void {
    if (this.#size < this.#scores.length) this.#rise(this.#size++, row, score);
    else this.#sink(row, score);
  }

  /** Returns the kept rows, best first. */
  sorted(): FoundRow[] {
    const found = Array.from({ length: this.#size }, (_, index) => ({
      row: this.#rows[index] as number,
      score: this.#scores[index] as number,
    }));
    return found.sort((a, b) => b.score - a.score || a.row - b.row);
  }

  /** Whether the row at a position ranks below another one. Of equal scores, the later row ranks lower. */
  #isWorse(position: number, row: number, score: number): boolean {
    const current = this.#scores[position] as number;
    return current < score || (current === score && (this.#rows[position] as number) > row);
  }

  #rise(from: number, row: number, score: number): void {
    let position = from;
    while (position > 0) {
      const above = (position - 1) >> 1;
      if (this.#isWorse(above, row, score)) break;
      this.#move(above, position);
      position = above;
    }
    this.#put(position, row, score);
  }

  #sink(row: number, score: number): void {
    let position = 0;
    for (;;) {
      let below = 2 * position + 1;
      if (below >= this.#size) break;
      const right = below + 1;
      if (right < this.#size && this.#isWorse(right, this.#rows[below] as number, this.#scores[below] as number))
        below = right;
      if (!this.#isWorse(below, row, score)) break;
      this.#move(below, position);
      position = below;
    }
    this.#put(position, row, score);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#rows[from] as number, this.#scores[from] as number);
  }

  #put(position: number, row: number, score: number): void {
    this.#rows[position] = row;
    this.#scores[position] = score;
  }
}
