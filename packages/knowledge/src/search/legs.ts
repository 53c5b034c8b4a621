/** One of the two ways in which passages are found. */
export type Leg = "words" | "vector";

/** A leg that failed: the other one can answer. */
export class LegFailure extends Error {
  override readonly name = "LegFailure";
  readonly leg: Leg;

  constructor(leg: Leg, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.leg = leg;
  }
}

/** Does a leg's part of the work, and says whose fault it was where it fails. */
export async function asLeg<Result>(leg: Leg, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LegFailure ? error : new LegFailure(leg, error);
  }
}

/** The leg's failure in a fault that came through the database, which has put its own words around it. */
export function failureIn(error: unknown): LegFailure | undefined {
  const inner = error instanceof Error && !(error instanceof LegFailure) ? error.cause : error;
  return inner instanceof LegFailure ? inner : undefined;
}

/** How long each part of a search took, in ms. */
export class Stopwatch {
  readonly spent = { vector: 0, words: 0, merge: 0 };

  async measure<Result>(part: keyof Stopwatch["spent"], work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.spent[part] += performance.now() - start;
    }
  }
}
