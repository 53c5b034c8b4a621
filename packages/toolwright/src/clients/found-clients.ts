import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import type { Client } from "./client.js";
import type { Surroundings } from "./surroundings.js";

/** Whether a client is on this machine, as far as its folders and its programs tell. */
export async function isFound(client: Client, at: Surroundings): Promise<boolean> {
  for (const sign of client.signs(at)) if (await isThere(sign)) return true;
  for (const name of client.programs) if (await isOnPath(name, at)) return true;
  return false;
}

const isThere = async (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );

/** On Windows commands of npm are scripts. */
async function isOnPath(name: string, { env, platform }: Surroundings): Promise<boolean> {
  const paths = platform === "win32" ? path.win32 : path.posix;
  const endings = platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(paths.delimiter))
    if (paths.isAbsolute(folder))
      for (const ending of endings) if (await isProgram(paths.join(folder, name + ending))) return true;
  return false;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
