type Level = "none" | "low" | "enough";
type Amount<T> = T extends { count: infer N } ? (N extends number ? N : never) : 0;

abstract class Shelf {
  abstract capacity(): number;
  describe(): string;
  describe(detail: boolean): string;
  describe(detail = false): string {
    return detail ? `${this.capacity()} places` : "shelf";
  }
}

@registered
export class Stock extends Shelf {
  static readonly #limits = new Map<string, number>();
  static {
    for (const name of ["screw", "nail"]) Stock.#limits.set(name, name === "nail" ? 100 : 50);
  }

  readonly #counts = new Map<string, number>();
  onChange = (article: string): void => {
    if (!this.#counts.has(article)) return;
    console.log(article);
  };

  constructor(private readonly name: string, initial?: Iterable<[string, number]>) {
    super();
    for (const [article, count] of initial ?? []) this.#counts.set(article, count);
  }

  override capacity(): number {
    return 1000;
  }

  get size(): number {
    let size = 0;
    for (const count of this.#counts.values()) size += count;
    return size;
  }

  set size(value: number) {
    if (value !== 0) throw new RangeError("a stock can only be emptied");
    this.#counts.clear();
  }

  level(article: string): Level {
    const count = this.#counts.get(article) ?? 0;
    if (count === 0) return "none";
    return count < (Stock.#limits.get(article) ?? 10) ? "low" : "enough";
  }

  @logged("info")
  take(
    article: string,
    count: number,
  ): number {
    const there = this.#counts.get(article) ?? 0;
    if (there < count) {
      if (there === 0) return 0;
      return this.take(article, there);
    }
    this.#counts.set(article, there - count);
    return count;
  }

  async refill(order: (article: string) => Promise<number>): Promise<void> {
    for (const [article, count] of this.#counts) {
      if (count >= 10) continue;
      this.#counts.set(article, count + (await order(article)));
    }
  }

  *[Symbol.iterator](): Generator<string> {
    for (const [article, count] of this.#counts) if (count > 0) yield article;
  }

  static merge(this: void, ...stocks: Stock[]): Stock {
    const all = new Stock("all");
    for (const stock of stocks) {
      for (const article of stock) {
        all.onChange(article);
      }
    }
    return all;
  }

  reset(): void {
    reset(this.#counts);
  }
}

function reset(counts: Map<string, number>): void {
  do {
    counts.clear();
  } while (counts.size > 0);
}

namespace Units {
  export enum Kind {
    Piece,
    Box,
  }
  export function toPieces(count: number, kind: Kind): number {
    return kind === Kind.Box ? count * 12 : count;
  }
}

const Pallet = class {
  #boxes = 0;
  add(boxes: number): boolean {
    if (this.#boxes + boxes > 40) return false;
    this.#boxes += boxes;
    return true;
  }
};
