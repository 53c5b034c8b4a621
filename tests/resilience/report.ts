const MAX_FAILURES = 20;

/** What happened in a run. */
export class Report {
  readonly counts: Record<string, number> = {};
  readonly failures: string[] = [];
  /** What could not be tested here, with the reason. */
  readonly skipped: string[] = [];
  longestWaitMs = 0;

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  fail(what: string): void {
    if (this.failures.length < MAX_FAILURES) this.failures.push(what);
  }

  /** Whether so much has failed that nothing more is to be learned. */
  get isFull(): boolean {
    return this.failures.length >= MAX_FAILURES;
  }
}
