import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import type { InputRequestHandler, RequestOptions, SendOptions } from "./connection.js";
import { deferred, delay, startDeadline } from "./deadline.js";
import { ConnectionError, objectOrEmpty, ResponseError, stringOr } from "./errors.js";

/** Stops a server whose pages never end, even if every page has a new cursor. */
const LIST_LIMITS = { pages: 1000, entries: 100_000 };

/** Lists all pages. Entries that are not objects are left out. */
export async function listAll(
  request: (method: string, params: JsonObject) => Promise<JsonObject>,
  method: string,
  member: string,
): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  const cursors = new Set<Json>();
  for (let cursor: Json | undefined; ; ) {
    const page: JsonObject = await request(method, cursor === undefined ? {} : { cursor });
    const items = page[member];
    if (!Array.isArray(items)) throw new ConnectionError(`Invalid response to ${method}: "${member}" is not an array`);
    for (const item of items) if (isObject(item)) entries.push(item);
    cursor = page["nextCursor"] ?? undefined;
    if (cursor === undefined) return entries;
    if (cursors.has(cursor)) throw new ConnectionError(`Cannot list ${method}: the server repeated a cursor`);
    if (cursors.size === LIST_LIMITS.pages || entries.length >= LIST_LIMITS.entries)
      throw new ConnectionError(`Cannot list ${method}: more pages follow after ${entries.length} entries`);
    cursors.add(cursor);
  }
}

const MAX_INPUT_ROUNDS = 256;
const EMPTY_ROUND_DELAY_MS = 250;

/** Sends a request, and repeats it with the input that the server requires, until it is complete. */
export async function requestWithInput(
  request: (params: JsonObject) => Promise<JsonObject>,
  params: JsonObject,
  onInputRequest: InputRequestHandler,
  signal?: AbortSignal,
): Promise<JsonObject> {
  let result = await request(params);
  for (let rounds = 0; result["resultType"] === "input_required"; rounds += 1) {
    if (rounds === MAX_INPUT_ROUNDS)
      throw new Error(`Gave up after ${rounds} rounds: the server keeps requesting input`);
    const { inputRequests, requestState } = result;
    // A server that requests no input wants the client to retry later.
    if (!isObject(inputRequests)) await delay(EMPTY_ROUND_DELAY_MS, signal);
    const inputResponses = await resolveInputRequests(inputRequests, onInputRequest, signal);
    result = await request({ ...params, inputResponses, ...(requestState !== undefined && { requestState }) });
  }
  return result;
}

/** Returns the responses to all input requests of one round, by name. */
async function resolveInputRequests(
  inputRequests: Json | undefined,
  onInputRequest: InputRequestHandler,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  const responses = Object.entries(objectOrEmpty(inputRequests)).map(
    async ([name, inputRequest]): Promise<[string, JsonObject]> => {
      const { method, params } = objectOrEmpty(inputRequest);
      const response = await onInputRequest({ name, method: stringOr(method), params: objectOrEmpty(params), signal });
      if (response === undefined)
        throw new Error(`Cannot respond to the input request "${name}": no handler for ${stringOr(method, "it")}`);
      return [name, response];
    },
  );
  return Object.fromEntries(await startDeadline("", { signal }).race(Promise.all(responses)));
}

/** The state of a task. */
export interface TaskState {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string;
  readonly createdAt?: string;
  readonly lastUpdatedAt?: string;
}

/** What a request with several round trips needs from the client. */
export interface RoundTripContext {
  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject>;
  readonly onInputRequest: InputRequestHandler;
}

/** Options of a request that may become a task. */
interface TaskOptions extends RequestOptions {
  readonly onTask?: ((task: TaskState) => void) | undefined;
}

/** Sends a request and returns its final result, after all rounds of input and the end of the task that it may become. */
export async function requestToCompletion(
  context: RoundTripContext,
  method: string,
  params: JsonObject,
  options: TaskOptions = {},
): Promise<JsonObject> {
  const { promise: untilSettled, resolve: settle } = deferred<void>();
  const send = (round: JsonObject): Promise<JsonObject> => context.request(method, round, { ...options, untilSettled });
  try {
    const result = await requestWithInput(send, params, context.onInputRequest, options.signal);
    const isExtensionTask = method === "tools/call" && result["resultType"] === "task";
    const isCoreTask = params["task"] !== undefined && isObject(result["task"]);
    return isExtensionTask || isCoreTask ? await followTask(context, result, options) : result;
  } finally {
    settle();
  }
}

/**
 * Follows a task to its end, and returns the result of the call. A task of the core protocol, which the client requested, is a
 * member of the response; one of the extension, which the server created, is the response.
 */
async function followTask(context: RoundTripContext, created: JsonObject, options: TaskOptions): Promise<JsonObject> {
  const coreTask = isObject(created["task"]) ? created["task"] : undefined;
  let task = coreTask ?? created;
  const taskParams = { taskId: task["taskId"] ?? null };
  const answeredNames = new Set<string>();
  const abort = new AbortController();
  const { signal } = abort;
  const deadline = startDeadline("tools/call", { totalTimeoutMs: options.totalTimeoutMs, signal: options.signal });
  deadline.expired.catch((reason: unknown) => abort.abort(reason));
  try {
    for (;;) {
      options.onTask?.(task as unknown as TaskState);
      const { status, result, inputRequests, pollInterval, pollIntervalMs = pollInterval } = task;
      // In other states tasks/result waits, and delivers the server's input requests meanwhile.
      if (coreTask && status !== "working")
        return await context.request("tasks/result", taskParams, {
          timeoutMs: Infinity,
          totalTimeoutMs: Infinity,
          signal,
        });
      if (status === "completed" && isObject(result)) return result;
      if (status === "failed" || status === "cancelled") throw toTaskError(task);
      const fresh = Object.entries(objectOrEmpty(inputRequests)).filter(([name]) => !answeredNames.has(name));
      if (fresh.length > 0) {
        const inputResponses = await resolveInputRequests(Object.fromEntries(fresh), context.onInputRequest, signal);
        for (const [name] of fresh) answeredNames.add(name);
        await context.request("tasks/update", { ...taskParams, inputResponses });
      } else await delay(pollIntervalOf(pollIntervalMs), signal);
      task = await context.request("tasks/get", taskParams, { signal });
    }
  } catch (error) {
    if (signal.aborted) await context.request("tasks/cancel", taskParams).catch(() => undefined);
    throw error;
  } finally {
    deadline.clear();
  }
}

function toTaskError({ status, error, statusMessage }: JsonObject): Error {
  if (isObject(error)) return new ResponseError(error);
  return new ResponseError({ message: `Task ${stringOr(status)}: ${stringOr(statusMessage, "no reason given")}` });
}

const POLL_INTERVAL = { defaultMs: 1000, minMs: 20, maxMs: 60_000 };

/** Returns the interval that the server asks for, within limits. */
function pollIntervalOf(requested: Json | undefined): number {
  const { defaultMs, minMs, maxMs } = POLL_INTERVAL;
  return Math.min(Math.max(typeof requested === "number" ? requested : defaultMs, minMs), maxMs);
}
