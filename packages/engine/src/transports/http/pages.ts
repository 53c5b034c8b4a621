import type { HttpHeaders } from "./host.js";

/** A request for a page beside MCP, after guard, gate and rate have let it in. */
export interface PageRequest {
  readonly method: string;
  /** Still escaped, and without the query. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
  /** It came over TLS. */
  readonly isSecure: boolean;
  /** Who it is; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** A header by its lower-case name, but not the one that says who somebody is. */
  header(name: string): string | undefined;
  /** The body, up to so many bytes; undefined for one that is larger, not UTF-8, or was broken off. */
  read(mostBytes: number): Promise<string | undefined>;
}

/** What a page answers at once. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: string | Uint8Array;
}

/** An event stream that a page has opened. */
export interface PageStream {
  /** Writes an event as it is, with the empty line at its end. */
  write(event: string): void;
  end(): void;
}

/** A page that is an event stream: `open` begins to write to it, and gives what ends that. */
export interface PageEvents {
  readonly open: (stream: PageStream) => () => void;
}

/** Further pages of an HTTP endpoint, at paths where nothing else is. */
export interface Pages {
  /** Whether there is a page at this path; asked of everybody, so it must not tell secrets. */
  isAt(path: string): boolean;
  /** Answers a request that was let in. */
  serve(request: PageRequest): PageAnswer | PageEvents | Promise<PageAnswer | PageEvents>;
}
