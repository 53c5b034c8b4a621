/** What `audit` takes. */
export interface AuditOptions {
  /** Where the lines go. Nobody else may write to it or rename it. */
  readonly file: string;
  /** How large the file may become before the next one is begun; 10 MiB by default. */
  readonly maxBytes?: number;
  /** How many full files are kept beside it, as `file.1` (the newest) and so on; 5 by default. */
  readonly keep?: number;
  /**
   * Where a line cannot be written, `continue`, the default, serves on and logs how many were lost; `refuse` makes no call that
   * is not on record.
   */
  readonly onFailure?: "continue" | "refuse";
}
