/** A document that is to be read: a file, or a text that was given. */
export interface Source {
  /** The path as callers see it, or the name that was given. */
  readonly source: string;
  /** The real path of a file. */
  readonly place?: string | undefined;
  /** Of a text that was given. */
  readonly text?: string | undefined;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A file that is not even looked at. */
export interface Refused {
  readonly source: string;
  readonly reason: string;
  readonly isSecret?: true;
}

/** What an ingest has to look at. */
export interface Discovered {
  readonly sources: readonly Source[];
  /** Prefixes of the sources of folders: what is below them and not among the sources is gone. */
  readonly folders: readonly string[];
  /** Paths that were named and are not there. */
  readonly missing: readonly string[];
  readonly refused: readonly Refused[];
  /** How many files in the folders are of no known kind, by what they end in. */
  readonly unknown: ReadonlyMap<string, number>;
}
