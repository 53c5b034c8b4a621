import { STATUSES } from "../tasks/task.js";

// Every client sends these schemas to its model, so they are short. The maximum lengths of texts are validated when a task is written.

/** The id of a task, in the input of a tool. */
export const ID = { type: "string", description: "Task id, or its unique start or end." } as const;

/** The state of a task, in the input of a tool. */
export const STATUS = { type: "string", enum: STATUSES } as const;

/** The priority of a task, in the input of a tool. */
export const PRIORITY = {
  type: "integer",
  minimum: 1,
  maximum: 5,
  description: "1 (most urgent) to 5.",
} as const;

/** Why something is changed, in the input of a tool. */
export const REASON = { type: "string", description: "Why; needed to reopen a task." } as const;

/** Who changes something, in the input of a tool. */
export const ACTOR = { type: "string", description: "Your name. Default: the client's." } as const;

/** A task and one that blocks it, in the input of a tool. */
export const BLOCKER_PAIR = {
  type: "object",
  properties: {
    task_id: { type: "string", description: "The blocked task." },
    blocked_by_id: { type: "string", description: "The task that blocks it." },
  },
  required: ["task_id", "blocked_by_id"],
  additionalProperties: false,
} as const;

const TEXT = { type: "string" } as const;
const TEXT_OR_NULL = { type: ["string", "null"] } as const;

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

/** A task, in the output of a tool. */
export const TASK = { type: "object", properties: TASK_PROPERTIES, required: REQUIRED } as const;

/** Tasks, in the output of a tool. */
export const TASKS = { type: "array", items: TASK } as const;

/** A page of tasks, as the output of a tool. */
export const TASK_PAGE = {
  type: "object",
  properties: { tasks: TASKS, total: { type: "integer" }, next_cursor: TEXT },
  required: ["tasks"],
} as const;

/** Events, in the output of a tool. */
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
      change_id: TEXT,
      undoes: TEXT_OR_NULL,
    },
    required: ["seq", "at", "kind", "task_id", "changes"],
  },
} as const;

/** A task with additional properties, as the output of a tool. */
export const taskWith = <const Properties extends object>(properties: Properties) =>
  ({ type: "object", properties: { ...TASK_PROPERTIES, ...properties }, required: REQUIRED }) as const;

/** A blocker, as the output of a tool. */
export const BLOCKER = {
  type: "object",
  properties: { task_id: TEXT, blocked_by_id: TEXT, status: TEXT },
  required: ["task_id", "blocked_by_id", "status"],
} as const;
