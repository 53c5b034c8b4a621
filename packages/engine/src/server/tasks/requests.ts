import { invalidParams, limitExceeded } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/json.js";
import type { Outcome } from "../../protocol/outcome.js";
import { RELATED_TASK_KEY } from "../../revisions/meta-keys.js";
import { unknownCursor } from "../catalogue.js";
import { type Limits, LONGEST_WAIT_MS } from "../limits.js";
import type { TaskBoard } from "./board.js";
import type { TaskCall } from "./desk.js";
import { findOldTask, findTask, requireTasks, unknownTask } from "./find-task.js";
import { cancelled, withAnswers } from "./states.js";
import { isFinalTask, type TaskPosition, type TaskRecord, taskExpiry } from "./store.js";
import { errorOf, viewOf, writeTask } from "./view.js";

const DONE: Outcome = { kind: "plain", body: {} };

/** `tasks/get` */
export async function getTask(board: TaskBoard, call: TaskCall): Promise<Outcome> {
  const record = await findOldTask(board, call);
  return { kind: "plain", body: writeTask(record, call.revision) };
}

/** `tasks/result`: waits for the end of the task, and gives what the call itself would have given. */
export async function taskResult(board: TaskBoard, call: TaskCall, { callsInFlight: most }: Limits): Promise<Outcome> {
  const { id } = await findTask(board, call);
  if (board.waits >= most)
    throw limitExceeded("callsInFlight", `${most} requests wait for results of tasks; poll with tasks/get`);
  let wake: () => void = () => undefined;
  const stopWaiting = board.wait(id, () => wake());
  call.lifetime.whenOver(() => wake());
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const record = await findTask(board, call);
      if (call.isDone) return DONE;
      if (isFinalTask(record)) return outcomeOf(record);
      const timer = setTimeout(wake, Math.min(taskExpiry(record) - Date.now(), LONGEST_WAIT_MS)).unref();
      await changed;
      clearTimeout(timer);
    }
  } finally {
    stopWaiting();
  }
}

function outcomeOf(record: TaskRecord): Outcome {
  const { id, result } = record;
  if (result === undefined) throw errorOf(record);
  const meta = { ...result.meta, [RELATED_TASK_KEY]: { taskId: id } };
  return { kind: "tool", result: { ...result, meta } };
}

/** `tasks/list`: the caller's own, oldest first. */
export async function listTasks(board: TaskBoard, call: TaskCall, { pageSize }: Limits): Promise<Outcome> {
  const { revision, link, principal, request } = call;
  const after = readPosition(request.params?.["cursor"]);
  const found = await board.store.list(board.ownerOf({ principal, session: link.session }), after, pageSize + 1);
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  const tasks = shown.map((record) => revision.writeTask(viewOf(record, revision)));
  return { kind: "plain", body: { tasks, ...(last !== undefined && { nextCursor: writePosition(last) }) } };
}

const writePosition = ({ createdAt, id }: TaskPosition): string =>
  Buffer.from(`${createdAt} ${id}`).toString("base64url");

function readPosition(cursor: unknown): TaskPosition | undefined {
  if (cursor === undefined) return undefined;
  if (typeof cursor !== "string") throw invalidParams("Invalid params: cursor must be a string");
  const [, at, id] = /^(\d{1,16}) ([\w-]+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at === undefined || id === undefined) throw unknownCursor();
  return { createdAt: Number(at), id };
}

/** `tasks/update`: brings answers to what the task asks; those to anything else are passed over. */
export async function updateTask(board: TaskBoard, call: TaskCall): Promise<Outcome> {
  requireTasks(call);
  const { id } = await findTask(board, call);
  const given = call.request.params?.["inputResponses"];
  if (!isObject(given)) throw invalidParams('Invalid params: "inputResponses" must be an object');
  const change = await board.change(id, (record) => withAnswers(record, given, Date.now()));
  if (change === undefined) throw unknownTask(id);
  return DONE;
}

/** `tasks/cancel`: when this is answered, the task is cancelled or was final before. */
export async function cancelTask(board: TaskBoard, call: TaskCall): Promise<Outcome> {
  const { revision } = call;
  const { id } = await findOldTask(board, call);
  const change = await board.change(id, (record) => cancelled(record, "The client cancelled the task.", Date.now()));
  if (change === undefined) throw unknownTask(id);
  if (revision.taskChoice === "server") return DONE;
  const task = viewOf(change.record, revision);
  if (!change.isDone) throw invalidParams(`Cannot cancel the task: it is ${task.status} already`);
  return { kind: "plain", body: revision.writeTask(task) };
}
