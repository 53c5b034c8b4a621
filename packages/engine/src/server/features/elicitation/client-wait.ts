import type { Json, JsonObject } from "../../../jsonrpc/messages.js";
import { ToolError } from "../../../protocol/outcome.js";
import type { RequestContext } from "../../request-context.js";
import { monotonicNow } from "../../runtime.js";

/** A request to the client that has no response yet. Only the first call of these functions has an effect. */
export interface PendingResponse {
  readonly resolve: (response: Json) => void;
  readonly reject: (error: Error) => void;
  /** Stops waiting: the handler gets an error with this reason. */
  readonly abandon: (reason: string, details?: JsonObject) => void;
}

interface WaitOptions {
  /** Sends the request. */
  readonly send: (pending: PendingResponse) => void;
  /** Called when the wait is over, whatever its outcome. */
  readonly onSettled: () => void;
  /** Called when nobody waits for the response any more. */
  readonly onAbandoned: (reason: string) => void;
}

/** Waits for responses of the client. The time that the client takes does not count towards the timeouts of the call. */
export class ClientWait {
  readonly #ctx: RequestContext;
  #pendingCount = 0;
  #startedAt = 0;

  constructor(ctx: RequestContext) {
    this.#ctx = ctx;
  }

  /** Waits until the response arrives, the timeout expires or the call ends. */
  start({ send, onSettled, onAbandoned }: WaitOptions): Promise<Json> {
    const { inputTimeoutMs } = this.#ctx.state.settings.limits;
    return new Promise<Json>((resolve, reject) => {
      let isSettled = false;
      const settle = (finish: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        removeListener();
        onSettled();
        this.#end();
        finish();
      };
      const abandon = (reason: string, details?: JsonObject): void => {
        if (isSettled) return;
        onAbandoned(reason);
        settle(() => reject(noResponseError(reason, details)));
      };
      const timer = setTimeout(
        () => abandon(`no response within ${inputTimeoutMs} ms`, { limit: "inputTimeoutMs" }),
        inputTimeoutMs,
      ).unref();
      const removeListener = this.#ctx.onEnd(() =>
        abandon(this.#ctx.taskSink?.isDirect === false ? "the task is over" : "the call is over"),
      );
      this.#begin();
      send({
        resolve: (response) => settle(() => resolve(response)),
        reject: (error) => settle(() => reject(error)),
        abandon,
      });
    });
  }

  #begin(): void {
    if (this.#pendingCount === 0) this.#startedAt = monotonicNow();
    this.#pendingCount += 1;
    this.#ctx.setWaitingForClient(true);
  }

  #end(): void {
    this.#pendingCount -= 1;
    if (this.#pendingCount > 0) return;
    this.#ctx.setWaitingForClient(false);
    this.#ctx.startedAt += monotonicNow() - this.#startedAt;
    this.#ctx.resetTimeout();
  }
}

/** The error of a handler whose request to the client has no response. */
export function noResponseError(reason: string, details: JsonObject = {}): ToolError {
  return new ToolError(`The input request failed: ${reason}.`, { code: "NO_ANSWER", details });
}
