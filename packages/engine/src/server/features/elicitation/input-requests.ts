import { streamRequired, truncate } from "../../../jsonrpc/errors.js";
import {
  encodeId,
  encodeNotification,
  encodeRequest,
  isObject,
  type Json,
  type JsonObject,
  type RequestId,
} from "../../../jsonrpc/messages.js";
import { type InputRequest, type Outcome, ToolError } from "../../../protocol/outcome.js";
import type { RequestContext, TaskSink } from "../../request-context.js";
import { sendMessage, sizeError } from "../../respond.js";
import { monotonicNow } from "../../runtime.js";
import { cannotRequestError, requireClientSupport } from "./client-support.js";
import { InputRounds } from "./request-state.js";

/** A parsed response: its value, or what is wrong with it, as a sentence. */
export type ParsedResponse<Value> = { readonly value: Value } | { readonly issue: string };

/** Parses a response, synchronously if possible: an invalid response is then known before the handler continues. */
export type ResponseParser<Value> = (response: Json) => ParsedResponse<Value> | Promise<ParsedResponse<Value>>;

/** Space that a request needs besides its params. */
const ENVELOPE_BYTES = 300;

/**
 * The requests of one handler to the client. In revisions with a handshake each is a JSON-RPC request, and the handler waits
 * for the response. In stateless revisions the response came with the call, or the call ends with the requests, and the
 * client repeats it with the responses. A task sends them through its record, and waits.
 */
export class InputRequests {
  readonly #ctx: RequestContext;
  readonly #names = new Set<string>();
  readonly #wait: ClientWait;
  /** Undefined for revisions with a handshake. */
  readonly #rounds: InputRounds | undefined;

  /** Throws `RpcError` if the call carries invalid request state or responses. */
  constructor(ctx: RequestContext) {
    this.#ctx = ctx;
    this.#wait = new ClientWait(ctx);
    this.#rounds = ctx.revision.handshake ? undefined : new InputRounds(ctx);
  }

