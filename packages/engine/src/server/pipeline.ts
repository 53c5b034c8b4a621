import { RpcError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/messages.js";
import { NO_CACHE, type Outcome, ToolError, type ToolOutcome, toErrorData } from "../protocol/outcome.js";
import { readTraceContext } from "../protocol/request-meta.js";
import { getMeta } from "../revisions/revision.js";
import { jsonDetails, writeToolError } from "./compat/errors.js";
import { inputRequestsOf } from "./features/elicitation/input-requests.js";
import { errorResult } from "./features/tool-result.js";
import { redactError } from "./logging/redaction.js";
import type { Method } from "./method.js";
import type { Middleware, MiddlewareRequest } from "./middleware.js";
import { abortError, calledTool, type Invocation, type RequestContext } from "./request-context.js";
import { isThenable, respond, respondLater, respondWithError, toInternalError } from "./respond.js";

/**
 * Runs a request: middleware, then its method, then the response. Everything on the way returns an outcome or throws;
 * a synchronous method without middleware is answered before this function returns.
 */
export function runRequest(ctx: RequestContext, method: Method): void {
  const { middleware } = ctx.state;
  if (middleware !== undefined) return respondLater(ctx, runMiddleware(ctx, middleware, method));
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = runMethod(ctx, method);
  } catch (error) {
    return respondWithError(ctx, error);
  }
  if (!isThenable(outcome)) return respond(ctx, outcome);
  ctx.markActive();
  raceAbort(ctx, outcome, {
    resolve: (settled) => (isThenable(settled) ? respondLater(ctx, settled) : respond(ctx, settled)),
    reject: (error) => respondWithError(ctx, error),
  });
}

/** Runs author code within the limits. Called by methods; errors are handled in `runMethod`. */
export function invoke(ctx: RequestContext, invocation: Invocation): Outcome | Promise<Outcome> {
  ctx.invocation = invocation;
  ctx.kind = invocation.kind;
  ctx.name = invocation.name;
  ctx.quota = invocation.quota;
  if (ctx.isLongRunning) invocation.onLongRunning?.();
  if (ctx.state.limiter.enter(ctx)) return start(ctx, invocation);
  return new Promise<void>((resolve) => {
    ctx.onAdmitted = resolve;
  }).then(() => {
    ctx.throwIfAborted();
    return start(ctx, invocation);
  });
}

function start(ctx: RequestContext, invocation: Invocation): Outcome | Promise<Outcome> {
  const { params } = ctx.request;
  const carriesInput =
    !ctx.revision.handshake && params !== undefined && ("requestState" in params || "inputResponses" in params);
  // Verified even if the handler requests no input: a forged state must never pass unnoticed.
  if (carriesInput) inputRequestsOf(ctx);
  const value = invocation.start();
  if (!isThenable(value))
    return ctx.input === undefined ? invocation.finish(value) : ctx.input.toOutcome(() => invocation.finish(value));
  if (ctx.isLongRunning) ctx.state.limiter.onPending(ctx);
  return Promise.resolve(value).then((settled) => {
    ctx.throwIfAborted();
    // Open input requests decide the outcome, not what the handler returned or threw.
    return ctx.input === undefined ? invocation.finish(settled) : ctx.input.toOutcome(() => invocation.finish(settled));
  });
}

/** Runs the method itself. Errors of author code become outcomes. */
function runMethod(ctx: RequestContext, method: Method): Outcome | Promise<Outcome> {
  try {
    return method.handle(ctx);
  } catch (error) {
    return toFailure(ctx, error);
  }
}

