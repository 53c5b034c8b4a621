import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { isWithin } from "../files/paths.js";

/** How programs can end in their names on Windows; scripts need a shell there, which is never used. */
const ENDINGS = process.platform === "win32" ? [".exe", ".com"] : [""];

/**
 * The absolute path of a program by its name, as the PATH of the server has it; undefined = it is not there. What lies in one of the
 * folders to `avoid` is passed over: whoever may write there could put anything in the place of a program.
 */
export async function findProgram(name: string, avoid: readonly string[] = []): Promise<string | undefined> {
  if (name === "" || /[\\/]/.test(name)) return undefined;
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    if (!path.isAbsolute(folder) || avoid.some((each) => isProjectOf(each, folder))) continue;
    for (const ending of ENDINGS) {
      const place = path.join(folder, name + ending);
      if (await isProgram(place)) return place;
    }
  }
  return undefined;
}

/** Whether a file is there that can be run. */
export async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}

/** A folder with a home in it is no project, though it has programs in it that people have installed. */
function isProjectOf(root: string, folder: string): boolean {
  return isWithin(root, folder) && !isWithin(root, os.homedir());
}
