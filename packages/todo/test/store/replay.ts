import type { SqlStore } from "@toolwright/kit/storage";
import { TASK_COLUMNS, toTaskEvent, toTaskRecord } from "../../src/store/rows.js";
import type { Blocker, TaskEvent, TaskRecord } from "../../src/tasks/task.js";

/** All tasks by id, and all blockers as "blocked > blocker". */
export interface Tables {
  readonly tasks: Readonly<Record<string, TaskRecord>>;
  readonly blockers: readonly string[];
}

/** Reads the tables and all events in one transaction. */
export function readAll(ledger: SqlStore): Promise<{ readonly tables: Tables; readonly events: readonly TaskEvent[] }> {
  return ledger.read(async (sql) => {
    const tasks = await sql.all(`SELECT ${TASK_COLUMNS.join(", ")} FROM tasks ORDER BY id`);
    const blockers = await sql.all("SELECT task_id, blocked_by_id FROM blockers");
    const events = await sql.all("SELECT * FROM events ORDER BY seq");
    return {
      tables: {
        tasks: Object.fromEntries(tasks.map((row) => [String(row["id"]), toTaskRecord(row)])),
        blockers: blockers.map((row) => `${String(row["task_id"])} > ${String(row["blocked_by_id"])}`).sort(),
      },
      events: events.map(toTaskEvent),
    };
  });
}

/** Builds the tables from the events. Throws if an event does not start with the state after the previous one. */
export function replay(events: readonly TaskEvent[]): Tables {
  const tasks = new Map<string, TaskRecord>();
  const blockers = new Set<string>();
  for (const event of events) {
    if (isAboutBlocker(event)) turn(blockers, event);
    else put(tasks, event);
  }
  return { tasks: Object.fromEntries(tasks), blockers: [...blockers].sort() };
}

const isAboutBlocker = ({ kind }: TaskEvent): boolean => kind === "blocker_added" || kind === "blocker_removed";

function put(tasks: Map<string, TaskRecord>, { seq, task_id: id, before, after }: TaskEvent): void {
  const known = tasks.get(id) ?? null;
  if (JSON.stringify(known) !== JSON.stringify(before)) throw new Error(`Event ${seq} does not begin where ${id} was`);
  if (after === null) tasks.delete(id);
  else tasks.set(id, after as TaskRecord);
}

function turn(blockers: Set<string>, { seq, before, after }: TaskEvent): void {
  const { task_id: task, blocked_by_id: by } = (before ?? after) as Blocker;
  const key = `${task} > ${by}`;
  if (blockers.has(key) !== (before !== null)) throw new Error(`Event ${seq} does not begin where ${key} was`);
  if (after === null) blockers.delete(key);
  else blockers.add(key);
}
