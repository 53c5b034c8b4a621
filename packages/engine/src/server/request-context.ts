import type { RpcError } from "../jsonrpc/errors.js";
import type { Json, JsonRpcRequest, RequestId } from "../jsonrpc/messages.js";
import type { InputRequest, Outcome, ToolError } from "../protocol/outcome.js";
import type { Caller } from "../protocol/types.js";
import type { Revision } from "../revisions/revision.js";
import type { Connection } from "./connection.js";
import type { InputRequests } from "./features/elicitation/input-requests.js";
import type { QueuedCall } from "./limits/fair-queue.js";
import type { Client } from "./limits/limiter.js";
import type { CallOutcome } from "./limits/metrics.js";
import type { Quota } from "./limits/quota.js";
import { logRejectionToClient } from "./logging/client-log.js";
import { startHeartbeat } from "./progress.js";
import type { RegistryView } from "./registry.js";
import { deliver, respondNothing, respondWithError, sendMessage } from "./respond.js";
import { monotonicNow } from "./runtime.js";
import type { ServerState } from "./state.js";

/** The kinds of author code that a request can run. */
export type InvocationKind = "tool" | "prompt" | "resource" | "completion";

/** One run of author code: `start` calls it, `finish` and `fail` turn what it returned or threw into an outcome. */
export interface Invocation {
  readonly kind: InvocationKind;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly timeoutMs: number;
  /** The limits of the tool; undefined for everything else. */
  readonly quota?: Quota;
  start(): unknown;
  /** Called when the handler is still running at the end of the event-loop turn in which the request arrived. */
  onLongRunning?(): void;
  finish(value: unknown): Outcome | Promise<Outcome>;
  /** Turns an error into an outcome, or throws the `RpcError` to respond with. */
  fail(error: unknown): Outcome | Promise<Outcome>;
}

/** Receives the outcome of a call that was answered with a task. */
export interface TaskSink {
  /** Stores the outcome. Throws, and stores nothing, if the outcome cannot be encoded. */
  complete(outcome: Outcome): void;
  fail(error: RpcError): void;
  /** Forwards a notification of the running call. */
  send(message: string): void;
  /** True if notifications and input requests go directly to the client, false if they go through the task. */
  readonly isDirect: boolean;
  /** Sends an input request through the task and resolves with the raw response. */
  request(name: string, inputRequest: InputRequest): Promise<Json>;
  /** Reports whether the call is waiting for a response of the client. */
  setWaitingForClient(isWaiting: boolean): void;
}

/** The reason with which the signal of a cancelled request is aborted. */
export const abortError = (reason: string): DOMException => new DOMException(reason, "AbortError");

/**
 * One request inside the engine, from the decoded message to the response. It is created by `dispatch`, passes
 * through `pipeline` and ends in `respond`. This is the only mutable object of a request.
 */
