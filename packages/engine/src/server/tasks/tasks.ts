import { internalError, limitExceeded, methodNotFound } from "../../jsonrpc/errors.js";
import { type Outcome, ToolError } from "../../protocol/outcome.js";
import { isThenable } from "../answer.js";
import { loadKit } from "../asking/load-kit.js";
import type { Core } from "../core.js";
import type { Tool } from "../tool.js";
import { failureResult } from "../tool-result.js";
import { TaskBoard } from "./board.js";
import { createTask, readTtl } from "./create-task.js";
import type { TaskCall, TaskDesk } from "./desk.js";
import { declaresTasks, ownTask, requireTasks, undeclaredTasks } from "./find-task.js";
import { MemoryTaskStore } from "./memory-store.js";
import type { TaskSettings } from "./options.js";
import { cancelTask, getTask, listTasks, taskResult, updateTask } from "./requests.js";
import { cancelled } from "./states.js";
import { isFinalTask, type TaskRecord } from "./store.js";
import { TaskRun } from "./task-run.js";
import { viewOf, writeTask } from "./view.js";

/** A call that is to become a task, and what follows when its store has taken the task or has not. */
interface Opening {
  readonly call: TaskCall;
  readonly tool: Tool;
  readonly ttlMs: number;
  /** The call may have ended, or have asked something, while the store took its time. */
  readonly isWanted: () => boolean;
  readonly begun: () => void;
  readonly refused: (error: unknown) => void;
}

/** Opens the tasks of a server. */
export async function openTasks(core: Core, settings: TaskSettings): Promise<Tasks> {
  // Whether a call goes on as a task is decided by what it has asked, so questions must not wait to be noted.
  await loadKit();
  return new Tasks(core, settings);
}

/** The tasks of one server: which calls become tasks, and when. */
class Tasks implements TaskDesk {
  readonly #core: Core;
  readonly #settings: TaskSettings;
  readonly #board: TaskBoard;
  #opening = 0;
  #isClosed = false;

  constructor(core: Core, settings: TaskSettings) {
    this.#core = core;
    this.#settings = settings;
    this.#board = new TaskBoard(settings.store ?? new MemoryTaskStore(), core.changes, core.settings.log);
  }

