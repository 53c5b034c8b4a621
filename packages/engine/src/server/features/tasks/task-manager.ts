import { internalError, invalidParams, limitExceeded, methodNotFound } from "../../../jsonrpc/errors.js";
import { isObject, type Json } from "../../../jsonrpc/messages.js";
import { type Outcome, ToolError, toErrorData, toModelMessage } from "../../../protocol/outcome.js";
import type { Tool } from "../../definitions/tool.js";
import { budgetHolder, Holdings } from "../../limits/shared-budget.js";
import type { RequestContext } from "../../request-context.js";
import { encodeOutcome } from "../../respond.js";
import type { Session } from "../../session.js";
import type { ServerState } from "../../state.js";
import { errorResult } from "../tool-result.js";
import { missingTasksCapability, requireTasksCapability, supportsTasks, TaskRequests } from "./task-requests.js";
import { TaskRun } from "./task-run.js";
import { asCancelled, encodeTask, toTaskView } from "./task-state.js";
import type { TaskOwner, TaskRecord, TaskSettings, TaskStore, TaskUpdate } from "./task-store.js";

/**
 * Decides which calls become tasks, and when. Every update of a task goes through here, so that no listener misses one. Only
 * servers with the `tasks` option have one.
 */
export class TaskManager {
  /** The `tasks/*` methods. */
  readonly requests: TaskRequests;
  readonly store: TaskStore;
  /** The tasks that run in this process, by id. */
  readonly running = new Map<string, TaskRun>();
  readonly #state: ServerState;
  readonly #settings: TaskSettings;
  readonly #sessionIds = new WeakMap<Session, string>();
  readonly #stopWatching: (() => void) | undefined;
  /** How many tasks of each client run or are being created. */
  readonly places = new Holdings();
  isClosed = false;

  constructor(state: ServerState, settings: TaskSettings) {
    this.#state = state;
    this.#settings = settings;
    this.requests = new TaskRequests(this);
    this.store = settings.store;
    this.#stopWatching = this.store.watch?.((id) => void this.#onExternalChange(id));
  }

  /** A task that the client may see. Clients that are not authenticated may see every task whose id they know. */
  async find(ctx: RequestContext, id: string): Promise<TaskRecord | undefined> {
    const record = await this.store.get(id);
    return record?.principal === ctx.principal ? record : undefined;
  }

  /** Updates a task and notifies its listeners. Resolves with undefined if there is no such task. */
  async update(id: string, transform: (current: TaskRecord) => TaskRecord): Promise<TaskUpdate | undefined> {
    const update = await this.store.update(id, transform);
    if (update?.isChanged) this.#notify(update.record);
    return update;
  }

  /** The owner of the tasks of this client. */
  ownerOf({ principal, connection: { session } }: RequestContext): TaskOwner {
    const id = this.#sessionIds.get(session) ?? crypto.randomUUID();
    this.#sessionIds.set(session, id);
    return { principal, session: id };
  }

  /**
   * Turns a call into a task before its tool runs, if the client or the tool requires one. Returns an outcome if that is
   * not possible, undefined if the tool may run now. Throws `RpcError` if the tool cannot run the way the client wants.
   */
  start(ctx: RequestContext, tool: Tool): Outcome | undefined | Promise<Outcome | undefined> {
    const { taskInitiator } = ctx.revision;
    const taskParams = taskInitiator === "client" ? ctx.request.params?.["task"] : undefined;
    if (taskParams !== undefined && tool.taskSupport === undefined)
      throw methodNotFound("tools/call", `"${tool.name}" cannot run as a task: call it without params.task`);
    if (taskParams === undefined && tool.taskSupport !== "required") return undefined;
    if (taskParams === undefined && taskInitiator === "client")
      throw methodNotFound("tools/call", `"${tool.name}" runs only as a task: call it with params.task`);
    if (taskInitiator === "server" && !supportsTasks(ctx.caller)) throw missingTasksCapability();
    const ttlMs = Math.min(parseTtl(taskParams) ?? this.#settings.ttlMs, this.#settings.maxTtlMs);
    if (taskInitiator === "none") return this.#rejection(ctx, tool, needsTasksError(tool));
    return this.#promote(ctx, tool, ttlMs).then(
      () => undefined,
      (error: unknown) => this.#rejection(ctx, tool, error),
    );
  }

