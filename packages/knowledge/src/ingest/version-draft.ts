import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { SqlStore } from "@toolwright/kit/storage";
import type { Delta } from "../collections/collection.js";
import type { Outcome } from "./ingest-options.js";

/** A revision in the new version. */
export interface DraftRevision {
  readonly revision: number;
  readonly fingerprint: string;
  readonly chunks: number;
}

type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** The maximum number of outcomes in the result. The run stores all. */
const MAX_OUTCOMES = 100;

/** The content of the new version. It starts with all documents of its parent. */
export class VersionDraft {
  readonly parent: ReadonlyMap<string, Member>;
  readonly #revision: Map<string, DraftRevision>;
  #checksum: string | undefined;
  readonly delta: Changeable<Delta> = { added: 0, modified: 0, removed: 0, unchanged: 0 };
  readonly counts: { succeeded: number; skipped: number; failed: number };
  readonly outcomes: Outcome[] = [];
  /** The folder that the document paths are relative to; undefined if unknown or if no path is relative. */
  folder: string | undefined;

  constructor(parent: ReadonlyMap<string, Member>, counts: { succeeded: number; skipped: number; failed: number }) {
    this.parent = parent;
    this.#revision = new Map(parent);
    this.counts = counts;
  }

  get documents(): number {
    return this.#revision.size;
  }

  get chunks(): number {
    let chunks = 0;
    for (const revision of this.#revision.values()) chunks += revision.chunks;
    return chunks;
  }

  get isChanged(): boolean {
    return this.delta.added + this.delta.modified + this.delta.removed > 0;
  }

  /** The revisions in ascending order. */
  revisions(): readonly number[] {
    return Array.from(this.#revision.values(), ({ revision }) => revision).toSorted((one, other) => one - other);
  }

  /** A hash of all documents and their content. */
  checksum(): string {
    this.#checksum ??= this.#hash();
    return this.#checksum;
  }

  #hash(): string {
    const hash = createHash("sha256");
    const entries = [...this.#revision].toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const [document, { fingerprint }] of entries) hash.update(`${document} ${fingerprint}\n`);
    return hash.digest("hex");
  }

  /** Records an unchanged document. */
  keep(): void {
    this.delta.unchanged += 1;
    this.counts.skipped += 1;
  }

  /** Records a new or changed document. */
  take(document: string, revision: DraftRevision): void {
    this.delta[this.parent.has(document) ? "modified" : "added"] += 1;
    this.#revision.set(document, revision);
    this.#checksum = undefined;
    this.counts.succeeded += 1;
  }

  /** Records a document that could not be read. The revision of the parent is kept. */
  refuse(document: string, source: string, status: "failed" | "skipped", why: string): Outcome {
    const reason = this.parent.has(document) ? `${why}; its earlier content stays` : why;
    if (this.parent.has(document)) this.delta.kept = (this.delta.kept ?? 0) + 1;
    return this.#report({ source, status, reason, ...(this.parent.has(document) && { document }) });
  }

  /** Records a document without text. The revision of the parent is removed. */
  empty(document: string, source: string, why: string): Outcome {
    return this.#leaveOut(document, source, why, " any more");
  }

  /** Records a document that contains secrets. The revision of the parent is removed, so that it cannot be found. */
  hide(document: string, source: string, why: string): Outcome {
    return this.#leaveOut(document, source, why, "");
  }

  #leaveOut(document: string, source: string, why: string, since: string): Outcome {
    if (!this.parent.has(document)) return this.refuse(document, source, "skipped", why);
    this.drop(document);
    return this.#report({ source, status: "skipped", reason: `${why}${since}, so it was removed` });
  }

  #report(outcome: Outcome & { readonly status: "failed" | "skipped" }): Outcome {
    this.counts[outcome.status] += 1;
    if (this.outcomes.length < MAX_OUTCOMES) this.outcomes.push(outcome);
    return outcome;
  }

  /** Removes a document whose source no longer exists. */
  drop(document: string): void {
    if (this.#revision.delete(document)) this.delta.removed += 1;
    this.#checksum = undefined;
  }

  /** Counts the documents that this ingest did not scan as unchanged. */
  finish(): void {
    const { modified, removed, kept = 0 } = this.delta;
    this.delta.unchanged = this.parent.size - modified - removed - kept;
  }
}

/** A document in a version. */
export interface Member {
  readonly document: string;
  readonly source: string;
  readonly revision: number;
  readonly fingerprint: string;
  readonly origin: string;
  readonly chunks: number;
}

const PAGE = 2000;

/** A complete revision that the parent does not have. */
export interface KnownRevision {
  readonly revision: number;
  readonly edition: number;
  readonly chunks: number;
}

/** Reads complete revisions from other versions and interrupted runs, by document and fingerprint. The newest edition wins. */
export async function readKnown(
  store: SqlStore,
  collection: number,
  version: number | undefined,
): Promise<Map<string, KnownRevision>> {
  const known = new Map<string, KnownRevision>();
  for (let after = 0; ; await yieldToEventLoop()) {
    const from = after;
    const rows = await store.read((sql) =>
      sql.all(
        `SELECT r.id, r.document, r.fingerprint, r.edition, r.chunks FROM revisions r JOIN documents d ON d.id = r.document
         WHERE r.id > ? AND d.collection = ? AND r.is_whole = 1
         AND NOT EXISTS (SELECT 1 FROM members m WHERE m.revision = r.id AND m.collection = d.collection AND m.version = ?)
         ORDER BY r.id LIMIT ?`,
        from,
        collection,
        version ?? 0,
        PAGE,
      ),
    );
    for (const row of rows) {
      const key = revisionKey(String(row["document"]), String(row["fingerprint"]));
      const [revision, edition] = [Number(row["id"]), Number(row["edition"])];
      const found = { revision, edition, chunks: Number(row["chunks"]) };
      if ((known.get(key)?.edition ?? -1) <= found.edition) known.set(key, found);
    }
    if (rows.length < PAGE) return known;
    after = Number(rows.at(-1)?.["id"]);
  }
}

/** Identifies one revision of a document in a map. */
export const revisionKey = (document: string, fingerprint: string): string => `${document} ${fingerprint}`;

/** Reads the documents of a version by id. Without a version the result is empty. */
export async function readMembers(
  store: SqlStore,
  collection: number,
  version: number | undefined,
): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  if (version === undefined) return members;
  for (let after = 0; ; await yieldToEventLoop()) {
    const from = after;
    const rows = await store.read((sql) =>
      sql.all(
        `SELECT m.revision, r.document, r.fingerprint, r.origin, r.chunks, d.source
         FROM members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document
         WHERE m.collection = ? AND m.version = ? AND m.revision > ? ORDER BY m.revision LIMIT ?`,
        collection,
        version,
        from,
        PAGE,
      ),
    );
    for (const row of rows) {
      const document = String(row["document"]);
      members.set(document, {
        document,
        source: String(row["source"]),
        revision: Number(row["revision"]),
        fingerprint: String(row["fingerprint"]),
        origin: String(row["origin"]),
        chunks: Number(row["chunks"]),
      });
    }
    if (rows.length < PAGE) return members;
    after = Number(rows.at(-1)?.["revision"]);
  }
}
