import { internalError, keptError, type RpcError, shortened } from "../../jsonrpc/errors.js";
import type { JsonObject } from "../../jsonrpc/json.js";
import type { TaskView, ToolResult } from "../../protocol/outcome.js";
import type { Revision } from "../../revisions/revision.js";
import type { TaskRecord } from "./store.js";

/** A task as a client of this revision sees it. */
export function viewOf(record: TaskRecord, revision: Revision): TaskView {
  const { id, createdAt, updatedAt, ttlMs, pollMs } = record;
  // Where the client decides what becomes a task, a tool that failed is a task that failed; else only a failing protocol is.
  const isFailure = revision.taskChoice === "client" && record.result?.isError === true;
  const message = record.message ?? record.error?.message ?? (isFailure ? wordsOf(record.result) : undefined);
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

/** Some clients tell a model of a task that failed, but not its result. */
function wordsOf({ content }: ToolResult): string | undefined {
  const words = typeof content === "string" ? content : content.find(({ type }) => type === "text")?.["text"];
  return typeof words === "string" ? shortened(words) : undefined;
}

/** The members of a task in an answer to `tasks/get`: with all that belongs to its state, where the revision has it there. */
export function writeTask(record: TaskRecord, revision: Revision): JsonObject {
  const members = revision.writeTask(viewOf(record, revision));
  return revision.taskChoice === "server" ? { ...members, ...writeState(record, revision) } : members;
}

function writeState(record: TaskRecord, revision: Revision): JsonObject {
  const { status, result, questions = {} } = record;
  if (status === "input_required") {
    const requests = Object.entries(questions).map(([key, question]) => [
      key,
      { method: question.method, params: revision.writeQuestion(question) },
    ]);
    return { inputRequests: Object.fromEntries(requests) as JsonObject };
  }
  if (status === "failed") return { error: revision.writeError(errorOf(record)) };
  if (status !== "completed" || result === undefined) return {};
  return { result: JSON.parse(revision.writeResult({ kind: "tool", result }, "")) as JsonObject };
}

/** Why a task has no result. */
export function errorOf({ status, error, message }: TaskRecord): RpcError {
  if (error !== undefined) return keptError(error);
  const unsaid = status === "cancelled" ? "The task was cancelled" : "The task was interrupted";
  return internalError(message ?? unsaid);
}
