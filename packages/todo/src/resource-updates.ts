import type { PackHost } from "@toolwright/engine";
import type { SqlStore } from "@toolwright/kit/storage";
import { toTaskEvent } from "./store/rows.js";

/** Notifies clients of the resources that have changed, whichever process changed them. */
export class ResourceUpdates {
  readonly #host: Pick<PackHost, "notifyResourceUpdated" | "log">;
  #lastSeq = 0;
  #unwatch: (() => void) | undefined;
  #pending: Promise<void> = Promise.resolve();

  constructor(host: Pick<PackHost, "notifyResourceUpdated" | "log">) {
    this.#host = host;
  }

  /** Starts with the next change. */
  async start(store: SqlStore): Promise<void> {
    this.stop();
    const row = await store.read((sql) => sql.get("SELECT max(seq) AS seq FROM events"));
    this.#lastSeq = Number(row?.["seq"] ?? 0);
    this.#unwatch = store.watch(() => {
      // One at a time, so that no change is announced twice.
      this.#pending = this.#pending.then(() => this.#notify(store)).catch((error: unknown) => this.#logFailure(error));
    });
  }

  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  async #notify(store: SqlStore): Promise<void> {
    if (this.#unwatch === undefined) return;
    const { seq, ids } = await changedSince(store, this.#lastSeq);
    if (seq <= this.#lastSeq) return;
    this.#lastSeq = seq;
    this.#host.notifyResourceUpdated("tasks://board");
    this.#host.notifyResourceUpdated("tasks://ready");
    for (const id of ids) this.#host.notifyResourceUpdated(`task://${id}`);
  }

  #logFailure(error: unknown): void {
    this.#host.log({ level: "warning", message: "todo: cannot notify clients of changed tasks", error });
  }
}

/** The tasks whose resource has changed: those that were changed, their parents and subtasks, and those that they block. */
function changedSince(
  store: SqlStore,
  lastSeq: number,
): Promise<{ readonly seq: number; readonly ids: ReadonlySet<string> }> {
  return store.read(async (sql) => {
    const events = (await sql.all("SELECT * FROM events WHERE seq > ? ORDER BY seq", lastSeq)).map(toTaskEvent);
    const blocked = await sql.all(
      "SELECT DISTINCT task_id FROM blockers WHERE blocked_by_id IN (SELECT task_id FROM events WHERE seq > ?)",
      lastSeq,
    );
    const touched = events.flatMap(({ task_id: id, before, after }) => [id, ...related(before), ...related(after)]);
    return {
      seq: events.at(-1)?.seq ?? lastSeq,
      ids: new Set([...touched, ...blocked.map((row) => String(row["task_id"]))]),
    };
  });
}

function related(state: ReturnType<typeof toTaskEvent>["before"]): readonly string[] {
  if (state === null) return [];
  if ("blocked_by_id" in state) return [state.blocked_by_id];
  return state.parent_id === null ? [] : [state.parent_id];
}
