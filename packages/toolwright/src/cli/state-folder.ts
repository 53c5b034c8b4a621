import os from "node:os";
import path from "node:path";
import { type Config, valueOf } from "../config/config.js";

/** The parts of a process that say where its user keeps things. */
export interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The folder in which programs of this user keep what should outlive them, as the platform has it. */
export function stateFolder({ platform, env, home }: Surroundings): string {
  if (platform === "win32")
    return path.win32.join(env["LOCALAPPDATA"] ?? path.win32.join(home, "AppData", "Local"), "toolwright");
  if (platform === "darwin") return path.posix.join(home, "Library", "Application Support", "toolwright");
  const given = env["XDG_STATE_HOME"];
  // The specification has a relative path passed over.
  const base = given !== undefined && path.posix.isAbsolute(given) ? given : path.posix.join(home, ".local", "state");
  return path.posix.join(base, "toolwright");
}

/** Where tasks and packs keep what should outlive them: as told, or where programs of this user do. */
export function stateOf(config: Config): string {
  const { platform, env } = process;
  return path.resolve(valueOf(config, "state") ?? stateFolder({ platform, env, home: os.homedir() }));
}
