import { internalError, RpcError } from "../../jsonrpc/errors.js";
import { type Outcome, ToolError, toErrorData, toModelMessage } from "../../protocol/outcome.js";
import type { Call } from "../call.js";
import { CallView } from "../call-view.js";
import { redactError } from "../logging/redaction.js";
import { invoke } from "../pipeline.js";
import type { InvocationKind, RequestContext } from "../request-context.js";

/** How to run a prompt, a resource or a completion. */
interface Handler {
  readonly kind: InvocationKind;
  readonly name: string;
  /** Undefined: the timeout of the server applies. */
  readonly timeoutMs?: number | undefined;
  run(call: Call): unknown;
  /** Converts what the author returned into an outcome. Throws `TypeError` if it is invalid. */
  write(value: unknown): Outcome;
}

/** Runs a handler that is not a tool. Its errors are JSON-RPC errors, because no model sees them. */
export function invokeHandler(ctx: RequestContext, handler: Handler): Outcome | Promise<Outcome> {
  const { kind, name, timeoutMs = ctx.state.settings.limits.callTimeoutMs } = handler;
  return invoke(ctx, {
    kind,
    name,
    timeoutMs,
    start: () => handler.run(new CallView(ctx)),
    finish: (value) => handler.write(value),
    fail(error) {
      throw toRpcError(ctx, error);
    },
  });
}

function toRpcError({ state, id, kind, name }: RequestContext, thrown: unknown): RpcError {
  const { log, redaction } = state.settings;
  if (!(thrown instanceof RpcError || thrown instanceof ToolError)) {
    log({ level: "error", message: `${kind} "${name}" failed`, requestId: id, error: thrown });
    return internalError(`The ${kind} failed unexpectedly: the details are in the server's log`);
  }
  const error = redactError(redaction, thrown);
  return error instanceof RpcError ? error : internalError(toModelMessage(error), toErrorData(error));
}
