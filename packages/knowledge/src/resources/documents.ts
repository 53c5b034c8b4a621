import type { Base } from "../base.js";
import { findCollection } from "../collections/find-collection.js";

/** A document as a list shows it. */
export interface ListedDocument {
  readonly doc_id: string;
  readonly source: string;
  readonly title: string;
}

/** The documents of the version that answers, by their sources; `typed` is in the id, the source or the title. */
export async function listDocuments(
  base: Base,
  name: string,
  typed: string,
  most: number,
): Promise<readonly ListedDocument[]> {
  const ledger = await base.ledger();
  return ledger.read(async (sql) => {
    const { id, pinned, active } = await findCollection(sql, name);
    const like = `%${typed.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    const rows = await sql.all(
      `SELECT d.id, d.source, r.title FROM members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document
       WHERE m.collection = ? AND m.version = ? AND (d.id LIKE ? ESCAPE '\\' OR lower(d.source) LIKE ? ESCAPE '\\'
         OR lower(r.title) LIKE ? ESCAPE '\\') ORDER BY d.source LIMIT ?`,
      id,
      pinned ?? active ?? 0,
      like,
      like,
      like,
      most,
    );
    return rows.map((row) => ({
      doc_id: String(row["id"]),
      source: String(row["source"]),
      title: String(row["title"]),
    }));
  });
}
