import type { Sql } from "@toolwright/kit/storage";

/** What can happen to a collection. */
export type ChangeKind =
  | "created"
  | "deleted"
  | "ingest_started"
  | "ingest_ended"
  | "promoted"
  | "rolled_back"
  | "pinned"
  | "unpinned"
  | "evaluated"
  | "tools";

/** Writes down that something has happened, so that every process that shows it hears of it; in the transaction of the deed. */
export async function noteChange(
  sql: Sql,
  change: {
    readonly at: string;
    /** The name. */
    readonly collection: string;
    readonly kind: ChangeKind;
    readonly note?: string | undefined;
  },
): Promise<void> {
  const { at, collection, kind, note = null } = change;
  await sql.run("INSERT INTO changes (at, collection, kind, note) VALUES (?, ?, ?, ?)", at, collection, kind, note);
}
