import os from "node:os";
import path from "node:path";
import type { Pages, Server } from "@toolwright/engine";
import { type Config, valueOf } from "../../config/config.js";
import { createDashboard } from "../../dashboard/dashboard.js";
import type { ShownServer } from "../../dashboard/views/server.js";
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
  try {
    const auditFile = valueOf(config, "audit.file");
    const shown = { server, packs, isAlone, auditFile };
    const dashboard = createDashboard({ version: server.version, desk, shown, writeToken: token });
    return {
      pages: dashboard,
      close: async () => {
        dashboard.close();
        await desk?.close();
      },
    };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** The tasks, by the settings of their pack; undefined where that is off. */
function deskOf(config: Config, server: Pick<Server, "log">): Desk | undefined {
  const told = config.entries.get("packs.todo")?.value;
  if (told === false) return undefined;
  const { platform, env } = process;
  const state = path.resolve(valueOf(config, "state") ?? stateFolder({ platform, env, home: os.homedir() }));
  const settings: Settings = { ...DEFAULTS, ...((typeof told === "object" ? told : {}) as Partial<Settings>) };
  return openDesk(settings, state, { log: (entry) => server.log(entry) });
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS.properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  ),
) as unknown as Settings;
