import path from "node:path";
import type { Host } from "@toolwright/engine";
import type { Grant } from "../../files/grant.js";
import { startFolders } from "../../files/start-folder.js";
import type { Ledger } from "../../storage/ledger/sql.js";
import { Base } from "./base.js";
import type { Settings } from "./settings.js";

/** Opens what the tools, the command line and the dashboard work with; the database itself when it is first needed. */
export function openBase(
  settings: Settings,
  state: string,
  host: Pick<Host, "log">,
  now = () => new Date(),
  whenOpened?: (ledger: Ledger) => Promise<void>,
): Base {
  let grant: Promise<Grant> | undefined;
  const openGrant = async (): Promise<Grant> => {
    const files = await import("../../files/grant.js");
    return files.Grant.open(settings, { ...(await startFolders()), own: [state] });
  };
  return new Base({
    settings,
    state,
    host,
    file: path.join(state, "knowledge.db"),
    now,
    whenOpened,
    reach: async (call) => {
      grant ??= openGrant().catch((error: unknown) => {
        grant = undefined;
        throw error;
      });
      return (await grant).reach(call);
    },
  });
}
