/** What is told of the environment. */
export const ENVIRONMENT = {
  type: "object",
  properties: {
    variables: { type: "object", additionalProperties: { type: "string" } },
    total: { type: "integer" },
    masked: { type: "integer" },
    left_out: { type: "integer" },
  },
  required: ["variables", "total", "masked", "left_out"],
} as const;

/** What is told of the server. */
export const SERVER = {
  type: "object",
  properties: {
    name: { type: "string" },
    version: { type: "string" },
    node: { type: "string" },
    pid: { type: "integer" },
    uptime_s: { type: "integer" },
    memory: { type: "object", additionalProperties: { type: "integer" } },
    tools: { type: "integer" },
    calls_running: { type: "integer" },
    sessions: { type: "integer" },
    roots: { type: "array", items: { type: "string" } },
  },
  required: ["name", "version", "node", "pid", "uptime_s", "memory", "tools", "roots"],
} as const;

/** What is told of the HTTP around a call. */
export const HTTP = {
  type: "object",
  properties: {
    available: { type: "boolean" },
    reason: { type: "string" },
    headers: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["available"],
} as const;

/** What is told of whoever calls. */
export const USER = {
  type: "object",
  properties: {
    available: { type: "boolean" },
    reason: { type: "string" },
    principal: { type: "string" },
    scopes: { type: "array", items: { type: "string" } },
  },
  required: ["available"],
} as const;
