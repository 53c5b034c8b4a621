import type { Call } from "@toolwright/engine";
import type { FileAccess } from "./file-access.js";
import { createFilePolicy } from "./file-policy.js";
import { type PackFileSettings, toFileSettings } from "./file-settings.js";

/** What a call can reach under the file settings that packs had of their own. It goes when all packs take `host.files`. */
export function lazyFileAccess(
  settings: PackFileSettings,
  ownPaths: readonly string[] = [],
  configurationFile?: string,
): (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess> {
  const policy = createFilePolicy({ settings: toFileSettings(settings), ownPaths, configurationFile });
  return (call) => policy.accessFor(call);
}
