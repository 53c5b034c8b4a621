import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { RequestOptions } from "./connection.js";
import { RequestRefused, refusalOf } from "./errors.js";
import { patienceFor } from "./patience.js";
import { pause } from "./pause.js";
import type { Answer } from "./peer.js";
import { answerAll } from "./rounds.js";
import { textOf } from "./text.js";

/** Where a call stands that goes on as a task. */
export interface TaskState {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string;
  readonly createdAt?: string;
  readonly lastUpdatedAt?: string;
}

/** What following a task needs of the client. */
export interface TaskDesk {
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  readonly answer: Answer;
  readonly signal: AbortSignal | undefined;
  readonly totalMs?: number | undefined;
  readonly onTask: ((task: TaskState) => void) | undefined;
}

/** How often to look where the server has no wish, and at most; a server that wants to be left alone must not be forgotten. */
const POLL = { usualMs: 1000, leastMs: 20, mostMs: 60_000 };

/** Follows a task of the core protocol, which the client has asked for, to its end; gives what the call came to. */
export async function followCoreTask(desk: TaskDesk, created: JsonObject): Promise<JsonObject> {
  const named = { taskId: created["taskId"] ?? null };
  return untilCancelled(desk, named, async (signal) => {
    let task = created;
    desk.onTask?.(task as unknown as TaskState);
    // What the server asks comes while the result is waited for, so there is no looking from then on.
    while (task["status"] === "working") {
      await pause(pollOf(task["pollInterval"]), signal);
      task = await desk.request("tasks/get", named, { signal });
      desk.onTask?.(task as unknown as TaskState);
    }
    const patient = { timeoutMs: Infinity, totalMs: Infinity, signal };
    return desk.request("tasks/result", named, patient);
  });
}

/** Follows a task of the extension, which the server has decided on, to its end; gives what the call came to. */
export async function followTask(desk: TaskDesk, created: JsonObject): Promise<JsonObject> {
  const named = { taskId: created["taskId"] ?? null };
  const answered = new Set<string>();
  return untilCancelled(desk, named, async (signal) => {
    for (let task = created; ; ) {
      desk.onTask?.(task as unknown as TaskState);
      if (task["status"] === "completed" && isObject(task["result"])) return task["result"];
      if (task["status"] === "failed" || task["status"] === "cancelled") throw endOf(task);
      const asked = isObject(task["inputRequests"]) ? task["inputRequests"] : {};
      const fresh = Object.entries(asked).filter(([name]) => !answered.has(name));
      if (fresh.length > 0) {
        const inputResponses = await answerAll(Object.fromEntries(fresh), desk.answer, signal);
        for (const [name] of fresh) answered.add(name);
        await desk.request("tasks/update", { ...named, inputResponses });
      } else await pause(pollOf(task["pollIntervalMs"]), signal);
      task = await desk.request("tasks/get", named, { signal });
    }
  });
}

/** A caller that gives up wants the work stopped, not only the wait for it. */
async function untilCancelled(
  desk: TaskDesk,
  named: JsonObject,
  deed: (signal: AbortSignal) => Promise<JsonObject>,
): Promise<JsonObject> {
  const over = new AbortController();
  const patience = patienceFor("tools/call", { totalMs: desk.totalMs, signal: desk.signal });
  patience.lost.catch((reason: unknown) => over.abort(reason));
  try {
    return await deed(over.signal);
  } catch (error) {
    if (over.signal.aborted) await desk.request("tasks/cancel", named).catch(() => undefined);
    throw error;
  } finally {
    patience.end();
  }
}

function endOf({ status, error, statusMessage }: JsonObject): Error {
  if (isObject(error)) return refusalOf(error);
  return new RequestRefused({
    code: 0,
    message: `The task was ${textOf(status)}: ${textOf(statusMessage, "no reason given")}`,
  });
}

function pollOf(wish: Json | undefined): number {
  return Math.min(Math.max(typeof wish === "number" ? wish : POLL.usualMs, POLL.leastMs), POLL.mostMs);
}
