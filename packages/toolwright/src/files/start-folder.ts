import { realpath } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** The folder in which the server was started, and the home of its user; the links of both are resolved, so that they can be compared. */
export async function startFolders(): Promise<{ readonly folder: string; readonly home: string }> {
  const real = async (place: string): Promise<string> => realpath(place).catch(() => place);
  return { folder: await real(startFolder()), home: await real(os.homedir()) };
}

function startFolder(): string {
  try {
    return path.resolve(process.env["FILESYSTEM_TOOLS_BASE_PATH"] ?? process.cwd());
  } catch {
    // It has been removed: as good as none, like the root of a disk.
    return path.parse(os.homedir()).root;
  }
}
