import { internalError, type RpcError } from "../../../jsonrpc/errors.js";
import { encodeNotification, type Json, type JsonObject } from "../../../jsonrpc/messages.js";
import type { InputRequest, Outcome, TaskStatus, ToolOutcome } from "../../../protocol/outcome.js";
import { RELATED_TASK_KEY } from "../../../revisions/meta-keys.js";
import { MAX_TIMER_MS } from "../../limits/limits.js";
import { budgetHolder } from "../../limits/shared-budget.js";
import type { RequestContext, TaskSink } from "../../request-context.js";
import { sendRecorded, sizeError } from "../../respond.js";
import { ClientWait, type PendingResponse } from "../elicitation/input-requests.js";
import { errorResult } from "../tool-result.js";
import type { TaskManager } from "./task-manager.js";
import {
  asEnded,
  type TaskResultOrError,
  toTaskView,
  withInputRequests,
  withInputRequired,
  withoutInputRequests,
  withoutResponses,
} from "./task-state.js";
import { interruptedTask, isFinalTask, type TaskRecord, taskExpiry } from "./task-store.js";

/** Space that the rest of a response needs besides the result. */
const ENVELOPE_BYTES = 2048;

/** The pauses between attempts to store the end of a task, for example while the disk is full. */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;

/** A call that continues as a task: stores its outcome, and applies changes of the record to the call. */
export class TaskRun implements TaskSink {
  /** The client whose task this is, as limits count it. */
  readonly #client: unknown;
  readonly #ctx: RequestContext;
  readonly #manager: TaskManager;
  readonly #id: string;
  readonly #expiresAt: number;
  readonly #expiry: NodeJS.Timeout;
  readonly #wait: ClientWait;
  /** The pending input requests of a client that polls. */
  readonly #pending = new Map<string, PendingResponse>();
  /** Keys are never reused: a client may still respond to an old one. */
  readonly #usedKeys = new Set<string>();
  /** Requests of the same event-loop turn are stored together, so that clients can answer them together. */
  #unsent: Record<string, InputRequest> = {};
  #status: TaskStatus;
  #lastUpdate: Promise<unknown> = Promise.resolve();

