import path from "node:path";

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
