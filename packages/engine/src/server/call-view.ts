import { encodeNotification, type RequestId } from "../jsonrpc/messages.js";
import { readTraceContext, type TraceContext } from "../protocol/request-meta.js";
import { type Caller, isLogLevel, LOG_LEVELS, type LogLevel } from "../protocol/types.js";
import { getMeta } from "../revisions/revision.js";
import type { InferInput } from "../schema/schema.js";
import type { Call, HttpContext, Root } from "./call.js";
import { supportsClientFeature } from "./features/elicitation/client-support.js";
import { elicitForm, elicitUrl, listRoots } from "./features/elicitation/elicit.js";
import { createMessage } from "./features/sampling.js";
import { progressTokenOf, sendProgress } from "./progress.js";
import type { RequestContext } from "./request-context.js";
import { monotonicNow } from "./runtime.js";

/** The `call` that handlers receive. Costly members are created on first use. */
export class CallView implements Call {
  readonly #ctx: RequestContext;
  #notifications: CallNotifications | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  constructor(ctx: RequestContext) {
    this.#ctx = ctx;
  }

  get caller(): Caller {
    return this.#ctx.caller;
  }

  get principal(): string | undefined {
    return this.#ctx.principal;
  }

  get scopes(): ReadonlySet<string> | undefined {
    return this.#ctx.connection.scopes;
  }

  get http(): HttpContext | undefined {
    const { headers } = this.#ctx.connection;
    return headers && { headers };
  }

  get signal(): AbortSignal {
    return this.#ctx.signal;
  }

  get trace(): TraceContext | undefined {
    return readTraceContext(getMeta(this.#ctx.request));
  }

  // Authors destructure methods, as in `run(input, { progress })`, so each is a function without `this`.

  get progress(): Call["progress"] {
    return (value, message, total) => this.#notify().progress(value, message, total);
  }

  get log(): Call["log"] {
    return (level, message, logger) => this.#notify().log(level, message, logger);
  }

  get supports(): Call["supports"] {
    return (feature) => supportsClientFeature(this.#ctx, feature);
  }

  get elicit(): Call["elicit"] {
    return (name, message, form) =>
      ignoreUnhandled(elicitForm(this.#ctx, { name, message, form })) as Promise<InferInput<typeof form> | undefined>;
  }

  get elicitUrl(): Call["elicitUrl"] {
    return (name, message, url, options) =>
      ignoreUnhandled(elicitUrl(this.#ctx, { name, message, url, id: options?.id }));
  }

  get sample(): Call["sample"] {
    return (name, request) => ignoreUnhandled(createMessage({ ctx: this.#ctx, call: this }, name, request));
  }

  get roots(): Call["roots"] {
    // Requested once per call, so that they do not change while the handler runs.
    return () => (this.#roots ??= ignoreUnhandled(listRoots(this.#ctx)));
  }

  #notify(): CallNotifications {
    this.#notifications ??= new CallNotifications(this.#ctx);
    return this.#notifications;
  }
}

/** Pending input requests decide the outcome, so a rejection that the handler ignores must not end the process. */
function ignoreUnhandled<Value>(response: Promise<Value>): Promise<Value> {
  response.catch(() => undefined);
  return response;
}

/** Sends the progress and log notifications of one call, within a rate limit. */
class CallNotifications {
  readonly #ctx: RequestContext;
  readonly #progressToken: RequestId | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #windowStart = 0;
  #sentInWindow = 0;

  constructor(ctx: RequestContext) {
    this.#ctx = ctx;
    this.#progressToken = progressTokenOf(ctx);
  }

  progress(value: number, message: string | undefined, total: number | undefined): void {
    const ctx = this.#ctx;
    if (ctx.isDone || !(Number.isFinite(value) && value > this.#lastProgress)) return;
    this.#lastProgress = value;
    ctx.resetTimeout();
    if (this.#progressToken === undefined || !this.#takeBurstSlot()) return;
    sendProgress(ctx, this.#progressToken, value, message, total);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (!isLogLevel(level))
      throw new TypeError(`Unknown log level "${String(level)}"; use one of ${LOG_LEVELS.join(", ")}`);
    const { state, revision, connection, caller } = this.#ctx;
    const minLevel = revision.handshake ? connection.session.caller?.logLevel : caller.logLevel;
    if (minLevel === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(minLevel) || !this.#takeBurstSlot())
      return;
    const name = typeof logger !== "string" ? "" : `"logger":${JSON.stringify(logger)},`;
    const params = `{"level":"${level}",${name}"data":${state.settings.redaction.json(data)}}`;
    this.#ctx.send(encodeNotification("notifications/message", params));
  }

  /** Allows a burst of messages each second, so that a tool in a tight loop cannot flood the client. */
  #takeBurstSlot(): boolean {
    if (this.#ctx.connection.isBackpressured === true) return false;
    const now = monotonicNow();
    if (now - this.#windowStart > 1000) {
      this.#windowStart = now;
      this.#sentInWindow = 0;
    }
    this.#sentInWindow += 1;
    return this.#sentInWindow <= this.#ctx.state.settings.limits.notificationBurst;
  }
}
