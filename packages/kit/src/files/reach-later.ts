import type { Call } from "@toolwright/engine";
import type { Grant } from "./grant.js";
import type { GrantSettings } from "./grant-settings.js";
import type { Reach } from "./reach.js";
import { startFolders } from "./start-folder.js";

/**
 * Gives what a call can reach of the file system. Most calls touch no file, so what finds it out is read when the first one does; where
 * that fails, the next one tries again. `own` are folders of the server itself, which nobody reaches; `configuration` is the file of
 * its settings, which nobody changes.
 */
export function reachLater(
  settings: GrantSettings,
  own: readonly string[] = [],
  configuration?: string,
): (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<Reach> {
  let opened: Promise<Grant> | undefined;
  const open = async (): Promise<Grant> => {
    const files = await import("./grant.js");
    return files.Grant.open(settings, { ...(await startFolders()), own, configuration });
  };
  return async (call) => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return (await opened).reach(call);
  };
}
