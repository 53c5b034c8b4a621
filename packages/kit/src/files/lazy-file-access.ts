import type { Call } from "@toolwright/engine";
import type { AccessPolicy } from "./access-policy.js";
import type { FileAccess } from "./file-access.js";
import type { FileSettings } from "./file-settings.js";
import { startFolders } from "./start-folder.js";

/**
 * Gives what a call can reach of the file system. Most calls touch no file, so what finds it out is read when the first one does; where
 * that fails, the next one tries again. `own` are folders of the server itself, which nobody reaches; `configuration` is the file of
 * its settings, which nobody changes.
 */
export function lazyFileAccess(
  settings: FileSettings,
  own: readonly string[] = [],
  configuration?: string,
): (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess> {
  let opened: Promise<AccessPolicy> | undefined;
  const open = async (): Promise<AccessPolicy> => {
    const files = await import("./access-policy.js");
    return files.AccessPolicy.open(settings, { ...(await startFolders()), own, configuration });
  };
  return async (call) => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return (await opened).accessFor(call);
  };
}
