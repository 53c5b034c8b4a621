import { internalError, type RpcError, restoreError, truncate } from "../../../jsonrpc/errors.js";
import type { Json, JsonObject } from "../../../jsonrpc/messages.js";
import type { TaskView, ToolOutcome } from "../../../protocol/outcome.js";
import type { Revision } from "../../../revisions/revision.js";
import { type TaskRecord, withoutInput } from "./task-store.js";

/** How a task ended. */
export type TaskResultOrError = Pick<TaskRecord, "result"> | Required<Pick<TaskRecord, "error">>;

/** Adds input requests. */
export const withInputRequests = (record: TaskRecord, added: NonNullable<TaskRecord["inputRequests"]>): TaskRecord => ({
  ...record,
  status: "input_required",
  inputRequests: { ...record.inputRequests, ...added },
  updatedAt: Date.now(),
});

/** Removes pending input requests; others are ignored. */
export function withoutInputRequests(record: TaskRecord, keys: readonly string[]): TaskRecord {
  const { inputRequests = {}, ...rest } = record;
  const remaining = omit(inputRequests, keys);
  const count = Object.keys(remaining).length;
  if (count === Object.keys(inputRequests).length) return record;
  const updatedAt = Date.now();
  return count === 0 ? { ...rest, status: "working", updatedAt } : { ...rest, inputRequests: remaining, updatedAt };
}

/** Adds responses to pending input requests; others are ignored. */
export function withResponses(record: TaskRecord, responses: JsonObject): TaskRecord {
  const { inputRequests = {} } = record;
  const keys = Object.keys(responses).filter((key) => Object.hasOwn(inputRequests, key));
  if (keys.length === 0) return record;
  const matching = Object.fromEntries(keys.map((key) => [key, responses[key] as Json]));
  return { ...withoutInputRequests(record, keys), inputResponses: { ...record.inputResponses, ...matching } };
}

/** Removes responses that the running call has received. */
export function withoutResponses(record: TaskRecord, taken: readonly string[]): TaskRecord {
  const { inputResponses = {}, ...rest } = record;
  const remaining = omit<Json>(inputResponses, taken);
  return Object.keys(remaining).length === 0 ? rest : { ...rest, inputResponses: remaining };
}

function omit<Value>(source: Readonly<Record<string, Value>>, keys: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)));
}

/** Sets the status of a task whose input requests are sent directly to the client. */
export const withInputRequired = (record: TaskRecord, isWaiting: boolean): TaskRecord => ({
  ...record,
  status: isWaiting ? "input_required" : "working",
  updatedAt: Date.now(),
});

/** Ends the task with a result, which may have `isError`, or with a JSON-RPC error. */
export function asEnded(record: TaskRecord, end: TaskResultOrError): TaskRecord {
  const status = "error" in end ? "failed" : "completed";
  return { ...withoutInput(record), ...end, status, updatedAt: Date.now() };
}

/** Marks the task as cancelled. */
export const asCancelled = (record: TaskRecord, message: string): TaskRecord => ({
  ...withoutInput(record),
  status: "cancelled",
  message,
  updatedAt: Date.now(),
});

/** The task as clients of this revision see it. */
export function toTaskView(record: TaskRecord, revision: Revision): TaskView {
  const { id, createdAt, updatedAt, ttlMs, pollMs } = record;
  // In tasks that the client requested, a tool error is a failed task; in others only a JSON-RPC error is.
  const isFailure = revision.taskInitiator === "client" && record.result?.isError === true;
  const message = record.message ?? record.error?.message ?? (isFailure ? failureMessageOf(record.result) : undefined);
  return {
    id,
    status: isFailure ? "failed" : record.status,
    ...(message !== undefined && { message }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollMs,
  };
}

/** Some clients show the model the status message of a failed task, but not its result. */
function failureMessageOf({ content }: ToolOutcome): string | undefined {
  const message = typeof content === "string" ? content : content.find(({ type }) => type === "text")?.["text"];
  return typeof message === "string" ? truncate(message) : undefined;
}

/** The members of a `tasks/get` response; in some revisions they include the result, the error or the input requests. */
export function encodeTask(record: TaskRecord, revision: Revision): JsonObject {
  const members = revision.writeTask(toTaskView(record, revision));
  return revision.taskInitiator === "server" ? { ...members, ...encodeTaskState(record, revision) } : members;
}

function encodeTaskState(record: TaskRecord, revision: Revision): JsonObject {
  const { status, result, inputRequests = {} } = record;
  if (status === "input_required") {
    const requests = Object.entries(inputRequests).map(([key, inputRequest]) => [
      key,
      { method: inputRequest.method, params: revision.writeInputRequest(inputRequest) },
    ]);
    return { inputRequests: Object.fromEntries(requests) as JsonObject };
  }
  if (status === "failed") return { error: revision.writeError(taskErrorOf(record)) };
  if (status !== "completed" || result === undefined) return {};
  return { result: JSON.parse(revision.writeResult({ kind: "tool", result }, "")) as JsonObject };
}

/** The error of a task that has no result. */
export function taskErrorOf({ status, error, message }: TaskRecord): RpcError {
  if (error !== undefined) return restoreError(error);
  const defaultMessage = status === "cancelled" ? "The task was cancelled" : "The task was interrupted";
  return internalError(message ?? defaultMessage);
}
