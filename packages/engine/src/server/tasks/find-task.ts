import { invalidParams, missingCapability, type RpcError, shortened } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/json.js";
import type { Caller } from "../../protocol/caller.js";
import { TASKS_EXTENSION } from "../../revisions/meta-keys.js";
import type { TaskBoard } from "./board.js";
import type { TaskCall } from "./desk.js";
import type { TaskRecord } from "./store.js";

/** Tells whether a client that declares these capabilities speaks the extension for tasks. */
export function declaresTasks({ capabilities: { extensions } }: Caller): boolean {
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** What a client must declare that is to have tasks of the server's choice. */
export const undeclaredTasks = (): RpcError => missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });

/** Refuses clients that would not understand the answer. Throws `RpcError`. */
export function requireTasks({ revision, caller }: TaskCall): void {
  if (revision.taskChoice === "server" && !declaresTasks(caller)) throw undeclaredTasks();
}

/**
 * The task that a request names. Throws `RpcError`, in the same words for one that is unknown, one that has expired, and one
 * of somebody else: who may not see it is not told that it exists.
 */
export async function findTask(board: TaskBoard, call: TaskCall): Promise<TaskRecord> {
  const id = call.request.params?.["taskId"];
  if (typeof id !== "string") throw invalidParams('Invalid params: "taskId" must be a string');
  const record = await ownTask(board, call, id);
  if (record === undefined) throw unknownTask(id);
  return record;
}

/** The same, for a client that declares tasks as revisions before this one did: it may still have some from there. */
export async function findOldTask(board: TaskBoard, call: TaskCall): Promise<TaskRecord> {
  const { revision, caller } = call;
  if (revision.taskChoice === "client" || declaresTasks(caller)) return findTask(board, call);
  const id = call.request.params?.["taskId"];
  const isOldClient = isObject(caller.capabilities["tasks"]) && typeof id === "string";
  const record = isOldClient ? await ownTask(board, call, id) : undefined;
  if (record === undefined) throw undeclaredTasks();
  return record;
}

/** A task of the caller's. Without principals nobody is told apart, and to know an id is to own the task. */
export async function ownTask(board: TaskBoard, call: TaskCall, id: string): Promise<TaskRecord | undefined> {
  const record = await board.store.get(id);
  return record?.principal === call.principal ? record : undefined;
}

/** There is no such task for this client. */
export const unknownTask = (id: string): RpcError =>
  invalidParams(
    `Unknown task: ${shortened(id)}. It never was, its time is over, or it belongs to another client; call the tool again.`,
  );
