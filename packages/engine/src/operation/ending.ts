import { internalError, RpcError } from "../jsonrpc/errors.js";
import { type Outcome, ToolError } from "../protocol/outcome.js";
import type { Ending } from "../server/meters/ending.js";
import { failureCode } from "../server/tool-result.js";

/** How a request ended, as a layer around it sees it. */
export interface Ended {
  readonly ending: Ending;
  /** The stable name of a failure, or the code of an error of the protocol. */
  readonly code: string | undefined;
  /** The message of an error of the protocol, or why it was cancelled; what a tool says is for the model alone. */
  readonly message: string | undefined;
}

/** How a request ended that came to an outcome. */
export function endingOf(outcome: Outcome): Ended {
  if (outcome.kind === "input_required") return { ending: "ok", code: "INPUT_REQUIRED", message: undefined };
  if (outcome.kind !== "tool" || !outcome.result.isError) return { ending: "ok", code: undefined, message: undefined };
  return { ending: "failed", code: failureCode(outcome.result), message: undefined };
}

/** How a request ended that came to none. */
export function endingOfFailure(error: unknown, method: string): Ended {
  if (error instanceof RpcError) return { ending: "refused", code: String(error.code), message: error.message };
  if (error instanceof ToolError && method === "tools/call")
    return { ending: "failed", code: error.code, message: undefined };
  if (error instanceof DOMException && error.name === "AbortError")
    return { ending: "cancelled", code: undefined, message: error.message };
  return { ending: "refused", code: String(internalError("").code), message: undefined };
}
