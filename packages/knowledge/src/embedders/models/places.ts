import { access } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** The parts of a process that say where its user keeps what can be fetched again. */
export interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** What is installed: a folder with `model/` and `runtime/`, which comes into being at once or not at all. */
export const MINILM = "all-MiniLM-L6-v2-q8";

/** The folder into which models are installed: what TOOLWRIGHT_MODELS names, or the user's cache as the platform has it. */
export function modelsFolder({ platform, env, home }: Surroundings = hereAndNow()): string {
  const named = env["TOOLWRIGHT_MODELS"];
  if (named !== undefined && named !== "") return named;
  if (platform === "win32")
    return path.win32.join(env["LOCALAPPDATA"] ?? path.win32.join(home, "AppData", "Local"), "toolwright", "models");
  if (platform === "darwin") return path.posix.join(home, "Library", "Caches", "toolwright", "models");
  const given = env["XDG_CACHE_HOME"];
  // The specification has a relative path passed over.
  const base = given !== undefined && path.posix.isAbsolute(given) ? given : path.posix.join(home, ".cache");
  return path.posix.join(base, "toolwright", "models");
}

/** Where all-MiniLM-L6-v2 is: below the server's own state, where an administrator can put it, or in the models folder. */
export async function findMinilm(state: string, models: string = modelsFolder()): Promise<string | undefined> {
  for (const place of [path.join(state, "models", MINILM), path.join(models, MINILM)])
    if (await isThere(path.join(place, "model", "model.onnx"))) return place;
  return undefined;
}

const hereAndNow = (): Surroundings => ({ platform: process.platform, env: process.env, home: os.homedir() });

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
