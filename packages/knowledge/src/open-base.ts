import path from "node:path";
import type { PackHost } from "@toolwright/engine";
import { lazyFileAccess } from "@toolwright/kit/files";
import type { SqlStore } from "@toolwright/kit/storage";
import { Base } from "./base.js";
import type { Settings } from "./settings.js";

/** Opens what the tools, the command line and the dashboard work with; the database itself when it is first needed. */
export function openBase(
  settings: Settings,
  state: string,
  host: Pick<PackHost, "log">,
  now = () => new Date(),
  whenOpened?: (ledger: SqlStore) => Promise<void>,
  configuration?: string,
): Base {
  return new Base({
    settings,
    state,
    host,
    file: path.join(state, "knowledge.db"),
    now,
    whenOpened,
    reach: lazyFileAccess(settings, [state], configuration),
  });
}
