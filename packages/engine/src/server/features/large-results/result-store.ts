import type { LargeResultsSettings } from "./options.js";

/** A stored result. */
export interface StoredResult {
  readonly id: string;
  /** Who may read it; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** The tool that returned it. */
  readonly tool: string;
  /** The decoded data of a binary result, otherwise the text as UTF-8. */
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** The number of lines; undefined for a binary result. */
  readonly lines: number | undefined;
  /** Whether the text is one JSON value. */
  readonly isJson: boolean;
  readonly expiresAt: number;
}

/** Creates an id that cannot be guessed, in lower case, because it is the host of a URI. */
export const createResultId = (): string => crypto.randomUUID().replaceAll("-", "");

/** The URI of a result. */
export const resultUri = ({ id }: Pick<StoredResult, "id">): string => `result://${id}`;

/** Returns the id in the URI of a result, or undefined for any other text. */
export function parseResultUri(uri: string): string | undefined {
  return /^\s*(?:result:\/\/)?([0-9a-f]{32})\/?\s*$/i.exec(uri)?.[1]?.toLowerCase();
}

/** Stores results in memory until they expire, within limits; the least recently used ones are evicted first. */
export class ResultStore {
  readonly #settings: LargeResultsSettings;
  /** Least recently used first. */
  readonly #results = new Map<string, StoredResult>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #usedBytes = 0;
  #isClosed = false;

  constructor(settings: LargeResultsSettings) {
    this.#settings = settings;
  }

  /** Stores a result. Returns false if it is larger than the store. */
  add(result: StoredResult): boolean {
    const { maxResults, memoryBytes } = this.#settings;
    const { id, bytes, expiresAt } = result;
    if (this.#isClosed || bytes.length > memoryBytes) return false;
    for (const oldest of this.#results.values()) {
      if (this.#results.size < maxResults && this.#usedBytes + bytes.length <= memoryBytes) break;
      this.#delete(oldest);
    }
    this.#results.set(id, result);
    this.#usedBytes += bytes.length;
    this.#timers.set(id, setTimeout(() => this.#delete(result), expiresAt - Date.now()).unref());
    return true;
  }

  /** Returns the result with this URI, or undefined if it is unknown, expired or of another principal. */
  find(uri: string, principal: string | undefined): StoredResult | undefined {
    const result = this.#results.get(parseResultUri(uri) ?? "");
    if (result === undefined || result.principal !== principal || result.expiresAt <= Date.now()) return undefined;
    this.#results.delete(result.id);
    this.#results.set(result.id, result);
    return result;
  }

  /** Discards all results. */
  close(): void {
    this.#isClosed = true;
    for (const result of this.#results.values()) this.#delete(result);
  }

  #delete({ id, bytes }: StoredResult): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    if (this.#results.delete(id)) this.#usedBytes -= bytes.length;
  }
}
