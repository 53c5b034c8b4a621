import { createHash } from "node:crypto";
import type { Delta } from "../collections/collection.js";
import type { Member } from "./members.js";
import type { Outcome } from "./wish.js";

/** What a version has of a document. */
export interface Wanted {
  readonly revision: number;
  readonly fingerprint: string;
  readonly chunks: number;
}

type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** How many outcomes are told in the result; the run has all. */
const MOST_TOLD = 100;

/** What the new version is to have, as far as it is known. It begins with all that its parent has. */
export class Gathering {
  readonly parent: ReadonlyMap<string, Member>;
  readonly #wanted: Map<string, Wanted>;
  #checksum: string | undefined;
  readonly delta: Changeable<Delta> = { added: 0, modified: 0, removed: 0, unchanged: 0 };
  readonly counts: { succeeded: number; skipped: number; failed: number };
  readonly told: Outcome[] = [];
  /** What the paths of its documents are relative to; undefined where none is, or nobody knows. */
  folder: string | undefined;

  constructor(parent: ReadonlyMap<string, Member>, counts: { succeeded: number; skipped: number; failed: number }) {
    this.parent = parent;
    this.#wanted = new Map(parent);
    this.counts = counts;
  }

  get documents(): number {
    return this.#wanted.size;
  }

  get chunks(): number {
    let chunks = 0;
    for (const wanted of this.#wanted.values()) chunks += wanted.chunks;
    return chunks;
  }

  get isChanged(): boolean {
    return this.delta.added + this.delta.modified + this.delta.removed > 0;
  }

  /** The revisions, in the order of their numbers. */
  revisions(): readonly number[] {
    return Array.from(this.#wanted.values(), ({ revision }) => revision).toSorted((one, other) => one - other);
  }

  /** A hash of all documents and what is in them. */
  checksum(): string {
    this.#checksum ??= this.#hash();
    return this.#checksum;
  }

  #hash(): string {
    const hash = createHash("sha256");
    const entries = [...this.#wanted].toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const [document, { fingerprint }] of entries) hash.update(`${document} ${fingerprint}\n`);
    return hash.digest("hex");
  }

  /** A document is as it was. */
  keep(): void {
    this.delta.unchanged += 1;
    this.counts.skipped += 1;
  }

  /** A document is new, or otherwise than before. */
  take(document: string, wanted: Wanted): void {
    this.delta[this.parent.has(document) ? "modified" : "added"] += 1;
    this.#wanted.set(document, wanted);
    this.#checksum = undefined;
    this.counts.succeeded += 1;
  }

  /** A document could not be taken. What the parent has of it stays. */
  refuse(document: string, source: string, status: "failed" | "skipped", why: string): Outcome {
    const reason = this.parent.has(document) ? `${why}; its earlier content stays` : why;
    if (this.parent.has(document)) this.delta.kept = (this.delta.kept ?? 0) + 1;
    return this.#tell({ source, status, reason, ...(this.parent.has(document) && { document }) });
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
    return this.#tell({ source, status: "skipped", reason: `${why}${since}, so it was removed` });
  }

  #tell(outcome: Outcome & { readonly status: "failed" | "skipped" }): Outcome {
    this.counts[outcome.status] += 1;
    if (this.told.length < MOST_TOLD) this.told.push(outcome);
    return outcome;
  }

  /** A document whose source is gone. */
  drop(document: string): void {
    if (this.#wanted.delete(document)) this.delta.removed += 1;
    this.#checksum = undefined;
  }

  /** Those that this ingest has not looked at are unchanged too. */
  finish(): void {
    const { modified, removed, kept = 0 } = this.delta;
    this.delta.unchanged = this.parent.size - modified - removed - kept;
  }
}
