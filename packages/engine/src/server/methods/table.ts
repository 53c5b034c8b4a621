import type { Revision } from "../../revisions/revision.js";
import { REVISIONS } from "../../revisions/select.js";
import { discover, initialize, ping } from "./lifecycle.js";
import { setLevel } from "./logging.js";
import type { Method } from "./method.js";
import { listen } from "./subscriptions.js";
import { callTool, listTools } from "./tools.js";

const METHODS: Readonly<Record<string, Method>> = {
  initialize,
  ping,
  "server/discover": discover,
  "logging/setLevel": setLevel,
  "tools/list": listTools,
  "tools/call": callTool,
  "subscriptions/listen": listen,
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
