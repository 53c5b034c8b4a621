import { readTraceContext, type TraceContext } from "../protocol/request-meta.js";
import { type Caller, isLogLevel, LOG_LEVELS } from "../protocol/types.js";
import { getMeta } from "../revisions/revision.js";
import type { InferInput } from "../schema/schema.js";
import type { Call, HttpContext, Root } from "./call.js";
import { supportsClientFeature } from "./features/elicitation/client-support.js";
import { elicitForm, elicitUrl, listRoots } from "./features/elicitation/elicit.js";
import { createMessage } from "./features/sampling.js";
import { TokenBucket } from "./limits/quota.js";
import { encodeLogMessage, isWanted } from "./logging/client-log.js";
import { progressTokenOf, sendProgress } from "./progress.js";
import type { RequestContext } from "./request-context.js";

/** The `call` that handlers receive. Costly members are created on first use. */
export class CallView implements Call {
  readonly #ctx: RequestContext;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #bucket: TokenBucket | undefined;
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
    return (value, message, total) => {
      const ctx = this.#ctx;
      if (ctx.isDone || !(Number.isFinite(value) && value > this.#lastProgress)) return;
      this.#lastProgress = value;
      ctx.resetTimeout();
      const token = progressTokenOf(ctx);
      if (token !== undefined && this.#mayNotify()) sendProgress(ctx, token, value, message, total);
    };
  }

  get log(): Call["log"] {
    return (level, data, logger) => {
      if (!isLogLevel(level))
        throw new TypeError(`Unknown log level "${String(level)}"; use one of ${LOG_LEVELS.join(", ")}`);
      const { state, revision, connection, caller } = this.#ctx;
      const minLevel = revision.handshake ? connection.session.caller?.logLevel : caller.logLevel;
      if (!state.settings.features.has("logging") || !isWanted(level, minLevel) || !this.#mayNotify()) return;
      this.#ctx.send(encodeLogMessage(state, level, data, typeof logger === "string" ? logger : undefined));
    };
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

  /** Allows a burst of messages each second, so that a tool in a tight loop cannot flood the client. */
  #mayNotify(): boolean {
    const { connection, state } = this.#ctx;
    if (connection.isBackpressured === true) return false;
    const { notificationBurst } = state.settings.limits;
    this.#bucket ??= new TokenBucket({ burst: notificationBurst, perSecond: notificationBurst });
    return this.#bucket.tryTake();
  }
}

/** Pending input requests decide the outcome, so a rejection that the handler ignores must not end the process. */
function ignoreUnhandled<Value>(response: Promise<Value>): Promise<Value> {
  response.catch(() => undefined);
  return response;
}
