/** One thing that was looked at before a version may answer. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number;
  /** What the value has to reach; null where it is only told. */
  readonly threshold: number | null;
  readonly note?: string;
}
