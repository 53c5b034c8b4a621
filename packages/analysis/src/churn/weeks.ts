const WEEK = 7 * 86_400;

/** The first Monday that a clock which counts from 1970 knows of. */
const MONDAY = 4 * 86_400;

/** Counts commits by weeks that begin on Monday. */
export class Weeks {
  readonly #now: number;
  readonly #weeks = new Map<number, { commits: number; lines: number }>();

  /** `now` in seconds: what is dated later by a wrong clock counts for this week. */
  constructor(now: number) {
    this.#now = now;
  }

  add(time: number, lines: number): void {
    const at = weekOf(Math.min(time, this.#now));
    const week = this.#weeks.get(at) ?? { commits: 0, lines: 0 };
    week.commits += 1;
    week.lines += lines;
    this.#weeks.set(at, week);
  }

  /** Every week from the first with a commit until now. */
  list(): readonly { readonly from: string; readonly commits: number; readonly lines: number }[] {
    if (this.#weeks.size === 0) return [];
    const first = [...this.#weeks.keys()].reduce((least, each) => Math.min(least, each));
    return Array.from({ length: weekOf(this.#now) - first + 1 }, (_, at) => ({
      from: toDate((first + at) * WEEK + MONDAY),
      ...(this.#weeks.get(first + at) ?? { commits: 0, lines: 0 }),
    }));
  }
}

const weekOf = (time: number): number => Math.floor((time - MONDAY) / WEEK);

/** The day of a moment in seconds, as YYYY-MM-DD. */
export const toDate = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10);
