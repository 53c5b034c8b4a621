import type { Revision } from "../../revisions/revision.js";
import { REVISIONS } from "../../revisions/select.js";
import { hasCompletions, hasPrompts, hasResources } from "./features.js";
import { later } from "./later.js";
import { discover, initialize, ping } from "./lifecycle.js";
import { setLevel } from "./logging.js";
import type { Method, QuickMethod } from "./method.js";
import { cancelTask, getTask, listTasks, taskResult, updateTask } from "./tasks.js";
import { callTool, listTools } from "./tools.js";

const METHODS: Readonly<Record<string, Method | QuickMethod>> = {
  initialize,
  ping,
  "server/discover": discover,
  "logging/setLevel": setLevel,
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": later("listResources", hasResources),
  "resources/templates/list": later("listTemplates", hasResources),
  "resources/read": later("readResource", hasResources),
  "resources/subscribe": later("subscribe", hasResources),
  "resources/unsubscribe": later("unsubscribe", hasResources),
  "prompts/list": later("listPrompts", hasPrompts),
  "prompts/get": later("getPrompt", hasPrompts),
  "completion/complete": later("complete", hasCompletions),
  "subscriptions/listen": later("listen"),
  "tasks/get": getTask,
  "tasks/result": taskResult,
  "tasks/list": listTasks,
  "tasks/update": updateTask,
  "tasks/cancel": cancelTask,
};

const TABLES = new Map<Revision, ReadonlyMap<string, Method | QuickMethod>>(
  REVISIONS.map((revision) => [
    revision,
    new Map(Object.entries(METHODS).filter(([name]) => revision.methods.has(name))),
  ]),
);

/** The method of this name in this revision; undefined = it does not exist there. */
export function findMethod(revision: Revision, name: string): Method | QuickMethod | undefined {
  return TABLES.get(revision)?.get(name);
}
