import path from "node:path";

/** The parts of a process that say where its user keeps what can be made again. */
type Surroundings = Pick<NodeJS.Process, "platform" | "env">;

/** The folder for compiled code: in the user's cache as the platform has it. Undefined where there is none, or none is wanted. */
export function codeFolder({ platform, env }: Surroundings): string | undefined {
  // Node's own switch for the same thing.
  if (env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return undefined;
  const base = baseOf(platform, env);
  return base && path.join(base, "toolwright", "code");
}

function baseOf(platform: string, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === "win32") return env["LOCALAPPDATA"];
  const { HOME: home, XDG_CACHE_HOME: given } = env;
  // The specification has a relative path passed over.
  if (platform !== "darwin" && given !== undefined && path.isAbsolute(given)) return given;
  if (home === undefined || !path.isAbsolute(home)) return undefined;
  return platform === "darwin" ? path.join(home, "Library", "Caches") : path.join(home, ".cache");
}
