import { invalidParams, limitExceeded, missingCapability, type RpcError, truncate } from "../../../jsonrpc/errors.js";
import { isObject } from "../../../jsonrpc/messages.js";
import type { Outcome } from "../../../protocol/outcome.js";
import { type Caller, taskTopic } from "../../../protocol/types.js";
import { RELATED_TASK_KEY, TASKS_EXTENSION } from "../../../revisions/meta-keys.js";
import { invalidCursor } from "../../catalog.js";
import { budgetHolder, Holdings } from "../../limits/shared-budget.js";
import type { RequestContext } from "../../request-context.js";
import type { TaskManager } from "./task-manager.js";
import { asCancelled, encodeTask, taskErrorOf, toTaskView, withResponses } from "./task-state.js";
import { isFinalTask, type TaskPosition, type TaskRecord, taskExpiry } from "./task-store.js";

const EMPTY_RESULT: Outcome = { kind: "plain", body: {} };

/** The protocol methods for tasks. */
export class TaskRequests {
  readonly #manager: TaskManager;
  /** How many `tasks/result` requests of each client wait. */
  readonly #waiting = new Holdings();

  constructor(manager: TaskManager) {
    this.#manager = manager;
  }

  /** `tasks/get` */
  async get(ctx: RequestContext): Promise<Outcome> {
    return { kind: "plain", body: encodeTask(await this.#findForAnyClient(ctx), ctx.revision) };
  }

  /** `tasks/result`: waits for the end of the task and returns the result of its call. */
  async result(ctx: RequestContext): Promise<Outcome> {
    const { id } = await this.#find(ctx);
    const { callsInFlight } = ctx.state.settings.limits;
    const { client } = budgetHolder(ctx.connection);
    if (!this.#waiting.hasPlaceFor(client, callsInFlight))
      throw limitExceeded("callsInFlight", `${callsInFlight} requests wait for results of tasks; poll with tasks/get`);
    let wake: () => void = () => undefined;
    const unsubscribe = ctx.state.changes.subscribe(taskTopic(id), () => wake());
    ctx.onEnd(() => wake());
    this.#waiting.add(client, 1);
    try {
      for (;;) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const record = await this.#find(ctx);
        if (ctx.isDone) return EMPTY_RESULT;
        if (isFinalTask(record)) return toToolOutcome(record);
        // Polls as well: notifications can be delayed, and the task can expire.
        const timer = setTimeout(wake, Math.min(record.pollMs, taskExpiry(record) - Date.now())).unref();
        await changed;
        clearTimeout(timer);
      }
    } finally {
      unsubscribe();
      this.#waiting.add(client, -1);
    }
  }

  /** `tasks/list`: the tasks of the client, oldest first. */
  async list(ctx: RequestContext): Promise<Outcome> {
    const { revision, request } = ctx;
    const { pageSize } = ctx.state.settings.limits;
    const after = decodeCursor(request.params?.["cursor"]);
    const found = await this.#manager.store.list(this.#manager.ownerOf(ctx), after, pageSize + 1);
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    const tasks = page.map((record) => revision.writeTask(toTaskView(record, revision)));
    return { kind: "plain", body: { tasks, ...(last !== undefined && { nextCursor: encodeCursor(last) }) } };
  }

  /** `tasks/update`: delivers responses to the input requests of a task. Others are ignored. */
  async update(ctx: RequestContext): Promise<Outcome> {
    requireTasksCapability(ctx);
    const { id } = await this.#find(ctx);
    const inputResponses = ctx.request.params?.["inputResponses"];
    if (!isObject(inputResponses)) throw invalidParams('Invalid params: "inputResponses" must be an object');
    const update = await this.#manager.update(id, (record) => withResponses(record, inputResponses));
    if (update === undefined) throw unknownTaskError(id);
    return EMPTY_RESULT;
  }

  /** `tasks/cancel`: responds when the task is cancelled, or was final before. */
  async cancel(ctx: RequestContext): Promise<Outcome> {
    const { revision } = ctx;
    const { id } = await this.#findForAnyClient(ctx);
    const update = await this.#manager.update(id, (record) => asCancelled(record, "The client cancelled the task."));
    if (update === undefined) throw unknownTaskError(id);
    if (revision.taskInitiator === "server") return EMPTY_RESULT;
    const task = toTaskView(update.record, revision);
    if (!update.isChanged) throw invalidParams(`Cannot cancel the task: it is ${task.status} already`);
    return { kind: "plain", body: revision.writeTask(task) };
  }

  /**
   * The task that a request names. The error is the same for an unknown, an expired and a foreign task, so that it does
   * not reveal which tasks exist.
   */
  async #find(ctx: RequestContext): Promise<TaskRecord> {
    const id = ctx.request.params?.["taskId"];
    if (typeof id !== "string") throw invalidParams('Invalid params: "taskId" must be a string');
    const record = await this.#manager.find(ctx, id);
    if (record === undefined) throw unknownTaskError(id);
    return record;
  }

  /** Like `#find`, but also for clients that declare tasks the way older revisions do: they may still have some. */
  async #findForAnyClient(ctx: RequestContext): Promise<TaskRecord> {
    const { revision, caller, request } = ctx;
    if (revision.taskInitiator === "client" || supportsTasks(caller)) return this.#find(ctx);
    const id = request.params?.["taskId"];
    const isOlderClient = isObject(caller.capabilities["tasks"]) && typeof id === "string";
    const record = isOlderClient ? await this.#manager.find(ctx, id) : undefined;
    if (record === undefined) throw missingTasksCapability();
    return record;
  }
}

/** Whether a client declared the tasks extension. */
export function supportsTasks({ capabilities: { extensions } }: Caller): boolean {
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** The error for clients that would need to declare the tasks extension. */
export const missingTasksCapability = (): RpcError => missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });

/** Throws `RpcError` if the client would not understand the response. */
export function requireTasksCapability({ revision, caller }: RequestContext): void {
  if (revision.taskInitiator === "server" && !supportsTasks(caller)) throw missingTasksCapability();
}

const unknownTaskError = (id: string): RpcError =>
  invalidParams(
    `Unknown task: ${truncate(id)}. It never existed, has expired, or belongs to another client; call the tool again.`,
  );

function toToolOutcome(record: TaskRecord): Outcome {
  const { id, result } = record;
  if (result === undefined) throw taskErrorOf(record);
  const meta = { ...result.meta, [RELATED_TASK_KEY]: { taskId: id } };
  return { kind: "tool", result: { ...result, meta } };
}

const encodeCursor = ({ createdAt, id }: TaskPosition): string =>
  Buffer.from(`${createdAt} ${id}`).toString("base64url");

function decodeCursor(cursor: unknown): TaskPosition | undefined {
  if (cursor === undefined) return undefined;
  if (typeof cursor !== "string") throw invalidParams("Invalid params: cursor must be a string");
  const [, createdAt, id] = /^(\d{1,16}) ([\w-]+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (createdAt === undefined || id === undefined) throw invalidCursor();
  return { createdAt: Number(createdAt), id };
}