export class RequestContext {
  readonly state: ServerState;
  readonly connection: Connection;
  readonly revision: Revision;
  readonly request: JsonRpcRequest;
  readonly caller: Caller;
  /** The author code that this request runs; undefined for methods without any. */
  invocation: Invocation | undefined;
  /** Copied from the invocation. */
  kind: InvocationKind = "tool";
  name = "";
  /** The quota of the tool; undefined for everything that is not a tool. */
  quota: Quota | undefined;
  /** The input requests of the handler; undefined if it made none. */
  input: InputRequests | undefined;
  /** The client called a tool by a method of its name, and expects its structured content alone. */
  isDirect = false;
  /** Whether the response was sent, or none will be. Only `end` sets it. */
  isDone = false;
  /** Whether the request outlived the event-loop turn in which it arrived. */
  isLongRunning = false;
  /** Set when the request was answered with a task and the call continues. */
  taskSink: TaskSink | undefined;
  /** Returns the outcome of a request that lasts until it is concluded, such as a subscription; undefined for all others. */
  concludingOutcome: (() => Outcome) | undefined;
  /** How the request ended; known when it leaves the limiter. */
  outcome: CallOutcome = "ok";
  /** The error that the request failed with, if any. */
  failure: unknown;
  /** Why the request was aborted; undefined if it was not. */
  abortReason: Error | undefined;
  /** It was logged that the request is rejected. */
  isRejected = false;
  /** An outcome of this request could not be encoded and was replaced by an error. */
  isUnencodable = false;
  // What follows is set by the limiter.
  /** The client whose call this is; undefined before the call enters the limiter. */
  client: Client | undefined;
  /** Set while the call waits in the queue. */
  queued: QueuedCall | undefined;
  /** Called when the call is admitted after it had to wait. */
  onAdmitted: (() => void) | undefined;
  /** How long the client waits from the moment the call is admitted; undefined = forever. */
  clientTimeoutMs: number | undefined;
  /** The call has entered the limiter and not left it. */
  isCounted = false;
  /** The call has been admitted: it may run. */
  isAdmitted = false;
  /** When the call was received. */
  acceptedAt = 0;
  /** When the call was found to take longer than a turn, shifted by the time spent waiting for the client; 0 = not yet. */
  startedAt = 0;
  /** When the call times out. Extended by progress and by responses of the client. */
  deadline = 0;
  /** The call waits for a response of the client, which does not count towards its timeouts. */
  isWaitingForClient = false;
  /** When progress was last sent; 0 = never. */
  lastProgressAt = 0;
  /** The value that was last sent; undefined = none. */
  lastProgress: number | undefined;
  #isActive = false;
  #controller: AbortController | undefined;
  #abortListener: ((reason: Error) => void) | undefined;
  #concludeListener: ((outcome: Outcome) => void) | undefined;
  #conclusion: Outcome | undefined;
  #endListeners: Set<() => void> | undefined;

  constructor(state: ServerState, connection: Connection, revision: Revision, request: JsonRpcRequest, caller: Caller) {
    this.state = state;
    this.connection = connection;
    this.revision = revision;
    this.request = request;
    this.caller = caller;
  }

  get id(): RequestId {
    return this.request.id;
  }

  get principal(): string | undefined {
    return this.connection.principal;
  }

  /** How long the call may run without progress. */
  get timeoutMs(): number {
    const { taskTotalMs, callTimeoutMaxMs } = this.state.settings.limits;
    if (this.taskSink !== undefined) return taskTotalMs;
    return this.invocation === undefined
      ? Number.POSITIVE_INFINITY
      : Math.min(this.invocation.timeoutMs, callTimeoutMaxMs);
  }

  /** The limit of the total duration, regardless of progress. */
  get totalLimitName(): "callTotalMs" | "taskTotalMs" {
    return this.taskSink === undefined ? "callTotalMs" : "taskTotalMs";
  }

  /** Aborted on cancellation, timeout, disconnection and shutdown. Created on first use: most tools never read it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.abortReason !== undefined) this.#controller.abort(toAbortError(this.abortReason));
    }
    return this.#controller.signal;
  }

  /** Logs that the request is rejected. */
  logRejection(reason: string): void {
    const { method, id: requestId } = this.request;
    this.state.rejections.add({ reason, method, requestId, tool: calledTool(this), principal: this.principal });
    // A call that has ended has been reported.
    if (!this.isDone) logRejectionToClient(this.state, this.connection, { reason, method, requestId });
    this.isRejected = true;
  }

  throwIfAborted(): void {
    if (this.abortReason !== undefined) throw this.abortReason;
  }

  /** Registers the one listener that `pipeline` races the method with. */
  onAbort(listener: (reason: Error) => void): void {
    if (this.abortReason === undefined) this.#abortListener = listener;
    else listener(this.abortReason);
  }

