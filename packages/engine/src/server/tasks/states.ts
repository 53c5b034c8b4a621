import type { Json, JsonObject } from "../../jsonrpc/json.js";
import type { Question } from "../../protocol/outcome.js";
import type { TaskRecord } from "./store.js";

/** What a task came to. */
export type TaskEnd = Pick<TaskRecord, "result"> | Required<Pick<TaskRecord, "error">>;

/** The task waits for more answers. */
export const withQuestions = (
  record: TaskRecord,
  questions: Readonly<Record<string, Question>>,
  now: number,
): TaskRecord => ({
  ...record,
  status: "input_required",
  questions: { ...record.questions, ...questions },
  updatedAt: now,
});

/** The task does not wait for this answer any more. */
export function withoutQuestion(record: TaskRecord, key: string, now: number): TaskRecord {
  return record.questions !== undefined && Object.hasOwn(record.questions, key) ? close(record, [key], now) : record;
}

/** The task with the answers to what it waits for, for whoever runs it; any others are passed over. */
export function withAnswers(record: TaskRecord, given: JsonObject, now: number): TaskRecord {
  const { questions = {} } = record;
  const fitting = Object.entries(given).filter(([key]) => Object.hasOwn(questions, key));
  if (fitting.length === 0) return record;
  const keys = fitting.map(([key]) => key);
  return { ...close(record, keys, now), answers: { ...record.answers, ...Object.fromEntries(fitting) } };
}

/** The task without answers that have been taken. */
export function withoutAnswers(record: TaskRecord, taken: readonly string[]): TaskRecord {
  const { answers, ...rest } = record;
  const left = except<Json>(answers ?? {}, taken);
  return Object.keys(left).length === 0 ? rest : { ...rest, answers: left };
}

/** The task waits for an answer that does not come through it, or works on. */
export const asking = (record: TaskRecord, isAsking: boolean, now: number): TaskRecord => ({
  ...record,
  status: isAsking ? "input_required" : "working",
  updatedAt: now,
});

/** The task has come to its end: a result, also one that tells of a failure, or an error of the protocol. */
export function ended(record: TaskRecord, end: TaskEnd, now: number): TaskRecord {
  const status = "error" in end ? "failed" : "completed";
  return { ...bare(record), ...end, status, updatedAt: now };
}

/** The task was given up. */
export const cancelled = (record: TaskRecord, message: string, now: number): TaskRecord => ({
  ...bare(record),
  status: "cancelled",
  message,
  updatedAt: now,
});

function close(record: TaskRecord, keys: readonly string[], now: number): TaskRecord {
  const { questions, ...rest } = record;
  const left = except(questions ?? {}, keys);
  if (Object.keys(left).length === 0) return { ...rest, status: "working", updatedAt: now };
  return { ...rest, questions: left, updatedAt: now };
}

function bare(record: TaskRecord): TaskRecord {
  const { questions: _questions, answers: _answers, ...kept } = record;
  return kept;
}

function except<Value>(from: Readonly<Record<string, Value>>, keys: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
}
