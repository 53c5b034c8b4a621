import { REVISIONS } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import {
  discover,
  hasCompletions,
  hasPrompts,
  hasResources,
  initialize,
  ping,
  setLevel,
} from "./features/capabilities.js";
import { complete } from "./features/completion.js";
import { getPrompt, listPrompts } from "./features/prompts.js";
import { listResources, listTemplates, readResource } from "./features/resources.js";
import { listen, subscribe, unsubscribe } from "./features/subscriptions.js";
import type { TaskManager } from "./features/tasks/task-manager.js";
import type { TaskRequests } from "./features/tasks/task-requests.js";
import { callTool, listTools } from "./features/tools.js";
import type { Method } from "./method.js";

/** A method that the task manager handles; a server without tasks does not have it. */
const taskMethod = (method: keyof TaskRequests): Method => ({
  isOffered: ({ tasks }) => tasks !== undefined,
  handle: (ctx) => (ctx.state.tasks as TaskManager).requests[method](ctx),
});

const ALL_METHODS: Readonly<Record<string, Method>> = {
  initialize,
  ping,
  "server/discover": discover,
  "logging/setLevel": setLevel,
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": { ...listResources, isOffered: hasResources },
  "resources/templates/list": { ...listTemplates, isOffered: hasResources },
  "resources/read": { ...readResource, isOffered: hasResources },
  "resources/subscribe": { ...subscribe, isOffered: hasResources },
  "resources/unsubscribe": { ...unsubscribe, isOffered: hasResources },
  "prompts/list": { ...listPrompts, isOffered: hasPrompts },
  "prompts/get": { ...getPrompt, isOffered: hasPrompts },
  "completion/complete": { ...complete, isOffered: hasCompletions },
  "subscriptions/listen": listen,
  "tasks/get": taskMethod("get"),
  "tasks/result": taskMethod("result"),
  "tasks/list": taskMethod("list"),
  "tasks/update": taskMethod("update"),
  "tasks/cancel": taskMethod("cancel"),
};

/** The methods by name, for the methods that a revision has. */
export const METHODS: ReadonlyMap<Revision["methods"], ReadonlyMap<string, Method>> = new Map(
  REVISIONS.map(({ methods }) => [methods, new Map(Object.entries(ALL_METHODS).filter(([name]) => methods.has(name)))]),
);
