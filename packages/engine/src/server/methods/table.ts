import type { Revision } from "../../revisions/revision.js";
import { REVISIONS } from "../../revisions/select.js";
import { complete } from "./completion.js";
import { discover, initialize, ping } from "./lifecycle.js";
import { setLevel } from "./logging.js";
import type { Method } from "./method.js";
import { getPrompt, listPrompts } from "./prompts.js";
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from "./resources.js";
import { listen } from "./subscriptions.js";
import { cancelTask, getTask, listTasks, taskResult, updateTask } from "./tasks.js";
import { callTool, listTools } from "./tools.js";

const METHODS: Readonly<Record<string, Method>> = {
  initialize,
  ping,
  "server/discover": discover,
  "logging/setLevel": setLevel,
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": listResources,
  "resources/templates/list": listTemplates,
  "resources/read": readResource,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
  "completion/complete": complete,
  "subscriptions/listen": listen,
  "tasks/get": getTask,
  "tasks/result": taskResult,
  "tasks/list": listTasks,
  "tasks/update": updateTask,
  "tasks/cancel": cancelTask,
};

const TABLES = new Map<Revision, ReadonlyMap<string, Method>>(
  REVISIONS.map((revision) => [
    revision,
    new Map(Object.entries(METHODS).filter(([name]) => revision.methods.has(name))),
  ]),
);

/** The method of this name in this revision; undefined = it does not exist there. */
export function findMethod(revision: Revision, name: string): Method | undefined {
  return TABLES.get(revision)?.get(name);
}
