import type { PackHost } from "@toolwright/engine";
import type { Sql, SqlStore } from "@toolwright/kit/storage";

/** Changes after which other documents answer, and after which other collections are listed. */
const DOCUMENT_CHANGES = new Set(["promoted", "rolled_back", "pinned", "unpinned", "deleted"]);
const LIST_CHANGES = new Set(["created", "deleted"]);
/** More documents than that are reported of by their collection alone. */
const MAX_DOCUMENTS = 1000;

/** Tells the clients of a server which collections and documents have changed, whatever process has changed them. */
export class ChangeNotifier {
  readonly #host: Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">;
  #seen = 0;
  #unwatch: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(host: Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">) {
    this.#host = host;
  }

  /** From now on. What was there before is news to nobody. */
  async start(store: SqlStore): Promise<void> {
    this.stop();
    const row = await store.read((sql) => sql.get("SELECT max(seq) AS seq FROM changes"));
    this.#seen = Number(row?.["seq"] ?? 0);
    this.#unwatch = store.watch(() => {
      // One after the other, so that nothing is reported twice.
      this.#last = this.#last.then(() => this.#notify(store)).catch((error: unknown) => this.#logError(error));
    });
  }

  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  async #notify(store: SqlStore): Promise<void> {
    if (this.#unwatch === undefined) return;
    const { seq, uris, isListed } = await store.read((sql) => changedSince(sql, this.#seen));
    if (seq <= this.#seen) return;
    this.#seen = seq;
    for (const uri of uris) this.#host.notifyResourceUpdated(uri);
    if (isListed) this.#notifyListChanged();
  }

  #notifyListChanged(): void {
    try {
      this.#host.notifyResourceListChanged();
    } catch (error) {
      // A server that was not made to change its lists has no client that waits for it.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  #logError(error: unknown): void {
    this.#host.log({ level: "warning", message: "knowledge: clients could not be told of changes", error });
  }
}

async function changedSince(
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
