import os from "node:os";
import path from "node:path";
import { resolveRealPath } from "./file-stats.js";

/** The folder in which the server was started, and the home of its user; the links of both are resolved, so that they can be compared. */
export async function startFolders(): Promise<{ readonly folder: string; readonly home: string }> {
  const real = async (realPath: string): Promise<string> => resolveRealPath(realPath).catch(() => realPath);
  const [folder, home] = await Promise.all([real(startFolder()), real(os.homedir())]);
  return { folder, home };
}

function startFolder(): string {
  try {
    return path.resolve(process.env["FILESYSTEM_TOOLS_BASE_PATH"] ?? process.cwd());
  } catch {
    // It has been removed: as good as none, like the root of a disk.
    return path.parse(os.homedir()).root;
  }
}

/** The folder in which the process was started, or `.` if that folder has been removed. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return ".";
  }
}