  constructor(ctx: RequestContext, record: TaskRecord, manager: TaskManager) {
    this.#ctx = ctx;
    this.#manager = manager;
    this.#client = budgetHolder(ctx.connection).client;
    this.#id = record.id;
    this.#status = record.status;
    this.#wait = new ClientWait(ctx);
    this.#expiresAt = taskExpiry(record);
    const expiresInMs = Math.min(this.#expiresAt - Date.now(), MAX_TIMER_MS);
    this.#expiry = setTimeout(() => void this.stop("The task has expired."), expiresInMs).unref();
    manager.running.set(record.id, this);
    manager.places.add(this.#client, 1);
  }

  /** Tasks that the client requested send notifications and input requests directly; for others the client polls. */
  get isDirect(): boolean {
    return this.#ctx.revision.taskInitiator === "client";
  }

  request(name: string, inputRequest: InputRequest): Promise<Json> {
    let key = name;
    for (let round = 2; this.#usedKeys.has(key); round += 1) key = `${name}-${round}`;
    this.#usedKeys.add(key);
    return this.#wait.start({
      send: (pending) => {
        this.#pending.set(key, pending);
        if (Object.keys(this.#unsent).length === 0) setImmediate(() => this.#sendInputRequests());
        this.#unsent[key] = inputRequest;
      },
      onSettled: () => this.#pending.delete(key),
      onAbandoned: () => void this.#update((record) => withoutInputRequests(record, [key])),
    });
  }

  setWaitingForClient(isWaiting: boolean): void {
    if (this.isDirect) void this.#update((record) => withInputRequired(record, isWaiting));
  }

  complete(outcome: Outcome): void {
    if (outcome.kind === "tool") void this.#finish({ result: this.#limitSize(outcome.result) });
    else this.fail(internalError(`A task cannot have an outcome of kind ${outcome.kind}`));
  }

  fail({ code, message, data }: RpcError): void {
    void this.#finish({ error: { code, message, ...(data && { data }) } });
  }

  /** Sends a notification of the call, with a reference to the task. */
  send(message: string): void {
    if (!this.isDirect || this.#ctx.connection.session.isClosed) return;
    const { params, ...rest } = JSON.parse(message) as { params?: JsonObject };
    const _meta = { ...(params?.["_meta"] as JsonObject | undefined), [RELATED_TASK_KEY]: { taskId: this.#id } };
    sendRecorded(this.#ctx, JSON.stringify({ ...rest, params: { ...params, _meta } }));
  }

  /** Called when the record of the task has changed. */
  onUpdate(record: TaskRecord): void {
    this.#acceptResponses(record);
    if (record.status !== this.#status) this.#notifyStatus(record);
    if (isFinalTask(record)) this.#stopInvocation(record.message ?? "the task has ended");
  }

  /** Stops the task; `reason` is for the model. */
  async stop(reason: string): Promise<void> {
    this.#ctx.cancel(reason);
    await this.#interrupt(reason);
    this.#stopInvocation(reason);
  }

  /** Detaches the call from the task. */
  release(): void {
    clearTimeout(this.#expiry);
    if (this.#manager.running.delete(this.#id)) this.#manager.places.add(this.#client, -1);
  }

  #sendInputRequests(): void {
    const added = this.#unsent;
    this.#unsent = {};
    const abandon = (reason: string): void => {
      for (const key of Object.keys(added)) this.#pending.get(key)?.abandon(reason);
    };
    this.#update((record) => withInputRequests(record, added)).then(
      (record) => (record === undefined || isFinalTask(record)) && abandon("the task is over"),
      () => abandon("the task could not be changed in its store"),
    );
  }

  /** Takes the responses that have arrived in the record. */
  #acceptResponses({ inputResponses: responses = {} }: TaskRecord): void {
    const taken = Object.keys(responses).filter((key) => this.#usedKeys.has(key));
    if (taken.length === 0) return;
    for (const key of taken) this.#pending.get(key)?.resolve(responses[key] as Json);
    void this.#update((record) => withoutResponses(record, taken));
  }

  /** Updates run one after the other, however long the store takes. Errors are logged. Undefined: the task is gone. */
  #update(transform: (current: TaskRecord) => TaskRecord): Promise<TaskRecord | undefined> {
    const next = this.#lastUpdate
      .then(() => this.#manager.update(this.#id, transform))
      .then((update) => update?.record);
    const { log } = this.#ctx.state.settings;
    this.#lastUpdate = next.catch((error: unknown) =>
      log({ level: "error", message: `task ${this.#id} could not be changed in its store`, error }),
    );
    return next;
  }

  /** Stores the end of the task, now or as soon as the store can be changed: a client may wait for it. */
  async #finish(resultOrError: TaskResultOrError): Promise<void> {
    let isStored = await this.#tryFinish(resultOrError);
    this.#stopInvocation("the task has ended");
    for (let pauseMs = MIN_RETRY_MS; !isStored && !this.#isOver; pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)) {
      const pause = pauseMs;
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      isStored = await this.#tryFinish(resultOrError);
    }
  }

  /** Whether nobody can ask for the task any more. */
  get #isOver(): boolean {
    return this.#manager.isClosed || Date.now() >= this.#expiresAt;
  }

  /** Returns false if the store cannot be changed now. */
  async #tryFinish(resultOrError: TaskResultOrError): Promise<boolean> {
    try {
      const record = await this.#update((current) => asEnded(current, resultOrError));
      // If it was final before, the notification about that may still be on its way.
      if (record !== undefined) this.onUpdate(record);
      return true;
    } catch {
      return this.#interrupt("The tool has ended, but its result could not be stored; the server's log says why.");
    }
  }

  /** Marks the task as failed. Returns false if the store cannot be changed now. */
  #interrupt(reason: string): Promise<boolean> {
    return this.#update((record) => interruptedTask(record, reason, Date.now())).then(
      () => true,
      () => false,
    );
  }

  /** Replaces a result that is too large for any response with an error. */
  #limitSize(result: ToolOutcome): ToolOutcome {
    const { messageBytes } = this.#ctx.state.settings.limits;
    const encoded = this.#ctx.revision.writeResult({ kind: "tool", result }, "");
    const error = sizeError(encoded, Math.max(messageBytes - ENVELOPE_BYTES, messageBytes / 2));
    if (error === undefined) return result;
    return errorResult(error.message, { code: "RESULT_TOO_LARGE", ...error.details }, true);
  }

  #notifyStatus(record: TaskRecord): void {
    this.#status = record.status;
    const { connection, revision } = this.#ctx;
    if (!this.isDirect || connection.session.isClosed) return;
    const params = JSON.stringify(revision.writeTask(toTaskView(record, revision)));
    sendRecorded(this.#ctx, encodeNotification("notifications/tasks/status", params));
  }

  #stopInvocation(reason: string): void {
    this.release();
    this.#ctx.cancel(reason);
  }
}
