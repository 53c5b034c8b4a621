import type { JsonObject, Server } from "@toolwright/engine";
import type { Pages } from "@toolwright/engine/http";
import { UsageError, withDefaults } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { type KnowledgeContext as Base, openKnowledge as openBase } from "@toolwright/knowledge/knowledge-context.js";
import { SETTINGS as KNOWLEDGE } from "@toolwright/knowledge/settings.js";
import { SETTINGS } from "@toolwright/todo/settings.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";
import { openTodoContext as openDesk } from "@toolwright/todo/todo-context.js";
import { type Config, valueOf } from "../../config/config.js";
import { createDashboard } from "../../dashboard/dashboard.js";
import type { ShownServer } from "../../dashboard/views/server.js";
import { stateOf } from "../state-folder.js";

/** A dashboard, and what it has opened. */
export interface OpenDashboard {
  readonly pages: Pages;
  close(): Promise<void>;
}

/** What the dashboard of a server is beside that server. */
interface Manner extends Pick<ShownServer, "packs" | "isAlone"> {
  /** What unlocks changes. */
  readonly token: string | undefined;
}

/** Opens the dashboard of a server; the database when somebody first looks. Throws where the token could be guessed. */
export function openDashboard(config: Config, server: Server, { packs, isAlone, token }: Manner): OpenDashboard {
  const desk = deskOf(config, server);
  const base = baseOf(config, server);
  try {
    const auditFile = valueOf(config, "audit.file");
    const shown = { server, packs, isAlone, auditFile };
    const dashboard = createDashboard({ version: server.version, desk, base, shown, writeToken: token });
    return {
      pages: dashboard,
      close: async () => {
        dashboard.close();
        await desk?.close();
        await base?.close();
      },
    };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** The tasks, by the settings of their pack; undefined where that is off. */
function deskOf(config: Config, server: Pick<Server, "log">): Desk | undefined {
  if (isOff(config, "packs.todo")) return undefined;
  const settings = withDefaults(SETTINGS, settingsOf(config, "packs.todo"));
  return openDesk(settings, stateOf(config), { log: (entry) => server.log(entry) });
}

/** The knowledge base, by the settings of its pack; undefined where that is off. */
function baseOf(config: Config, server: Pick<Server, "log">): Base | undefined {
  if (isOff(config, "packs.knowledge")) return undefined;
  const settings = withDefaults(KNOWLEDGE, settingsOf(config, "packs.knowledge"));
  return openBase(settings, stateOf(config), { log: (entry) => server.log(entry) });
}

const isOff = ({ entries }: Config, pack: string): boolean => entries.get(pack)?.value === false;

function settingsOf({ entries }: Config, pack: string): JsonObject {
  const settings = entries.get(pack)?.value;
  return isObject(settings) ? settings : {};
}
