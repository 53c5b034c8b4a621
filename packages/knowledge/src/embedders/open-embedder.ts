import { access } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Embedder, unavailable } from "./embedder.js";
import type { EmbedderSettings, NamedEmbedder } from "./settings.js";

export { EMBEDDER_SETTINGS, type EmbedderSettings } from "./settings.js";

/**
 * Opens the configured embedder. Downloads nothing, and connects only to configured addresses. Looks for installed models in the state
 * folder of the server and in `models`. With `isUrgent`, requests to an endpoint are sent only once.
 */
export async function openEmbedder(
  settings: EmbedderSettings,
  state: string,
  models: string = modelsFolder(),
  isUrgent = false,
): Promise<Embedder> {
  if (typeof settings !== "string") return openNamed(settings, state, models, isUrgent);
  const minilm = settings === "static" ? undefined : await findMinilm(state, models);
  if (minilm !== undefined) return (await import("./open-onnx.js")).openMinilm(minilm);
  if (settings === "minilm") throw notInstalled("Cannot use all-MiniLM-L6-v2");
  return (await import("./static-embedder.js")).createStaticEmbedder();
}

async function openNamed(settings: NamedEmbedder, state: string, models: string, isUrgent: boolean): Promise<Embedder> {
  if (settings.kind !== "onnx") return (await import("./endpoint-embedder.js")).openEndpoint(settings, { isUrgent });
  const { folder, queryPrefix: query = "", passagePrefix: passage = "" } = settings;
  if (folder === undefined) throw unavailable("Cannot embed texts: embedder.folder is missing.");
  const minilm = await findMinilm(state, models);
  // Every ONNX model needs the runtime that is installed with all-MiniLM-L6-v2.
  if (minilm === undefined) throw notInstalled(`Cannot run the model in ${folder}`);
  const { openOnnxFolder } = await import("./open-onnx.js");
  return openOnnxFolder(folder, path.join(minilm, "runtime"), { query, passage });
}

const notInstalled = (action: string) =>
  unavailable(`${action}: ONNX Runtime and all-MiniLM-L6-v2 are not installed. Run "toolwright kb model install".`);

/** The parts of a process that determine the cache folder of its user. */
export interface UserEnvironment {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The name of the installed folder, with `model/` and `runtime/`. It is created atomically. */
export const MINILM = "all-MiniLM-L6-v2-q8";

/** Returns the folder for models: TOOLWRIGHT_MODELS, or the cache folder of the user on the platform. */
export function modelsFolder({ platform, env, home }: UserEnvironment = currentEnvironment()): string {
  const named = env["TOOLWRIGHT_MODELS"];
  if (named !== undefined && named !== "") return named;
  if (platform === "win32")
    return path.win32.join(env["LOCALAPPDATA"] ?? path.win32.join(home, "AppData", "Local"), "toolwright", "models");
  if (platform === "darwin") return path.posix.join(home, "Library", "Caches", "toolwright", "models");
  const cacheHome = env["XDG_CACHE_HOME"];
  // The XDG specification says that relative paths are ignored.
  const cache =
    cacheHome !== undefined && path.posix.isAbsolute(cacheHome) ? cacheHome : path.posix.join(home, ".cache");
  return path.posix.join(cache, "toolwright", "models");
}

/** Finds all-MiniLM-L6-v2 in the state folder of the server, where an administrator can install it, or in the models folder. */
export async function findMinilm(state: string, models: string = modelsFolder()): Promise<string | undefined> {
  for (const folder of [path.join(state, "models", MINILM), path.join(models, MINILM)])
    if (await exists(path.join(folder, "model", "model.onnx"))) return folder;
  return undefined;
}

const currentEnvironment = (): UserEnvironment => ({
  platform: process.platform,
  env: process.env,
  home: os.homedir(),
});

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
