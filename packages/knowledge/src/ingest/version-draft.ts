import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { SqlStore } from "@toolwright/kit/storage";
import type { Delta } from "../collections/collection.js";
import type { Outcome } from "./ingest-options.js";

/** What a version has of a document. */
export interface DraftRevision {
  readonly revision: number;
  readonly fingerprint: string;
  readonly chunks: number;
}

type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** How many outcomes are reported in the result; the run has all. */
const MAX_OUTCOMES = 100;

/** What the new version is to have, as far as it is known. It begins with all that its parent has. */
export class VersionDraft {
  readonly parent: ReadonlyMap<string, Member>;
  readonly #revision: Map<string, DraftRevision>;
  #checksum: string | undefined;
  readonly delta: Changeable<Delta> = { added: 0, modified: 0, removed: 0, unchanged: 0 };
  readonly counts: { succeeded: number; skipped: number; failed: number };
  readonly outcomes: Outcome[] = [];
  /** What the paths of its documents are relative to; undefined where none is, or nobody knows. */
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

  /** The revisions, in the order of their numbers. */
  revisions(): readonly number[] {
    return Array.from(this.#revision.values(), ({ revision }) => revision).toSorted((one, other) => one - other);
  }

  /** A hash of all documents and what is in them. */
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

  /** A document is as it was. */
  keep(): void {
    this.delta.unchanged += 1;
    this.counts.skipped += 1;
  }

  /** A document is new, or otherwise than before. */
  take(document: string, revision: DraftRevision): void {
    this.delta[this.parent.has(document) ? "modified" : "added"] += 1;
    this.#revision.set(document, revision);
    this.#checksum = undefined;
    this.counts.succeeded += 1;
  }

  /** A document could not be taken. What the parent has of it stays. */
  refuse(document: string, source: string, status: "failed" | "skipped", why: string): Outcome {
    const reason = this.parent.has(document) ? `${why}; its earlier content stays` : why;
    if (this.parent.has(document)) this.delta.kept = (this.delta.kept ?? 0) + 1;
    return this.#report({ source, status, reason, ...(this.parent.has(document) && { document }) });
  }

  /** A document has no text. What the parent has of it goes: its source does not say that any more. */
  empty(document: string, source: string, why: string): Outcome {
    return this.#leaveOut(document, source, why, " any more");
  }

  /** A document is a secret. What the parent has of it goes: nobody is to find it. */
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

  /** A document whose source is gone. */
  drop(document: string): void {
    if (this.#revision.delete(document)) this.delta.removed += 1;
    this.#checksum = undefined;
  }

  /** Those that this ingest has not looked at are unchanged too. */
  finish(): void {
    const { modified, removed, kept = 0 } = this.delta;
    this.delta.unchanged = this.parent.size - modified - removed - kept;
  }
}

/** A document as a version has it. */
export interface Member {
  readonly document: string;
  readonly source: string;
  readonly revision: number;
  readonly fingerprint: string;
  readonly origin: string;
  readonly chunks: number;
}

const PAGE = 2000;

/** A revision that is whole, though the parent does not have it. */
export interface KnownRevision {
  readonly revision: number;
  readonly edition: number;
  readonly chunks: number;
}

/** The revisions that other versions have, or that a run has left that was interrupted: by document and fingerprint, the newest edition. */
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

/** The key of a revision among those that are known. */
export const revisionKey = (document: string, fingerprint: string): string => `${document} ${fingerprint}`;

/** The documents of a version, by their ids; of none, none. */
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
