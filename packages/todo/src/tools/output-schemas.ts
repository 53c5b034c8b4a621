import { STATUSES } from "../tasks/task.js";

const TEXT = { type: "string" } as const;
const TEXT_OR_NULL = { type: ["string", "null"] } as const;

/** What every task in a result has. */
const TASK_PROPERTIES = {
  id: TEXT,
  parent_id: TEXT_OR_NULL,
  description: TEXT,
  context: TEXT,
  priority: { type: "integer" },
  status: { enum: STATUSES },
  result: TEXT_OR_NULL,
  done_when: { type: ["object", "null"] },
  version: { type: "integer" },
  created_at: TEXT,
  started_at: TEXT_OR_NULL,
  completed_at: TEXT_OR_NULL,
  updated_at: TEXT,
  created_by: TEXT_OR_NULL,
  claimed_by: TEXT_OR_NULL,
  lease_until: TEXT_OR_NULL,
  blocked: { type: "boolean" },
  ready: { type: "boolean" },
  shortened: { type: "boolean" },
} as const;

const REQUIRED = ["id", "description", "priority", "status", "version", "blocked", "ready"] as const;

/** A task in a result. */
export const TASK = { type: "object", properties: TASK_PROPERTIES, required: REQUIRED } as const;

/** Tasks in a result. */
export const TASKS = { type: "array", items: TASK } as const;

/** What has happened, in a result. */
export const HISTORY = {
  type: "array",
  items: {
    type: "object",
    properties: {
      seq: { type: "integer" },
      at: TEXT,
      actor: TEXT_OR_NULL,
      kind: TEXT,
      task_id: TEXT,
      changes: { type: "object" },
      reason: TEXT_OR_NULL,
      deed: TEXT,
      undoes: TEXT_OR_NULL,
    },
    required: ["seq", "at", "kind", "task_id", "changes"],
  },
} as const;

/** The result that is one task with further members beside it. */
export const taskWith = <const Members extends object>(members: Members) =>
  ({ type: "object", properties: { ...TASK_PROPERTIES, ...members }, required: REQUIRED }) as const;

/** That one task waits for another, in a result. */
export const BLOCKER = {
  type: "object",
  properties: { task_id: TEXT, blocked_by_id: TEXT, status: TEXT },
  required: ["task_id", "blocked_by_id", "status"],
} as const;
