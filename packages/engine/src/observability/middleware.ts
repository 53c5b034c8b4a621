import { internalError, RpcError } from "../jsonrpc/errors.js";
import { type Outcome, ToolError } from "../protocol/outcome.js";
import { atCaller, rejectUnknownOptions } from "../server/definitions/validation.js";
import { getErrorCode } from "../server/features/tool-result.js";
import type { CallOutcome } from "../server/limits/metrics.js";
import type { Middleware, MiddlewareHost } from "../server/middleware.js";
import type { OpenTelemetryApi } from "./opentelemetry.js";

/** Middleware that is created when its server starts. `load` returns false if there is nothing to do. */
export function createLazyMiddleware(
  name: string,
  load: (host: MiddlewareHost) => Promise<Middleware | false>,
): Middleware {
  let opened: Middleware | undefined;
  const middleware: Middleware = (request, next) => {
    if (opened === undefined) throw new Error(`Cannot serve: ${name} is not open; call start() of the server first`);
    return opened(request, next);
  };
  middleware.open = async (host) => {
    if (opened !== undefined) throw new Error(`Cannot open ${name} twice: create one for each server`);
    const loaded = await load(host);
    if (loaded === false) return false;
    opened = loaded;
    return undefined;
  };
  middleware.close = () => opened?.close?.();
  return middleware;
}

/** How a request ended, as seen by middleware. */
export interface RequestOutcome {
  readonly outcome: CallOutcome;
  /** The code of a tool error or of a JSON-RPC error. */
  readonly code?: string | undefined;
  /** The message of a JSON-RPC error, or the reason of a cancellation. Messages of tools are for the model only. */
  readonly message?: string;
}

/** Runs a request, and calls `onEnd` with its outcome before the result or error is passed on. */
export async function observeOutcome(
  method: string,
  next: () => Outcome | Promise<Outcome>,
  onEnd: (ended: RequestOutcome, outcome?: Outcome) => void | Promise<void>,
): Promise<Outcome> {
  let outcome: Outcome;
  try {
    outcome = await next();
  } catch (error) {
    await onEnd(outcomeOfError(error, method));
    throw error;
  }
  await onEnd(outcomeOfResult(outcome), outcome);
  return outcome;
}

function outcomeOfResult(outcome: Outcome): RequestOutcome {
  if (outcome.kind === "input_required") return { outcome: "ok", code: "INPUT_REQUIRED" };
  if (outcome.kind !== "tool" || !outcome.result.isError) return { outcome: "ok" };
  return { outcome: "failed", code: getErrorCode(outcome.result) };
}

function outcomeOfError(error: unknown, method: string): RequestOutcome {
  if (error instanceof RpcError) return { outcome: "refused", code: String(error.code), message: error.message };
  if (error instanceof ToolError && method === "tools/call") return { outcome: "failed", code: error.code };
  if (error instanceof DOMException && error.name === "AbortError")
    return { outcome: "cancelled", message: error.message };
  return { outcome: "refused", code: String(internalError("").code) };
}

/** Where every copy of the package stores what was registered. */
const GLOBAL_API_KEY = Symbol.for("opentelemetry.js.api.1");

/** Returns what is registered in this process; undefined if nobody collects spans or metrics. */
function findOpenTelemetryApi(): OpenTelemetryApi | undefined {
  const api = (globalThis as { readonly [GLOBAL_API_KEY]?: OpenTelemetryApi })[GLOBAL_API_KEY];
  return api?.trace === undefined && api?.metrics === undefined ? undefined : api;
}

/** Options of `telemetry`. */
export interface TelemetryOptions {
  /** Adds arguments and results of tools to spans, with secrets redacted; false by default. */
  readonly recordContent?: boolean;
}

const telemetryMiddleware = new WeakSet<Middleware>();

/** Whether a middleware was created with `telemetry`. */
export const isTelemetry = (middleware: Middleware): boolean => telemetryMiddleware.has(middleware);

/**
 * Middleware that traces and measures each request with the OpenTelemetry API that the process has loaded. Every server has it,
 * unless its options say `telemetry: false`; use this function to set options.
 *
 * @example
 * ```ts
 * import { telemetry } from "@toolwright/engine/observability";
 *
 * createServer({ name: "weather", version: "1.0.0", tools, middleware: [telemetry({ recordContent: true })] });
 * ```
 */
export function telemetry(options: TelemetryOptions = {}): Middleware {
  atCaller(telemetry, () => rejectUnknownOptions("open telemetry", options, { recordContent: true }));
  const middleware = createLazyMiddleware("telemetry", async (host) => {
    const api = findOpenTelemetryApi();
    if (api === undefined) return false;
    const { createTelemetryMiddleware } = await import("./opentelemetry.js");
    return createTelemetryMiddleware(api, options, host);
  });
  telemetryMiddleware.add(middleware);
  return middleware;
}