  open(call: TaskCall, tool: Tool, begin: () => void): boolean {
    const { taskChoice } = call.revision;
    const isOnly = tool.long === "task-only";
    const wanted = taskChoice === "client" ? call.request.params?.["task"] : undefined;
    if (wanted !== undefined && tool.long === undefined)
      throw methodNotFound("tools/call", `"${tool.name}" cannot run as a task: call it without params.task`);
    if (wanted === undefined && !isOnly) return false;
    if (wanted === undefined && taskChoice === "client")
      throw methodNotFound("tools/call", `"${tool.name}" runs only as a task: call it with params.task`);
    if (taskChoice === "server" && !declaresTasks(call.caller)) throw undeclaredTasks();
    const refused = (error: unknown): void => this.#refuse(call, tool, error);
    const ttlMs = Math.min(readTtl(wanted) ?? this.#settings.ttlMs, this.#settings.mostTtlMs);
    if (taskChoice === "nobody") refused(needsTasks(tool));
    else this.#keep({ call, tool, ttlMs, isWanted: () => true, begun: () => start(call, begin), refused });
    return true;
  }

  consider(call: TaskCall, tool: Tool, hasAsked: () => boolean): void {
    if (call.revision.taskChoice !== "server" || !declaresTasks(call.caller)) return;
    const { graceMs, promoteAfterMs, ttlMs } = this.#settings;
    const isWanted = (): boolean => !hasAsked();
    const goOn = (error: unknown): void => {
      const message = `"${tool.name}" did not become a task, and goes on as a plain call`;
      this.#core.settings.log({ level: "warning", message, requestId: call.request.id, error });
    };
    const promote = (): void => {
      if (!call.isDone && call.afterlife === undefined && isWanted())
        this.#keep({ call, tool, ttlMs, isWanted, begun: () => undefined, refused: goOn });
    };
    const timer = setTimeout(promote, tool.long === undefined ? promoteAfterMs : graceMs).unref();
    call.lifetime.whenOver(() => clearTimeout(timer));
  }

  get(call: TaskCall): Promise<Outcome> {
    return getTask(this.#board, call);
  }

  result(call: TaskCall): Promise<Outcome> {
    return taskResult(this.#board, call, this.#core.settings.limits);
  }

  list(call: TaskCall): Promise<Outcome> {
    return listTasks(this.#board, call, this.#core.settings.limits);
  }

  update(call: TaskCall): Promise<Outcome> {
    return updateTask(this.#board, call);
  }

  cancel(call: TaskCall): Promise<Outcome> {
    return cancelTask(this.#board, call);
  }

  async agree(call: TaskCall, ids: readonly string[]): Promise<{ id: string; isFinal: boolean }[]> {
    requireTasks(call);
    const { watchedResources: most } = this.#core.settings.limits;
    if (ids.length > most) throw limitExceeded("watchedResources", `${most} tasks can be named at once`);
    const found = await Promise.all([...new Set(ids)].map((id) => ownTask(this.#board, call, id)));
    return found.flatMap((record) => (record === undefined ? [] : [{ id: record.id, isFinal: isFinalTask(record) }]));
  }

  async show(call: TaskCall, id: string): Promise<string | undefined> {
    const record = await ownTask(this.#board, call, id);
    return record && JSON.stringify(writeTask(record, call.revision)).slice(1, -1);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = "The server was stopped before the task had ended. It may have done a part of its work.";
    await Promise.all([...this.#board.runs.values()].map((run) => run.stop(reason)));
    await this.#board.close();
  }

  /** The client hears of the task only when it can be found. */
  #keep(opening: Opening): void {
    const { call, tool, ttlMs, refused } = opening;
    const { tasksRunning: most } = this.#core.settings.limits;
    if (this.#isClosed) return refused(stopped());
    if (this.#board.runs.size + this.#opening >= most) return refused(busy(most));
    const owner = this.#board.ownerOf({ principal: call.principal, session: call.link.session });
    const record = createTask(owner, tool.name, ttlMs, this.#settings.pollMs);
    try {
      const keeping = this.#board.store.create(record);
      if (!isThenable(keeping)) return this.#begin(opening, record);
      call.stayOpen();
      this.#opening += 1;
      keeping
        .then(() => this.#begin(opening, record), refused)
        .catch((error: unknown) => call.fail(error))
        .finally(() => {
          this.#opening -= 1;
        });
    } catch (error) {
      refused(error);
    }
  }

  #begin({ call, isWanted, begun, refused }: Opening, record: TaskRecord): void {
    if (this.#isClosed || call.isDone || call.afterlife !== undefined || !isWanted()) {
      this.#dismiss(record);
      if (this.#isClosed) refused(stopped());
      return;
    }
    const run = new TaskRun(call, record, this.#core.settings, this.#board);
    try {
      call.promote({ kind: "task", task: viewOf(record, call.revision) }, run);
    } catch (error) {
      run.dismiss();
      this.#dismiss(record);
      refused(error);
      return;
    }
    begun();
  }

  /** Ends a task that no client has heard of. */
  #dismiss({ id }: TaskRecord): void {
    const change = this.#board.change(id, (now) => cancelled(now, "The call did without a task.", Date.now()));
    change.catch((error: unknown) =>
      this.#core.settings.log({ level: "warning", message: `task ${id} is left over`, error }),
    );
  }

  #refuse(call: TaskCall, tool: Tool, error: unknown): void {
    const { message, code = "FAILED", details } = error instanceof ToolError ? error : this.#unavailable(error);
    if (call.revision.taskChoice === "client") return call.fail(internalError(message, { code, ...details }));
    call.settle({ kind: "tool", result: failureResult(message, { code, ...details }, tool.output !== undefined) });
  }

  #unavailable(error: unknown): ToolError {
    this.#core.settings.log({ level: "error", message: "a task could not be kept", error });
    return new ToolError("The server cannot keep tasks now. Try again in a moment.", {
      code: "TASKS_UNAVAILABLE",
      details: { retryable: true },
    });
  }
}

/** Begins the work of a call that is a task already. */
function start(call: TaskCall, begin: () => void): void {
  try {
    begin();
  } catch (error) {
    call.fail(error);
  }
}

const needsTasks = ({ name }: Tool): ToolError =>
  new ToolError(`"${name}" runs only as a task, and this client cannot follow tasks. Use a client that can.`, {
    code: "NEEDS_TASKS",
  });

const busy = (most: number): ToolError =>
  new ToolError(`The server is busy: ${most} tasks are running. Try again when one has ended.`, {
    code: "BUSY",
    details: { limit: "tasksRunning", retryable: true },
  });

const stopped = (): ToolError => new ToolError("The server is being stopped.", { code: "STOPPED" });
