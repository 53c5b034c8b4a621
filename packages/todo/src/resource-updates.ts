import type { PackHost } from "@toolwright/engine";
import type { SqlStore } from "@toolwright/kit/storage";
import { toTaskEvent } from "./store/rows.js";

/** Tells the clients of a server which of the resources have changed, whatever process has changed them. */
export class ResourceUpdates {
  readonly #host: Pick<PackHost, "notifyResourceUpdated" | "log">;
  #seen = 0;
  #unwatch: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(host: Pick<PackHost, "notifyResourceUpdated" | "log">) {
    this.#host = host;
  }

  /** From now on. What was there before is news to nobody. */
  async start(store: SqlStore): Promise<void> {
    this.stop();
    this.#seen = await newest(store);
    this.#unwatch = store.watch(() => {
      // One after the other, so that nothing is told twice.
      this.#last = this.#last.then(() => this.#tell(store)).catch((error: unknown) => this.#complain(error));
    });
  }

  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  async #tell(store: SqlStore): Promise<void> {
    if (this.#unwatch === undefined) return;
    const { seq, ids } = await changedSince(store, this.#seen);
    if (seq <= this.#seen) return;
    this.#seen = seq;
    this.#host.notifyResourceUpdated("tasks://board");
    this.#host.notifyResourceUpdated("tasks://ready");
    for (const id of ids) this.#host.notifyResourceUpdated(`task://${id}`);
  }

  #complain(error: unknown): void {
    this.#host.log({ level: "warning", message: "todo: clients could not be told that tasks have changed", error });
  }
}

async function newest(store: SqlStore): Promise<number> {
  const row = await store.read((sql) => sql.get("SELECT max(seq) AS seq FROM events"));
  return Number(row?.["seq"] ?? 0);
}

/** The tasks that look otherwise than before: those that were changed, their parents and children, and who waits for them. */
function changedSince(
  store: SqlStore,
  seen: number,
): Promise<{ readonly seq: number; readonly ids: ReadonlySet<string> }> {
  return store.read(async (sql) => {
    const events = (await sql.all("SELECT * FROM events WHERE seq > ? ORDER BY seq", seen)).map(toTaskEvent);
    const waiting = await sql.all(
      "SELECT DISTINCT task_id FROM blockers WHERE blocked_by_id IN (SELECT task_id FROM events WHERE seq > ?)",
      seen,
    );
    const touched = events.flatMap(({ task_id: id, before, after }) => [id, ...tiesOf(before), ...tiesOf(after)]);
    return {
      seq: events.at(-1)?.seq ?? seen,
      ids: new Set([...touched, ...waiting.map((row) => String(row["task_id"]))]),
    };
  });
}

type Form = ReturnType<typeof toTaskEvent>["before"];

function tiesOf(form: Form): readonly string[] {
  if (form === null) return [];
  if ("blocked_by_id" in form) return [form.blocked_by_id];
  return form.parent_id === null ? [] : [form.parent_id];
}