  /** Turns a running call into a task after some time, unless it has pending input requests. */
  schedulePromotion(ctx: RequestContext, tool: Tool): void {
    if (ctx.revision.taskInitiator !== "server" || !supportsTasks(ctx.caller)) return;
    const { graceMs, promoteAfterMs, ttlMs } = this.#settings;
    const promote = (): void => {
      if (!canBecomeTask(ctx)) return;
      this.#promote(ctx, tool, ttlMs).catch((error: unknown) => {
        const message = `"${tool.name}" did not become a task and continues as an ordinary call`;
        if (!ctx.isDone) this.#state.settings.log({ level: "warning", message, requestId: ctx.id, error });
      });
    };
    const timer = setTimeout(promote, tool.taskSupport === undefined ? promoteAfterMs : graceMs).unref();
    ctx.onEnd(() => clearTimeout(timer));
  }

  /** The tasks that a client may subscribe to, of those that it named. Throws `RpcError`. */
  async filterSubscribable(ctx: RequestContext, ids: readonly string[]): Promise<TaskRecord[]> {
    requireTasksCapability(ctx);
    const { resourceSubscriptions: limit } = this.#state.settings.limits;
    if (ids.length > limit) throw limitExceeded("resourceSubscriptions", `${limit} tasks can be named at once`);
    const found = await Promise.all([...new Set(ids)].map((id) => this.find(ctx, id)));
    return found.filter((record) => record !== undefined);
  }

  /** The members of a task notification, as text; undefined if the task is gone. */
  async notificationMembers(ctx: RequestContext, id: string): Promise<string | undefined> {
    const record = await this.find(ctx, id);
    return record && JSON.stringify(encodeTask(record, ctx.revision)).slice(1, -1);
  }

  /** Stops the running tasks and closes the store. */
  async close(): Promise<void> {
    this.isClosed = true;
    const reason = "The server was stopped before the task had ended. It may have done part of its work.";
    await Promise.all([...this.running.values()].map((run) => run.stop(reason)));
    this.#stopWatching?.();
    await this.store.close?.();
  }

  /** Creates a task and answers the request with it. The client learns of the task only once it can be found. */
  async #promote(ctx: RequestContext, { name }: Tool, ttlMs: number): Promise<void> {
    if (this.isClosed) throw serverStoppedError();
    const { client } = budgetHolder(ctx.connection);
    this.#requireCapacity(client);
    const record = newTask(this.ownerOf(ctx), name, { ttlMs, pollMs: this.#settings.pollMs });
    // Encoded first: a task that cannot be answered with is not created.
    const response = encodeOutcome(ctx, { kind: "task", task: toTaskView(record, ctx.revision) });
    this.places.add(client, 1);
    try {
      await this.store.create(record);
      // The call may have ended or sent input requests while the store took its time.
      if (this.isClosed || !canBecomeTask(ctx)) {
        this.#discard(record);
        if (this.isClosed) throw serverStoppedError();
        return ctx.throwIfAborted();
      }
      ctx.continueAsTask(response, new TaskRun(ctx, record, this));
    } finally {
      this.places.add(client, -1);
    }
  }

  /** Throws if too many tasks run. A client without a running task may use the reserve. */
  #requireCapacity(client: unknown): void {
    const { tasksRunning: limit } = this.#state.settings.limits;
    if (this.places.hasPlaceFor(client, limit)) return;
    throw new ToolError(`The server is busy: ${limit} tasks are running. Try again when one has ended.`, {
      code: "BUSY",
      details: { limit: "tasksRunning", retryable: true },
    });
  }

  /** Cancels a task that no client knows. */
  #discard({ id }: TaskRecord): void {
    this.update(id, (current) => asCancelled(current, "The call ended without a task.")).catch((error: unknown) =>
      this.#warn(`task ${id} could not be discarded`, error),
    );
  }

  /** Called when another process has changed a task. */
  async #onExternalChange(id: string): Promise<void> {
    try {
      const record = await this.store.get(id);
      if (record !== undefined) this.#notify(record);
    } catch (error) {
      this.#warn(`task ${id} has changed and could not be read`, error);
    }
  }

  #notify(record: TaskRecord): void {
    this.running.get(record.id)?.onUpdate(record);
    this.#state.changes.publish({ kind: "task", id: record.id });
  }

  #warn(message: string, error: unknown): void {
    this.#state.settings.log({ level: "warning", message, error });
  }

  /** What the call is answered with if no task can be created. */
  #rejection(ctx: RequestContext, tool: Tool, error: unknown): Outcome {
    ctx.throwIfAborted();
    if (!(error instanceof ToolError)) {
      this.#state.settings.log({ level: "error", message: "a task could not be stored", error });
      return this.#rejection(ctx, tool, unavailableError());
    }
    const message = toModelMessage(error);
    const { code = "FAILED" } = error;
    const data = { ...toErrorData(error), code };
    if (ctx.revision.taskInitiator === "client") throw internalError(message, data);
    return { kind: "tool", result: errorResult(message, data, tool.output !== undefined) };
  }
}

/** A call cannot become a task when it has ended, is one, or has pending input requests, which end it. */
const canBecomeTask = ({ isDone, taskSink, input }: RequestContext): boolean =>
  !isDone && taskSink === undefined && input?.inputRequired() === undefined;

function newTask(owner: TaskOwner, tool: string, times: Pick<TaskRecord, "ttlMs" | "pollMs">): TaskRecord {
  // The id must not be guessable: without authentication it grants access to the task.
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
  const createdAt = Date.now();
  return { ...owner, id, tool, status: "working", createdAt, updatedAt: createdAt, ...times };
}

/** How long the client wants its task to be kept; undefined if it does not say. Throws `RpcError`. */
function parseTtl(taskParams: Json | undefined): number | undefined {
  if (taskParams === undefined) return undefined;
  if (!isObject(taskParams)) throw invalidParams('Invalid params: "task" must be an object');
  const { ttl } = taskParams;
  if (ttl === undefined) return undefined;
  if (ttl === null) return Number.POSITIVE_INFINITY;
  if (typeof ttl !== "number" || ttl < 0)
    throw invalidParams("Invalid params: task.ttl must be a number of milliseconds");
  return Math.max(1, Math.ceil(ttl));
}

const needsTasksError = ({ name }: Tool): ToolError =>
  new ToolError(`"${name}" runs only as a task, and this client does not support tasks. Use a client that does.`, {
    code: "NEEDS_TASKS",
  });

const unavailableError = (): ToolError =>
  new ToolError("The server cannot store tasks now. Try again in a moment.", {
    code: "TASKS_UNAVAILABLE",
    details: { retryable: true },
  });

const serverStoppedError = (): ToolError => new ToolError("The server is being stopped.", { code: "STOPPED" });
