import os from "node:os";
import path from "node:path";
import type { JsonObject, Pages, Server } from "@toolwright/engine";
import { type Config, valueOf } from "../../config/config.js";
import { createDashboard } from "../../dashboard/dashboard.js";
import type { ShownServer } from "../../dashboard/views/server.js";
import type { Base } from "../../packs/knowledge/base.js";
import { openBase } from "../../packs/knowledge/open-base.js";
import { SETTINGS as KNOWLEDGE, type Settings as KnowledgeSettings } from "../../packs/knowledge/settings.js";
import type { Desk } from "../../packs/todo/desk.js";
import { openDesk } from "../../packs/todo/open-desk.js";
import { SETTINGS, type Settings } from "../../packs/todo/settings.js";
import { stateFolder } from "../state-folder.js";
import { UsageError } from "../usage-error.js";

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
  const told = toldOf(config, "packs.todo", SETTINGS.properties);
  return told && openDesk(told as unknown as Settings, stateOf(config), { log: (entry) => server.log(entry) });
}

/** The knowledge base, by the settings of its pack; undefined where that is off. */
function baseOf(config: Config, server: Pick<Server, "log">): Base | undefined {
  const told = toldOf(config, "packs.knowledge", KNOWLEDGE.properties);
  return told && openBase(told as unknown as KnowledgeSettings, stateOf(config), { log: (entry) => server.log(entry) });
}

function stateOf(config: Config): string {
  const { platform, env } = process;
  return path.resolve(valueOf(config, "state") ?? stateFolder({ platform, env, home: os.homedir() }));
}

/** What a pack is told, with the defaults filled in; undefined where it is off. */
function toldOf(
  config: Config,
  key: string,
  properties: Readonly<Record<string, object>>,
): Readonly<Record<string, unknown>> | undefined {
  const told = config.entries.get(key)?.value;
  if (told === false) return undefined;
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...((typeof told === "object" ? told : {}) as JsonObject) };
}
