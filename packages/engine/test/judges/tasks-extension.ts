import type { Book } from "./official-documents.js";

/*
 * The extension `io.modelcontextprotocol/tasks` is not in the official schema of its revision, so this is our own reading of its
 * text (SEP-2663): members, their types, and which of them go with which status. What lies inside is judged by the schema.
 */
type JsonObject = Readonly<Record<string, unknown>>;
type JudgeInputRequest = (key: string, inputRequest: unknown) => string[];

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTime = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;

/** The members of a task, and what each may be. */
const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  taskId: (value) => typeof value === "string" && value.length >= 16,
  status: (value) => ["working", "input_required", "completed", "failed", "cancelled"].includes(value as string),
  createdAt: isTime,
  lastUpdatedAt: isTime,
  ttlMs: (value) => value === null || isCount(value),
};
const optional: typeof members = { pollIntervalMs: isCount, statusMessage: (value) => typeof value === "string" };

/** The member that a status brings with it. */
const burden: Readonly<Record<string, string>> = {
  input_required: "inputRequests",
  completed: "result",
  failed: "error",
};

function judgeTask(task: JsonObject, more: readonly string[]): string[] {
  const wrong = Object.entries({ ...members, ...optional }).flatMap(([name, fits]) => {
    if (!(name in task)) return name in optional ? [] : [`a task without ${name}`];
    return fits(task[name]) ? [] : [`${name} of a task is ${JSON.stringify(task[name])}`];
  });
  const known = new Set([...Object.keys(members), ...Object.keys(optional), ...more]);
  const strange = Object.keys(task).filter((name) => !known.has(name));
  return [...wrong, ...strange.map((name) => `a task with ${name}`)];
}

/** Judges the state of a task, as `tasks/get` and the notification show it. */
function judgeState(
  book: Book,
  task: JsonObject,
  more: readonly string[],
  judgeInputRequest: JudgeInputRequest,
): string[] {
  const due = burden[String(task["status"])];
  const { inputRequests, result, error } = task;
  const faults = judgeTask(task, [...more, ...(due === undefined ? [] : [due])]);
  if (due !== undefined && !isObject(task[due])) faults.push(`a task that is ${String(task["status"])} without ${due}`);
  if (isObject(inputRequests))
    faults.push(
      ...Object.entries(inputRequests).flatMap(([key, inputRequest]) => judgeInputRequest(key, inputRequest)),
    );
  if (isObject(result)) faults.push(...book.check("CallToolResult", result));
  if (isObject(error) && (!Number.isInteger(error["code"]) || typeof error["message"] !== "string"))
    faults.push("the error of a task without code and message");
  return faults;
}

/** What is wrong with a result that the extension brings; undefined where it is none of its results. */
export function judgeTaskResult(
  book: Book,
  method: string,
  result: JsonObject,
  judgeInputRequest: JudgeInputRequest,
): string[] | undefined {
  if (result["resultType"] === "task")
    return [
      ...(method === "tools/call" ? [] : [`a task in answer to ${method}`]),
      ...judgeTask(result, ["resultType", "_meta"]),
    ];
  if (method === "tasks/update" || method === "tasks/cancel") return book.check("EmptyResult", result);
  return method === "tasks/get" ? judgeState(book, result, ["resultType", "_meta"], judgeInputRequest) : undefined;
}

/** What is wrong with `notifications/tasks`. */
export function judgeTaskNotice(book: Book, notice: JsonObject, judgeInputRequest: JudgeInputRequest): string[] {
  const { params } = notice;
  if (!isObject(params)) return ["notifications/tasks without params"];
  const meta = params["_meta"];
  const isTagged = isObject(meta) && "io.modelcontextprotocol/subscriptionId" in meta;
  return [
    ...(isTagged ? [] : ["notifications/tasks without a subscriptionId"]),
    ...judgeState(book, params, ["_meta"], judgeInputRequest),
  ];
}
