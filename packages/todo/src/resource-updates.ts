import type { PackHost } from "@toolwright/engine";
import { ChangeFeed, type Sql } from "@toolwright/kit/storage";
import { toTaskEvent } from "./store/rows.js";

/** Notifies clients of the resources that have changed. */
export const createResourceUpdates = (host: Pick<PackHost, "notifyResourceUpdated" | "log">) =>
  new ChangeFeed({
    table: "events",
    read: readChangedTasks,
    onChanges({ ids }) {
      host.notifyResourceUpdated("tasks://board");
      host.notifyResourceUpdated("tasks://ready");
      for (const id of ids) host.notifyResourceUpdated(`task://${id}`);
    },
    onError: (error) => host.log({ level: "warning", message: "todo: cannot notify clients of changed tasks", error }),
  });

/** The tasks whose resource has changed: those that were changed, their parents and subtasks, and those that they block. */
async function readChangedTasks(
  sql: Sql,
  seen: number,
): Promise<{ readonly seq: number; readonly ids: ReadonlySet<string> }> {
  const events = (await sql.all("SELECT * FROM events WHERE seq > ? ORDER BY seq", seen)).map(toTaskEvent);
  const blocked = await sql.all(
    "SELECT DISTINCT task_id FROM blockers WHERE blocked_by_id IN (SELECT task_id FROM events WHERE seq > ?)",
    seen,
  );
  const touched = events.flatMap(({ task_id: id, before, after }) => [id, ...related(before), ...related(after)]);
  return {
    seq: events.at(-1)?.seq ?? seen,
    ids: new Set([...touched, ...blocked.map((row) => String(row["task_id"]))]),
  };
}

function related(state: ReturnType<typeof toTaskEvent>["before"]): readonly string[] {
  if (state === null) return [];
  if ("blocked_by_id" in state) return [state.blocked_by_id];
  return state.parent_id === null ? [] : [state.parent_id];
}