  /** Registers the one listener that ends the race of `pipeline` with the concluding outcome. */
  onConclude(listener: (outcome: Outcome) => void): void {
    this.#concludeListener = listener;
    if (this.#conclusion !== undefined) listener(this.#conclusion);
  }

  /** Ends a request that would otherwise last forever; has no effect on any other. */
  conclude(): void {
    if (this.isDone || this.#conclusion !== undefined || this.concludingOutcome === undefined) return;
    this.#conclusion = this.concludingOutcome();
    this.#concludeListener?.(this.#conclusion);
  }

  /** Calls a listener when the request ends; the returned function removes it. */
  onEnd(listener: () => void): () => void {
    const listeners = (this.#endListeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Aborts the signal and rejects what `pipeline` is waiting for. The response is up to the caller of this method. */
  abort(reason: Error): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.#controller?.abort(toAbortError(reason));
    this.#abortListener?.(reason);
  }

  /** Aborts a call that exceeded a limit. The error becomes the outcome of the invocation. */
  stop(error: ToolError): void {
    if (!this.isDone) this.abort(error);
  }

  /** Aborts the request and responds with this error at once, without waiting for middleware. */
  abortWith(error: RpcError): void {
    if (this.isDone) return;
    this.abort(error);
    respondWithError(this, error);
  }

  /** Aborts the request without a response: the client cancelled it or is gone. */
  cancel(reason: string): void {
    if (this.isDone) return;
    this.outcome = "cancelled";
    this.end();
    this.abort(abortError(reason));
    respondNothing(this);
  }

  /** Responds with a task now, while the call continues; its outcome goes to the sink. */
  continueAsTask(response: string, sink: TaskSink): void {
    if (this.#isActive) this.connection.session.active?.delete(this);
    this.#isActive = false;
    this.taskSink = sink;
    deliver(this, response);
    this.resetTimeout();
    if (!this.isLongRunning) this.#becomeLongRunning();
  }

  setWaitingForClient(isWaiting: boolean): void {
    this.isWaitingForClient = isWaiting;
    this.taskSink?.setWaitingForClient(isWaiting);
  }

  /** Sends a message that belongs to this request. Nothing is sent after the response. */
  send(message: string): void {
    if (!this.isDone) sendMessage(this, message);
  }

  /** Restarts the timeout after a sign of progress. */
  resetTimeout(): void {
    this.deadline = monotonicNow() + this.timeoutMs;
  }

  /** Makes the request known by its id, so that it can be cancelled. Most are answered at once and never are. */
  markActive(): void {
    if (this.#isActive || this.isDone || this.taskSink !== undefined) return;
    this.#isActive = true;
    this.connection.session.addActive(this);
  }

  onLongRunning(): void {
    this.connection.session.register();
    this.connection.onLongRunning?.();
    this.invocation?.onLongRunning?.();
    if (!this.isLongRunning) this.#becomeLongRunning();
  }

  /** Releases everything that the request holds. Called once, right before the response is sent. */
  end(): void {
    this.isDone = true;
    if (this.#isActive) this.connection.session.active?.delete(this);
    if (this.isCounted) this.state.limiter.leave(this);
    if (this.#endListeners === undefined) return;
    for (const listener of this.#endListeners) listener();
    this.#endListeners.clear();
  }

  #becomeLongRunning(): void {
    this.isLongRunning = true;
    if ((this.invocation ?? this.taskSink) !== undefined) startHeartbeat(this, this.state.settings.limits.heartbeatMs);
    if (this.isAdmitted) this.state.limiter.onPending(this);
  }
}

const toAbortError = (reason: Error): DOMException =>
  reason instanceof DOMException ? reason : abortError(reason.message);

/** The name of the tool that a request calls, however the client spells it; undefined if there is no such tool. */
export function calledTool({ state, request }: Pick<RequestContext, "state" | "request">): string | undefined {
  const name = request.params?.["name"];
  if (request.method !== "tools/call" || typeof name !== "string") return undefined;
  return state.registry.all.byName.get(name)?.tool.name;
}

/** What the client of a request can use: what the server offers, without what the headers of the request leave out. */
export const offeredTo = ({ state, connection }: Pick<RequestContext, "state" | "connection">): RegistryView =>
  connection.toolFilter === undefined ? state.registry : connection.toolFilter.apply(state.registry);
