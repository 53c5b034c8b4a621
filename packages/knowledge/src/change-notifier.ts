import type { PackHost } from "@toolwright/engine";
import type { Sql, SqlStore } from "@toolwright/kit/storage";

/** The kinds of changes after which the resources of documents change. */
const DOCUMENT_CHANGES = new Set(["promoted", "rolled_back", "pinned", "unpinned", "deleted"]);
const LIST_CHANGES = new Set(["created", "deleted"]);
/** If more documents changed, only their collection is reported. */
const MAX_DOCUMENTS = 1000;

/** Notifies clients of changed collections and documents, whichever process made the change. */
export class ChangeNotifier {
  readonly #host: Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">;
  #seen = 0;
  #unwatch: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(host: Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">) {
    this.#host = host;
  }

  /** Starts watching. Earlier changes are not reported. */
  async start(store: SqlStore): Promise<void> {
    await this.stop();
    const row = await store.read((sql) => sql.get("SELECT max(seq) AS seq FROM changes"));
    this.#seen = Number(row?.["seq"] ?? 0);
    this.#unwatch = store.watch(() => {
      // Sequential, so that no change is reported twice.
      this.#last = this.#last.then(() => this.#notify(store)).catch((error: unknown) => this.#logError(error));
    });
  }

  /** Stops watching. Resolves when nothing reads the database any more. */
  async stop(): Promise<void> {
    this.#unwatch?.();
    this.#unwatch = undefined;
    await this.#last;
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
      // The host throws a TypeError if the server's list cannot change at run time.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  #logError(error: unknown): void {
    this.#host.log({ level: "warning", message: "knowledge: cannot notify clients of changes", error });
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
