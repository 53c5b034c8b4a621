import { randomUUID } from "node:crypto";
import type { Sql } from "@toolwright/kit/storage";
import type { Blocker, TaskEvent, TaskRecord } from "../tasks/task.js";
import { TASK_COLUMNS, toTaskValues } from "./rows.js";

/** Who changes something, when, and why. */
export interface Attribution {
  readonly actor: string | null;
  /** In ISO 8601 with milliseconds. */
  readonly at: string;
  readonly reason?: string | null | undefined;
  /** The id of the change set that this one undoes. */
  readonly undoes?: string | null | undefined;
}

/** Changes that belong together and are undone together. Each one is written with its event, in the transaction of `sql`. */
export class ChangeSet {
  readonly id = randomUUID();
  readonly #sql: Sql;
  readonly #attribution: Attribution;

  constructor(sql: Sql, attribution: Attribution) {
    this.#sql = sql;
    this.#attribution = attribution;
  }

  async insert(task: TaskRecord, kind: TaskEvent["kind"] = "created"): Promise<void> {
    const marks = TASK_COLUMNS.map(() => "?").join(", ");
    await this.#sql.run(`INSERT INTO tasks (${TASK_COLUMNS.join(", ")}) VALUES (${marks})`, ...toTaskValues(task));
    await this.#record(kind, task.id, null, task);
  }

  async replace(before: TaskRecord, after: TaskRecord, kind: TaskEvent["kind"] = "updated"): Promise<void> {
    const pairs = TASK_COLUMNS.map((column) => `${column} = ?`).join(", ");
    await this.#sql.run(`UPDATE tasks SET ${pairs} WHERE id = ?`, ...toTaskValues(after), before.id);
    await this.#record(kind, before.id, before, after);
  }

  /** Remove the blockers of the task first, so that undo can restore them. */
  async remove(task: TaskRecord): Promise<void> {
    await this.#sql.run("DELETE FROM tasks WHERE id = ?", task.id);
    await this.#record("deleted", task.id, task, null);
  }

  async addBlocker(blocker: Blocker): Promise<void> {
    const { task_id: task, blocked_by_id: by } = blocker;
    await this.#sql.run("INSERT INTO blockers (task_id, blocked_by_id) VALUES (?, ?)", task, by);
    await this.#record("blocker_added", task, null, blocker);
  }

  async removeBlocker(blocker: Blocker): Promise<void> {
    const { task_id: task, blocked_by_id: by } = blocker;
    await this.#sql.run("DELETE FROM blockers WHERE task_id = ? AND blocked_by_id = ?", task, by);
    await this.#record("blocker_removed", task, blocker, null);
  }

  async #record(
    kind: TaskEvent["kind"],
    task: string,
    before: TaskEvent["before"],
    after: TaskEvent["after"],
  ): Promise<void> {
    const { at, actor, reason = null, undoes = null } = this.#attribution;
    await this.#sql.run(
      "INSERT INTO events (at, actor, deed, kind, task_id, before, after, reason, undoes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      at,
      actor,
      this.id,
      kind,
      task,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      reason,
      undoes,
    );
  }
}