  /** Resolves with the parsed response. */
  async request<Value>(name: string, inputRequest: InputRequest, parse: ResponseParser<Value>): Promise<Value> {
    this.#claimName(name);
    requireClientSupport(this.#ctx, inputRequest);
    const rounds = this.#rounds;
    if (rounds === undefined) {
      const parsed = await parse(await this.#send(name, inputRequest));
      if ("value" in parsed) return parsed.value;
      throw new ToolError(parsed.issue, { code: "BAD_ANSWER" });
    }
    const response = rounds.takeResponse(name, inputRequest);
    if (response !== undefined) {
      const result = parse(response);
      const parsed = result instanceof Promise ? await result : result;
      if ("value" in parsed) return parsed.value;
    }
    // Read only now: the call may have become a task while the response was parsed.
    const { taskSink } = this.#ctx;
    // Added before anything is awaited: the handler may not wait for the response.
    if (taskSink === undefined) throw rounds.addPending(name, inputRequest);
    return this.#requestThroughTask(taskSink, name, inputRequest, parse);
  }

  /** Returns the value that an earlier round of the call computed under this name from the same basis, or computes it. */
  memoize(name: string, basis: Json, compute: () => Promise<JsonObject>): Promise<JsonObject> {
    // With a handshake the handler runs once, so there is nothing to remember.
    return this.#rounds === undefined ? compute() : this.#rounds.memoize(name, basis, compute);
  }

  /** The outcome of a round with pending requests; undefined if there are none. */
  inputRequired(): Outcome | undefined {
    return this.#rounds?.inputRequired();
  }

  /** The outcome of a run: pending requests if there are any, whatever the handler returned or threw. */
  toOutcome(orElse: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    return this.inputRequired() ?? orElse();
  }

  #claimName(name: string): void {
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
      throw new TypeError(
        `${JSON.stringify(name)} is not a valid name for an input request: use 1 to 64 characters of A-Z a-z 0-9 _ - .`,
      );
    if (this.#names.has(name)) throw new TypeError(`Two input requests of this call have the name "${name}"`);
    this.#names.add(name);
  }

  /** Repeats a request whose response is invalid. */
  async #requestThroughTask<Value>(
    taskSink: TaskSink,
    name: string,
    inputRequest: InputRequest,
    parse: ResponseParser<Value>,
  ): Promise<Value> {
    const { messageBytes, inputRounds } = this.#ctx.state.settings.limits;
    this.#requireSize(inputRequest, JSON.stringify(inputRequest.params), messageBytes / 2);
    let issue = "";
    for (let round = 0; round < inputRounds; round += 1) {
      const parsed = await parse(await taskSink.request(name, inputRequest));
      if ("value" in parsed) return parsed.value;
      issue = parsed.issue;
    }
    throw new ToolError(issue, { code: "BAD_ANSWER", details: { limit: "inputRounds" } });
  }

  /** Sends a JSON-RPC request and resolves with its result. */
  #send(name: string, inputRequest: InputRequest): Promise<Json> {
    const ctx = this.#ctx;
    const { session, headerValidation } = ctx.connection;
    const params = this.#encodeParams(name, inputRequest);
    const encodedParams = JSON.stringify(params);
    this.#requireSize(inputRequest, encodedParams, ctx.state.settings.limits.messageBytes - ENVELOPE_BYTES);
    if (ctx.isDone || session.isClosed) throw noResponseError("the call has ended");
    if (headerValidation?.acceptsStream === false && !session.isReachable && ctx.taskSink === undefined)
      throw streamRequired(ctx.request.method);
    if (typeof params["elicitationId"] === "string") session.addElicitation(params["elicitationId"]);
    let id: RequestId;
    return this.#wait.start({
      send: (pending) => {
        id = session.addPendingRequest({
          onResponse: ({ result, error }) =>
            error === undefined ? pending.resolve(result as Json) : settleErrorResponse(inputRequest, error, pending),
          onAbandoned: (reason) => pending.reject(noResponseError(reason)),
        });
        ctx.send(encodeRequest(id, inputRequest.method, encodedParams));
      },
      onSettled: () => session.removePendingRequest(id),
      onAbandoned: (reason) => {
        const cancelled = `{"requestId":${encodeId(id)},"reason":${JSON.stringify(reason)}}`;
        sendMessage(ctx, encodeNotification("notifications/cancelled", cancelled));
      },
    });
  }

  #encodeParams(name: string, inputRequest: InputRequest): JsonObject {
    try {
      return { ...this.#ctx.revision.writeInputRequest(inputRequest), _meta: { "toolwright/inputRequest": name } };
    } catch (cause) {
      throw cannotRequestError(this.#ctx, inputRequest, (cause as Error).message);
    }
  }

  #requireSize(inputRequest: InputRequest, encodedParams: string, maxBytes: number): void {
    if (sizeError(encodedParams, maxBytes) !== undefined)
      throw cannotRequestError(this.#ctx, inputRequest, "the request is too large");
  }
}

/** Code -1 means that the user declined, which is a valid response to an elicitation. Other errors reject the request. */
function settleErrorResponse({ method }: InputRequest, error: Json, { resolve, reject }: PendingResponse): void {
  const { code, message } = isObject(error) ? error : {};
  const reason = typeof message === "string" ? truncate(message, 1000) : "no reason given";
  if (code !== -1) reject(new ToolError(`The client rejected ${method}: ${reason}`, { code: "CANNOT_ASK" }));
  else if (method === "elicitation/create") resolve({ action: "decline" });
  else reject(new ToolError(`The user declined ${method}: ${reason}`, { code: "DECLINED" }));
}

/** The input requests of a call, created on first use: few handlers send any. */
export const inputRequestsOf = (ctx: RequestContext): InputRequests => (ctx.input ??= new InputRequests(ctx));

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
function noResponseError(reason: string, details: JsonObject = {}): ToolError {
  return new ToolError(`The input request failed: ${reason}.`, { code: "NO_ANSWER", details });
}