/** What `raceAbort` calls, once. */
interface RaceCallbacks {
  readonly resolve: (outcome: Outcome | Promise<Outcome>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits for an outcome or its failure, or until the request is aborted or concluded. This is the one place where that is raced. It
 * takes callbacks because most calls of asynchronous tools would otherwise need two more promises.
 */
function raceAbort(ctx: RequestContext, outcome: Promise<Outcome>, { resolve, reject }: RaceCallbacks): void {
  let isSettled = false;
  const fail = (error: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    let failure: Outcome | Promise<Outcome>;
    try {
      failure = toFailure(ctx, error);
    } catch (cause) {
      return reject(cause);
    }
    resolve(failure);
  };
  const succeed = (settled: Outcome): void => {
    if (isSettled) return;
    isSettled = true;
    resolve(settled);
  };
  ctx.onAbort(fail);
  if (ctx.concludingOutcome !== undefined) ctx.onConclude(succeed);
  outcome.then(succeed, fail);
}

/** The outcome that the invocation has for an error, such as a tool result with `isError`. Throws every other error. */
function toFailure(ctx: RequestContext, error: unknown): Outcome | Promise<Outcome> {
  const { invocation } = ctx;
  // A cancelled request has no outcome; only a limit that stopped the call is reported by it.
  const isCancelled = error !== undefined && error === ctx.abortReason && !(error instanceof ToolError);
  if (ctx.isDone || isCancelled || invocation === undefined) throw error;
  ctx.failure = error;
  if (ctx.input === undefined || error instanceof RpcError) return invocation.fail(error);
  return ctx.input.toOutcome(() => invocation.fail(error));
}

/** Runs the middleware chain, outermost first, around the method. */
async function runMiddleware(ctx: RequestContext, middleware: readonly Middleware[], method: Method): Promise<Outcome> {
  const request = toMiddlewareRequest(ctx);
  let isMethodPending = false;
  const runInner = async (): Promise<Outcome> => {
    if (ctx.isDone) throw abortError("the request was cancelled");
    isMethodPending = true;
    try {
      const outcome = runMethod(ctx, method);
      const settled = isThenable(outcome)
        ? await new Promise<Outcome>((resolve, reject) => raceAbort(ctx, outcome, { resolve, reject }))
        : outcome;
      // A copy: middleware may change it, and lists are cached.
      return { ...settled };
    } finally {
      isMethodPending = false;
      if (ctx.isCounted) ctx.state.limiter.leave(ctx);
    }
  };
  const runFrom = async (index: number): Promise<Outcome> => {
    const current = middleware[index];
    if (current === undefined) return runInner();
    let inner: Promise<Outcome> | undefined;
    let innerOutcome: Outcome | undefined;
    let innerText: unknown;
    const outcome = await current(request, () => {
      if (inner) throw new Error("next() was called twice: a request is served once");
      inner = runFrom(index + 1);
      inner.then(
        (settled) => {
          innerOutcome = settled;
          innerText = encodedText(settled);
        },
        // Middleware that does not await next() must not cause an unhandled rejection.
        () => undefined,
      );
      return inner;
    });
    const isUnchanged = outcome !== undefined && outcome === innerOutcome && encodedText(outcome) === innerText;
    if (!isUnchanged && !ctx.isDone) requireOutcome(ctx, current, index, outcome);
    return outcome;
  };
  ctx.markActive();
  const initializing = ctx.request.method === "initialize" ? ctx.connection.session : undefined;
  if (initializing !== undefined) holdSession(ctx);
  try {
    return withCacheHint(ctx, await runFrom(0));
  } catch (error) {
    // A rejected handshake leaves nothing behind, even if it was negotiated inside.
    if (initializing !== undefined && !ctx.isDone) initializing.revision = undefined;
    return toMiddlewareFailure(ctx, error);
  } finally {
    // Middleware that does not wait for the method responds in its place.
    if (isMethodPending && !ctx.isDone) ctx.abort(abortError("middleware answered the request"));
  }
}

/** Messages after `initialize` wait until it is answered. */
function holdSession(ctx: RequestContext): void {
  const { session } = ctx.connection;
  session.handshake = new Promise<void>((resolve) => ctx.onEnd(resolve)).then(() => {
    session.handshake = undefined;
    return ctx.outcome === "cancelled";
  });
}

/** Checks that what middleware returned can be encoded. */
function requireOutcome(ctx: RequestContext, current: Middleware, index: number, outcome: Outcome): void {
  try {
    if (!isObject(JSON.parse(ctx.revision.writeResult(outcome, "")))) throw new TypeError("not an object");
  } catch (cause) {
    const message = `Middleware "${current.name || index}" must return an outcome, as next() does`;
    throw toInternalError(ctx, new Error(message, { cause }));
  }
}

/** Middleware may reject a tool call with a `ToolError`, which the model sees, before the tool has run. */
function toMiddlewareFailure(ctx: RequestContext, error: unknown): Outcome | Promise<Outcome> {
  if (ctx.invocation !== undefined) return toFailure(ctx, error);
  if (!(error instanceof ToolError || error instanceof RpcError)) throw error;
  const redacted = redactError(ctx.state.settings.redaction, error);
  if (!(redacted instanceof ToolError) || ctx.request.method !== "tools/call") throw redacted;
  ctx.failure = redacted;
  const entry = ctx.state.registry.tools.byName.get(ctx.request.params?.["name"] as string);
  const hasOutput = entry?.output !== undefined;
  const text = writeToolError(ctx.state.settings, ctx.revision, redacted, () => jsonDetails(redacted));
  return { kind: "tool", result: errorResult(text, toErrorData(redacted), hasOutput) };
}

/** Results that clients may cache must say for how long; what middleware made may not be cached. */
function withCacheHint({ request }: RequestContext, outcome: Outcome): Outcome {
  const isUnhinted = outcome.kind === "plain" && outcome.cache === undefined && !("ttlMs" in outcome.body);
  return isUnhinted && /(?:list|read|discover)$/.test(request.method) ? { ...outcome, cache: NO_CACHE } : outcome;
}

/** The encoded JSON that an outcome carries, if any. */
const encodedText = ({ result, body }: { kind: string; result?: ToolOutcome; body?: unknown }): unknown =>
  result ? result.structured : body;

/** What middleware sees of a request. Members that cost something are computed when they are read. */
function toMiddlewareRequest(ctx: RequestContext): MiddlewareRequest {
  const { request, connection } = ctx;
  const params = request.params ?? {};
  const name = calledTool(ctx) ?? params["name"] ?? params["uri"];
  return {
    id: request.id,
    method: request.method,
    name: typeof name === "string" ? name : undefined,
    params,
    caller: ctx.caller,
    principal: connection.principal,
    get signal() {
      return ctx.signal;
    },
    get trace() {
      return readTraceContext(getMeta(request));
    },
    revision: ctx.revision.version,
    transport: connection.transport ?? "other",
    sessionId: connection.sessionId,
  };
}
