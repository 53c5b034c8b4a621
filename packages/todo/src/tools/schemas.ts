import { STATUSES } from "../tasks/task.js";

/** Which task is meant, in what a tool takes. */
export const ID = { type: "string", description: "Task id, or its unique start or end." } as const;

/** The state of a task, in what a tool takes. */
export const STATUS = { type: "string", enum: STATUSES, description: "State." } as const;

/** How urgent a task is, in what a tool takes. */
export const PRIORITY = { type: "integer", minimum: 1, maximum: 5, description: "1 is most urgent." } as const;

/** Why something is done, in what a tool takes. */
export const REASON = { type: "string", maxLength: 2000, description: "Why." } as const;

/** Who acts, in what a tool takes. */
export const ACTOR = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "Your name; the client's by default.",
} as const;

const FILE_EXISTS = {
  type: "object",
  properties: { kind: { const: "file_exists" }, path: { type: "string", minLength: 1, maxLength: 4096 } },
  required: ["kind", "path"],
  additionalProperties: false,
} as const;

const COMMAND = {
  type: "object",
  properties: {
    kind: { const: "command" },
    command: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "Program and arguments; must end with 0.",
    },
  },
  required: ["kind", "command"],
  additionalProperties: false,
} as const;

/** What tells that a task is done, in what a tool takes. */
export const DONE_WHEN = { description: "What check_task looks at.", oneOf: [FILE_EXISTS, COMMAND] } as const;

/** The same where it can be taken away. */
export const DONE_WHEN_OR_NULL = { ...DONE_WHEN, oneOf: [...DONE_WHEN.oneOf, { type: "null" }] } as const;

/** A task, and one that it waits for. */
export const BLOCKER_PAIR = {
  type: "object",
  properties: { task_id: ID, blocked_by_id: { ...ID, description: "Task that it waits for." } },
  required: ["task_id", "blocked_by_id"],
  additionalProperties: false,
} as const;

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
