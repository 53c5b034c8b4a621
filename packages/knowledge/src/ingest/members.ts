import { setImmediate as others } from "node:timers/promises";
import type { SqlStore } from "@toolwright/kit/storage";

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
export interface Known {
  readonly revision: number;
  readonly edition: number;
  readonly chunks: number;
}

/** The revisions that other versions have, or that a run has left that was cut short: by document and fingerprint, the newest edition. */
export async function readKnown(
  ledger: SqlStore,
  collection: number,
  version: number | undefined,
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (let after = 0; ; await others()) {
    const from = after;
    const rows = await ledger.read((sql) =>
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
      const key = knownKey(String(row["document"]), String(row["fingerprint"]));
      const [revision, edition] = [Number(row["id"]), Number(row["edition"])];
      const found = { revision, edition, chunks: Number(row["chunks"]) };
      if ((known.get(key)?.edition ?? -1) <= found.edition) known.set(key, found);
    }
    if (rows.length < PAGE) return known;
    after = Number(rows.at(-1)?.["id"]);
  }
}

/** The key of a revision among those that are known. */
export const knownKey = (document: string, fingerprint: string): string => `${document} ${fingerprint}`;

/** The documents of a version, by their ids; of none, none. */
export async function readMembers(
  ledger: SqlStore,
  collection: number,
  version: number | undefined,
): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  if (version === undefined) return members;
  for (let after = 0; ; await others()) {
    const from = after;
    const rows = await ledger.read((sql) =>
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
