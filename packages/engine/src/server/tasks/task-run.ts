import { encodeNotification } from "../../jsonrpc/codec.js";
import { internalError, type RpcError } from "../../jsonrpc/errors.js";
import type { Json, JsonObject } from "../../jsonrpc/json.js";
import type { Outcome, Question, TaskStatus, ToolResult } from "../../protocol/outcome.js";
import { RELATED_TASK_KEY } from "../../revisions/meta-keys.js";
import { sendOver } from "../answer.js";
import { sizeFault } from "../answer-size.js";
import { LONGEST_WAIT_MS } from "../limits.js";
import type { Settings } from "../settings.js";
import { failureResult } from "../tool-result.js";
import type { Afterlife } from "../work.js";
import type { TaskBoard, TaskRunner } from "./board.js";
import type { TaskCall } from "./desk.js";
import { asking, ended, type TaskEnd } from "./states.js";
import { interruptedTask, isFinalTask, type TaskRecord, taskExpiry } from "./store.js";
import { TaskQuestions } from "./task-questions.js";
import { viewOf } from "./view.js";

/** What an answer has besides the result: the rest of the task, the envelope, and who the server is. */
const ENVELOPE_BYTES = 2048;

/** A call that goes on as a task: brings what comes of it into the store, and what is told of the task to the call. */
export class TaskRun implements Afterlife, TaskRunner {
  readonly #call: TaskCall;
  readonly #settings: Settings;
  readonly #board: TaskBoard;
  readonly #id: string;
  readonly #questions: TaskQuestions;
  readonly #expiry: NodeJS.Timeout;
  #status: TaskStatus;
  #last: Promise<unknown> = Promise.resolve();

  constructor(call: TaskCall, record: TaskRecord, settings: Settings, board: TaskBoard) {
    this.#call = call;
    this.#settings = settings;
    this.#board = board;
    this.#id = record.id;
    this.#status = record.status;
    this.#questions = new TaskQuestions(call, settings.limits, (to) => this.#change(to));
    const wait = Math.min(taskExpiry(record) - Date.now(), LONGEST_WAIT_MS);
    // The store forgets it by itself, unless the clock was set back.
    this.#expiry = setTimeout(() => void this.stop("The task was kept for as long as it was to be."), wait).unref();
    board.runs.set(record.id, this);
  }

  /** Where the client decides what becomes a task, it hears of it and is asked directly; else it polls for everything. */
  get isHeard(): boolean {
    return this.#call.revision.taskChoice === "client";
  }

  ask(name: string, question: Question): Promise<Json> {
    return this.#questions.ask(name, question);
  }

  waits(isWaiting: boolean): void {
    if (this.isHeard) void this.#change((record) => asking(record, isWaiting, Date.now()));
  }

  settle(outcome: Outcome): void {
    if (outcome.kind === "tool") void this.#end({ result: this.#bounded(outcome.result) });
    else this.refuse(internalError(`A task cannot come to an outcome of the kind ${outcome.kind}`));
  }

  refuse(error: RpcError): void {
    void this.#end({ error: plainError(error) });
  }

  /** Everything that the call tells is tied to the task. */
  send(message: string): void {
    const { link } = this.#call;
    if (!this.isHeard || link.session.isClosed) return;
    const { params, ...rest } = JSON.parse(message) as { params?: JsonObject };
    const _meta = { ...(params?.["_meta"] as JsonObject | undefined), [RELATED_TASK_KEY]: { taskId: this.#id } };
    sendOver(this.#call, JSON.stringify({ ...rest, params: { ...params, _meta } }));
  }

  hear(record: TaskRecord): void {
    this.#questions.take(record);
    if (record.status !== this.#status) this.#tell(record);
    if (isFinalTask(record)) this.#leave(record.message ?? "the task has ended");
  }

  async stop(reason: string): Promise<void> {
    this.#call.cancel(reason);
    await this.#interrupt(reason);
    this.#leave(reason);
  }

  /** What happens to one task happens in order, whatever its store takes for it. */
  #change(to: (now: TaskRecord) => TaskRecord): Promise<TaskRecord | undefined> {
    const next = this.#last.then(() => this.#board.change(this.#id, to)).then((change) => change?.record);
    this.#last = next.catch((error: unknown) =>
      this.#settings.log({ level: "error", message: `task ${this.#id} could not be changed in its store`, error }),
    );
    return next;
  }

  async #end(end: TaskEnd): Promise<void> {
    try {
      const record = await this.#change((now) => ended(now, end, Date.now()));
      // It may have been final before, and whoever made it so is still about to tell.
      if (record !== undefined) this.hear(record);
    } catch {
      await this.#interrupt("The tool has ended, but what came of it could not be kept; the server's log says why.");
    }
    this.#leave("the task has ended");
  }

  /** The change is logged where it fails: nobody is left to be told. */
  async #interrupt(reason: string): Promise<void> {
    await this.#change((record) => interruptedTask(record, reason, Date.now())).catch(() => undefined);
  }

  /** A result that could never leave is none. */
  #bounded(result: ToolResult): ToolResult {
    const { messageBytes } = this.#settings.limits;
    const written = this.#call.revision.writeResult({ kind: "tool", result }, "");
    const fault = sizeFault(written, Math.max(messageBytes - ENVELOPE_BYTES, messageBytes / 2));
    if (fault === undefined) return result;
    return failureResult(fault.message, { code: "RESULT_TOO_LARGE", ...fault.details }, true);
  }

  #tell(record: TaskRecord): void {
    this.#status = record.status;
    const { link, revision } = this.#call;
    if (!this.isHeard || link.session.isClosed) return;
    const params = JSON.stringify(revision.writeTask(viewOf(record, revision)));
    sendOver(this.#call, encodeNotification("notifications/tasks/status", params));
  }

  /** The call goes on without the task. */
  dismiss(): void {
    clearTimeout(this.#expiry);
    this.#board.runs.delete(this.#id);
  }

  #leave(reason: string): void {
    this.dismiss();
    this.#call.cancel(reason);
  }
}

/** An error as it can be kept: JSON and nothing else. */
function plainError({ code, message, data }: RpcError): NonNullable<TaskRecord["error"]> {
  try {
    return JSON.parse(JSON.stringify({ code, message, data })) as NonNullable<TaskRecord["error"]>;
  } catch {
    return { code, message };
  }
}
