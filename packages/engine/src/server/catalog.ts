import { invalidParams, type RpcError } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/messages.js";
import type { CacheHint, EncodedResult } from "../protocol/outcome.js";
import type { Revision } from "../revisions/revision.js";
import { closestMatch } from "../schema/closest-match.js";

/** How a catalog handles entries of one kind. */
export interface CatalogKind<Entry> {
  /** The noun for an entry in messages. */
  readonly label: string;
  /** The member of the list result that holds the entries. */
  readonly member: "tools" | "prompts" | "resources" | "resourceTemplates";
  /** The names by which an entry is found; the first is its own, the others are aliases. */
  namesOf(entry: Entry): readonly [string, ...string[]];
  write(revision: Revision, entry: Entry): JsonObject;
}

/** One page of entries, and the cursor of the next page if there is one. */
interface CatalogSlice<Entry> {
  readonly start: number;
  readonly shown: readonly Entry[];
  readonly nextCursor: string | undefined;
}

/** How a catalog is listed. */
export interface CatalogOptions {
  readonly pageSize: number;
  readonly cache: CacheHint;
}

/** The error for a cursor that the server did not issue, or that a change of the list has made invalid. */
export const invalidCursor = (): RpcError =>
  invalidParams("Invalid params: the cursor is unknown or has expired; list again without one");

/** The error for an entry with a name or alias that another entry has. */
export const duplicateName = (label: string, name: string, duplicate: string): TypeError =>
  new TypeError(`Cannot register ${label} "${name}": the name "${duplicate}" is already taken`);

/** The entries of one kind that a server offers; immutable. */
export class Catalog<Entry> {
  readonly entries: readonly Entry[];
  /** The entries by name and alias. */
  readonly byName: ReadonlyMap<string, Entry>;
  readonly #kind: CatalogKind<Entry>;
  readonly #options: CatalogOptions;
  readonly #pages = new Map<Revision, Map<string | undefined, EncodedResult>>();

  constructor(kind: CatalogKind<Entry>, entries: readonly Entry[], options: CatalogOptions) {
    this.#kind = kind;
    this.entries = entries;
    this.#options = options;
    this.byName = indexByName(kind, entries);
  }

  /** How long and by whom a page may be cached. */
  get cache(): CacheHint {
    return this.#options.cache;
  }

  nearestName(name: string): string | undefined {
    return closestMatch(name, this.byName.keys());
  }

  /** A catalog with more entries; the same one, with its cached pages, if there are none to add. */
  append(entries: readonly Entry[]): Catalog<Entry> {
    return entries.length === 0 ? this : new Catalog(this.#kind, [...this.entries, ...entries], this.#options);
  }

  /** A catalog with other entries. Unless they are the same for every client, clients may not share a cached list. */
  replaceEntries(entries: readonly Entry[], isShared = true): Catalog<Entry> {
    const { pageSize, cache } = this.#options;
    const options: CatalogOptions = isShared ? this.#options : { pageSize, cache: { ...cache, scope: "private" } };
    return new Catalog(this.#kind, entries, options);
  }

  /** A catalog without the entry of this name. Throws `TypeError` if there is none. */
  remove(name: string): Catalog<Entry> {
    const kind = this.#kind;
    const rest = this.entries.filter((entry) => kind.namesOf(entry)[0] !== name);
    if (rest.length === this.entries.length)
      throw new TypeError(`Cannot remove ${kind.label} "${name}": it is not registered`);
    return new Catalog(kind, rest, this.#options);
  }

  /** One page of the list, encoded once for each revision. */
  page(revision: Revision, cursor: string | undefined, serverInfoMeta: string): EncodedResult {
    const cached = this.#pages.get(revision)?.get(cursor);
    if (cached !== undefined) return cached;
    const { start, shown, nextCursor } = this.slice(cursor);
    const { pageSize, cache } = this.#options;
    const kind = this.#kind;
    const body = {
      [kind.member]: shown.map((entry) => kind.write(revision, entry)),
      ...(nextCursor !== undefined && { nextCursor }),
    };
    const text = revision.writeResult({ kind: "plain", body, cache }, serverInfoMeta);
    const page: EncodedResult = { kind: "text", body: text, extraBytes: Buffer.byteLength(text) - text.length };
    // Only pages that the server's own cursors lead to are cached, so that forged cursors cannot fill the memory.
    if (start % pageSize === 0) {
      const pages = this.#pages.get(revision) ?? new Map<string | undefined, EncodedResult>();
      this.#pages.set(revision, pages.set(cursor, page));
    }
    return page;
  }

  /** The entries of one page. Throws `RpcError` for a cursor that this catalog did not issue. */
  slice(cursor: string | undefined): CatalogSlice<Entry> {
    const start = cursor === undefined ? 0 : this.#offsetOf(cursor);
    const end = start + this.#options.pageSize;
    const shown = this.entries.slice(start, end);
    const last = end < this.entries.length ? shown.at(-1) : undefined;
    return { start, shown, nextCursor: last === undefined ? undefined : this.#cursorAfter(last) };
  }

  #offsetOf(cursor: string): number {
    const text = Buffer.from(cursor, "base64url").toString();
    const entry = this.byName.get(text.slice(this.#kind.member.length));
    if (entry === undefined || this.#cursorAfter(entry) !== cursor) throw invalidCursor();
    return this.entries.indexOf(entry) + 1;
  }

  #cursorAfter(entry: Entry): string {
    return Buffer.from(this.#kind.member + this.#kind.namesOf(entry)[0]).toString("base64url");
  }
}

/** Finds entries by name and alias. Throws `TypeError` if two have the same. */
function indexByName<Entry>(kind: CatalogKind<Entry>, entries: readonly Entry[]): Map<string, Entry> {
  const byName = new Map<string, Entry>();
  const add = (alias: string, name: string, entry: Entry): void => {
    if (byName.has(alias)) throw duplicateName(kind.label, name, alias);
    byName.set(alias, entry);
  };
  for (const entry of entries) add(kind.namesOf(entry)[0], kind.namesOf(entry)[0], entry);
  // A name takes precedence over an alias, so that packs need not know each other's aliases.
  const names = new Set(byName.keys());
  for (const entry of entries) {
    const [name, ...aliases] = kind.namesOf(entry);
    for (const alias of aliases) if (!names.has(alias)) add(alias, name, entry);
  }
  return byName;
}
