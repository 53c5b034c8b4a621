/** What a project must keep to. */
export interface GateWish {
  /** A folder or one file, as the caller gave it. */
  readonly path: string;
  readonly max_cyclomatic: number;
  readonly max_cognitive: number;
  /** In percent of the lines. */
  readonly max_duplication: number;
  /** How many notes of high or critical severity there may be; undefined = they are not looked at. */
  readonly max_severe_notes?: number | undefined;
  /** The highest score that a hotspot may have; undefined = the history is not looked at. */
  readonly max_hotspot?: number | undefined;
  /** The days of history for the hotspots; 90 by default. */
  readonly period_days?: number | undefined;
  /**
   * A commit to compare with: no function may be worse than it was there. What was above a limit there already may stay as it is.
   */
  readonly baseline?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Something that weighs most in a check. */
export interface Worst {
  readonly path: string;
  readonly line?: number;
  /** The function, or what else it is. */
  readonly name?: string;
  readonly value: number;
}

/** One thing that was checked. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number;
  readonly limit: number;
  /** The worst first, a few of them. */
  readonly worst: readonly Worst[];
  /** What was found, in one sentence. */
  readonly reason: string;
  /** What to do about it; only where it did not pass. */
  readonly advice?: string;
}

/** One verdict, and why. */
export interface Gate {
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** All of it in one paragraph, with what to do next. */
  readonly text: string;
}
