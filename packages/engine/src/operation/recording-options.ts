/** Where messages are recorded, and how much of it is kept. */
export interface RecordOptions {
  /** The file, which only this user can read; `%p` in its name becomes the id of the process. */
  readonly file: string;
  /** A file that would grow larger is put aside for a new one; 10 MiB by default. */
  readonly maxBytes?: number;
  /** How many files there are at most, with the one that is written; 3 by default. */
  readonly keep?: number;
}

/** A recording that is being written. */
export interface OpenRecording {
  /** Where it is written to. */
  readonly file: string;
  /** Writes what has been heard, and ends; the end of the server does it too. */
  close(): Promise<void>;
}
