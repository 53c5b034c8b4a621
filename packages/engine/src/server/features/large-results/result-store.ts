import { Holdings } from "../../limits/shared-budget.js";
import type { LargeResultsSettings } from "./options.js";

/** A result to store. */
export interface NewResult {
  /** Who may read it; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** The decoded data of a binary result, otherwise the text as UTF-8. */
  readonly bytes: Buffer;
  /** For a text `application/json` if it is one JSON value, otherwise `text/plain`. */
  readonly mimeType: string;
  /** The number of lines; undefined for a binary result. */
  readonly lines: number | undefined;
}

/** A stored result. */
export interface StoredResult extends NewResult {
  /** The URI by which clients read it. */
  readonly handle: string;
  readonly expiresAt: number;
}

/** When a result expires, in ISO 8601. */
export const expiryDate = ({ expiresAt }: StoredResult): string => new Date(expiresAt).toISOString();

/** The handle in its usual form; undefined for any other text. It may lack the scheme and have upper-case letters. */
export function normalizeHandle(text: string): string | undefined {
  const id = /^\s*(?:result:\/\/)?([0-9a-f]{32})\/?\s*$/i.exec(text)?.[1];
  return id && `result://${id.toLowerCase()}`;
}

/**
 * Stores results in memory until they expire, within limits. The least recently used ones of the principal that stores most are evicted
 * first, so that nobody loses results to a principal that stores more.
 */
export class ResultStore {
  readonly #settings: LargeResultsSettings;
  /** By handle, the least recently used first. */
  readonly #results = new Map<string, StoredResult>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** What each principal stores. */
  readonly #counts = new Holdings();
  readonly #bytes = new Holdings();
  #isClosed = false;

  constructor(settings: LargeResultsSettings) {
    this.#settings = settings;
  }

  /** Stores a result. Returns undefined if it is larger than the store. */
  add(result: NewResult): StoredResult | undefined {
    const { maxResults, memoryBytes, ttlMs } = this.#settings;
    const { bytes, principal } = result;
    if (this.#isClosed || bytes.length > memoryBytes) return undefined;
    this.#count(principal, bytes.length, 1);
    while (this.#results.size >= maxResults) this.#evict(this.#counts);
    while (this.#bytes.total > memoryBytes) this.#evict(this.#bytes);
    // The id cannot be guessed. It is in lower case, because it is the host of a URI.
    const handle = `result://${crypto.randomUUID().replaceAll("-", "")}`;
    const stored = { ...result, handle, expiresAt: Date.now() + ttlMs };
    this.#results.set(handle, stored);
    this.#timers.set(handle, setTimeout(() => this.#delete(stored), ttlMs).unref());
    return stored;
  }

  /** Returns the result with this handle, or undefined if it is unknown, expired or of another principal. */
  find(handle: string, principal: string | undefined): StoredResult | undefined {
    const result = this.#results.get(normalizeHandle(handle) ?? "");
    if (result === undefined || result.principal !== principal || result.expiresAt <= Date.now()) return undefined;
    this.#results.delete(result.handle);
    this.#results.set(result.handle, result);
    return result;
  }

  /** Discards all results. */
  close(): void {
    this.#isClosed = true;
    for (const result of this.#results.values()) this.#delete(result);
  }

  #delete({ handle, bytes, principal }: StoredResult): void {
    clearTimeout(this.#timers.get(handle));
    this.#timers.delete(handle);
    if (this.#results.delete(handle)) this.#count(principal, -bytes.length, -1);
  }

  #count(principal: string | undefined, bytes: number, results: number): void {
    this.#bytes.add(principal, bytes);
    this.#counts.add(principal, results);
  }

  /** Deletes the least recently used result of the principal with the most results or bytes. */
  #evict(held: Holdings): void {
    const heldBy = ({ principal }: StoredResult): number => held.heldBy(principal);
    let evicted: StoredResult | undefined;
    for (const result of this.#results.values())
      if (evicted === undefined || heldBy(result) > heldBy(evicted)) evicted = result;
    if (evicted !== undefined) this.#delete(evicted);
  }
}
