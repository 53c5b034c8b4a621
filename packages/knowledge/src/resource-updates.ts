import type { PackHost } from "@toolwright/engine";
import { ChangeFeed, type Sql } from "@toolwright/kit/storage";

/** The kinds of changes after which the resources of documents change. */
const DOCUMENT_CHANGES = new Set(["promoted", "rolled_back", "pinned", "unpinned", "deleted"]);
const LIST_CHANGES = new Set(["created", "deleted"]);
/** If more documents changed, only their collection is reported. */
const MAX_DOCUMENTS = 1000;

type Host = Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">;

/** Notifies clients of changed collections and documents. */
export const createResourceUpdates = (host: Host) =>
  new ChangeFeed({
    table: "changes",
    read: readChangedResources,
    onChanges({ uris, isListed }) {
      for (const uri of uris) host.notifyResourceUpdated(uri);
      if (isListed) notifyListChanged(host);
    },
    onError: (error) => host.log({ level: "warning", message: "knowledge: cannot notify clients of changes", error }),
  });

function notifyListChanged(host: Host): void {
  try {
    host.notifyResourceListChanged();
  } catch (error) {
    // The host throws a TypeError if the server's list cannot change at run time.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function readChangedResources(
  sql: Sql,
  seen: number,
): Promise<{ readonly seq: number; readonly uris: ReadonlySet<string>; readonly isListed: boolean }> {
  const rows = await sql.all("SELECT seq, collection, kind, note FROM changes WHERE seq > ? ORDER BY seq", seen);
  const uris = new Set<string>();
  for (const row of rows) {
    const name = String(row["collection"]);
    uris.add(`kb://${name}`);
    if (DOCUMENT_CHANGES.has(String(row["kind"])))
      for (const id of await documentsOf(sql, name)) uris.add(`kb://${name}/${id}`);
  }
  const isListed = rows.some((row) => LIST_CHANGES.has(String(row["kind"])));
  return { seq: Number(rows.at(-1)?.["seq"] ?? seen), uris, isListed };
}

async function documentsOf(sql: Sql, name: string): Promise<readonly string[]> {
  const rows = await sql.all(
    "SELECT d.id FROM documents d JOIN collections c ON c.id = d.collection WHERE c.name = ? LIMIT ?",
    name,
    MAX_DOCUMENTS + 1,
  );
  return rows.length > MAX_DOCUMENTS ? [] : rows.map((row) => String(row["id"]));
}
