import { invalidParams, type RpcError } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/json.js";
import type { CacheHint, KeptText } from "../protocol/outcome.js";
import type { Revision } from "../revisions/revision.js";
import { nearest } from "../schema/nearest.js";

/** What a catalogue needs to know of the things in it. */
export interface Kind<Entry> {
  /** The word for one of them, in messages. */
  readonly word: string;
  /** The member of the list result that holds them. */
  readonly member: "tools" | "prompts" | "resources" | "resourceTemplates";
  /** The names under which an entry is found; only the first is shown. */
  namesOf(entry: Entry): readonly [string, ...string[]];
  write(revision: Revision, entry: Entry): JsonObject;
}

/** Some entries of a catalogue, and the cursor after them where there are more. */
interface Slice<Entry> {
  readonly start: number;
  readonly shown: readonly Entry[];
  readonly nextCursor: string | undefined;
}

/** How a catalogue is listed. */
export interface Listing {
  readonly pageSize: number;
  readonly cache: CacheHint;
}

/** The cursor is none of ours, or from a list that has changed since. */
export const unknownCursor = (): RpcError =>
  invalidParams("Invalid params: the cursor is unknown or has expired; list again without one");

/** All things of one kind that a server offers; never changed, only replaced. */
export class Catalogue<Entry> {
  readonly entries: readonly Entry[];
  readonly #kind: Kind<Entry>;
  readonly #listing: Listing;
  /** Where in the list the entry of a name stands, so that neither finding one nor turning a page looks at the others. */
  readonly #positions = new Map<string, number>();
  readonly #pages = new Map<Revision, Map<string | undefined, KeptText>>();

  constructor(kind: Kind<Entry>, entries: readonly Entry[], listing: Listing) {
    this.#kind = kind;
    this.entries = entries;
    this.#listing = listing;
    const names = entries.map((entry) => kind.namesOf(entry));
    for (const [position, [name = ""]] of names.entries()) this.#place(name, name, position);
    // An alias gives way to who has it as a name: two packs need not know of each other.
    const own = new Set(this.#positions.keys());
    for (const [position, [name = "", ...aliases]] of names.entries())
      for (const alias of aliases) if (!own.has(alias)) this.#place(alias, name, position);
  }

  #place(word: string, name: string, position: number): void {
    if (this.#positions.has(word))
      throw new TypeError(`Cannot register ${this.#kind.word} "${name}": the name "${word}" is taken`);
    this.#positions.set(word, position);
  }

  /** How long and by whom a page may be kept. */
  get cache(): CacheHint {
    return this.#listing.cache;
  }

  find(name: string): Entry | undefined {
    const position = this.#positions.get(name);
    return position === undefined ? undefined : this.entries[position];
  }

  nearestName(name: string): string | undefined {
    return nearest(name, this.#positions.keys());
  }

  with(entries: readonly Entry[]): Catalogue<Entry> {
    return new Catalogue(this.#kind, [...this.entries, ...entries], this.#listing);
  }

  /** With these entries in place of its own. What is not for every client must not be kept for others. */
  having(entries: readonly Entry[], isForAll = true): Catalogue<Entry> {
    const { pageSize, cache } = this.#listing;
    const listing: Listing = isForAll ? this.#listing : { pageSize, cache: { ...cache, scope: "private" } };
    return new Catalogue(this.#kind, entries, listing);
  }

  /** Without the entry whose first name this is. Throws `TypeError` where there is none. */
  without(name: string): Catalogue<Entry> {
    const kind = this.#kind;
    const rest = this.entries.filter((entry) => kind.namesOf(entry)[0] !== name);
    if (rest.length === this.entries.length)
      throw new TypeError(`Cannot remove ${kind.word} "${name}": there is none of this name`);
    return new Catalogue(kind, rest, this.#listing);
  }

  /** One page of the list, written and counted once for each revision and kept. */
  page(revision: Revision, cursor: string | undefined, identity: string): KeptText {
    const kept = this.#pages.get(revision)?.get(cursor);
    if (kept !== undefined) return kept;
    const { start, shown, nextCursor } = this.slice(cursor);
    const { pageSize, cache } = this.#listing;
    const kind = this.#kind;
    const body = {
      [kind.member]: shown.map((entry) => kind.write(revision, entry)),
      ...(nextCursor !== undefined && { nextCursor }),
    };
    const text = revision.writeResult({ kind: "plain", body, cache }, identity);
    const page: KeptText = { kind: "text", body: text, excess: Buffer.byteLength(text) - text.length };
    // Only the pages that this server hands out are kept, so that made-up cursors cannot fill the memory.
    if (start % pageSize === 0) {
      const pages = this.#pages.get(revision) ?? new Map<string | undefined, KeptText>();
      this.#pages.set(revision, pages.set(cursor, page));
    }
    return page;
  }

  /** The entries of one page. Throws `RpcError` for a cursor that this catalogue never gave. */
  slice(cursor: string | undefined): Slice<Entry> {
    const start = cursor === undefined ? 0 : this.#startOf(cursor);
    const end = start + this.#listing.pageSize;
    const shown = this.entries.slice(start, end);
    const last = shown.at(-1);
    return {
      start,
      shown,
      nextCursor: last !== undefined && end < this.entries.length ? this.#cursorAfter(last) : undefined,
    };
  }

  #startOf(cursor: string): number {
    const text = Buffer.from(cursor, "base64url").toString();
    const position = this.#positions.get(text.slice(this.#kind.member.length));
    const entry = position === undefined ? undefined : this.entries[position];
    if (position === undefined || entry === undefined || this.#cursorAfter(entry) !== cursor) throw unknownCursor();
    return position + 1;
  }

  #cursorAfter(entry: Entry): string {
    return Buffer.from(this.#kind.member + this.#kind.namesOf(entry)[0]).toString("base64url");
  }
}
