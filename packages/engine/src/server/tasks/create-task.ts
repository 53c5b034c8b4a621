import { invalidParams } from "../../jsonrpc/errors.js";
import { isObject, type Json } from "../../jsonrpc/json.js";
import type { TaskOwner, TaskRecord } from "./store.js";

/** A task that has just begun, with an id that nobody can guess. */
export function createTask(owner: TaskOwner, tool: string, ttlMs: number, pollMs: number): TaskRecord {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
  const now = Date.now();
  return { ...owner, id, tool, status: "working", createdAt: now, updatedAt: now, ttlMs, pollMs };
}

/** For how long a client wants its task to be kept; undefined = it does not say. Throws `RpcError`. */
export function readTtl(wanted: Json | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  if (!isObject(wanted)) throw invalidParams('Invalid params: "task" must be an object');
  const { ttl } = wanted;
  if (ttl === undefined) return undefined;
  if (ttl === null) return Number.POSITIVE_INFINITY;
  if (typeof ttl !== "number" || ttl < 0)
    throw invalidParams("Invalid params: task.ttl must be a number of milliseconds");
  return Math.max(1, Math.ceil(ttl));
}
