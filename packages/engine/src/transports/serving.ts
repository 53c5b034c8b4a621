/** A server that listens. */
export interface Serving {
  /** Where clients reach it. */
  readonly url: string;
  /** Resolves when it has closed, for whatever reason. */
  readonly closed: Promise<void>;
  /** Lets nobody new in, waits for what is being served, and closes. The server itself stays open for others. */
  close(): Promise<void>;
}
