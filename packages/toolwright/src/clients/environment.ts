import path from "node:path";

/** Whose configuration is meant: a user, a folder, a machine. */
export interface Surroundings {
  readonly home: string;
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/** Puts a path together as the platform has it. */
export const joinAt = ({ platform }: Surroundings, ...parts: readonly string[]): string =>
  (platform === "win32" ? path.win32 : path.posix).join(...parts);

/** A path below the home of the user. */
export const inHome = (at: Surroundings, ...parts: readonly string[]): string => joinAt(at, at.home, ...parts);

/** A path below the folder of the project. */
export const inFolder = (at: Surroundings, ...parts: readonly string[]): string => joinAt(at, at.folder, ...parts);

/** The folder that a variable names; a relative one would be another for every program, and is passed over. */
export function folderIn(at: Surroundings, variable: string): string | undefined {
  const given = at.env[variable];
  const paths = at.platform === "win32" ? path.win32 : path.posix;
  return given !== undefined && paths.isAbsolute(given) ? given : undefined;
}

/** Where programs from Linux keep their settings, on other platforms too. */
export const xdgConfig = (at: Surroundings): string => folderIn(at, "XDG_CONFIG_HOME") ?? inHome(at, ".config");

/** Where applications of Windows keep their settings. */
export const roaming = (at: Surroundings): string => folderIn(at, "APPDATA") ?? inHome(at, "AppData", "Roaming");

/** Where desktop applications keep their settings. */
export function applicationFolder(at: Surroundings): string {
  if (at.platform === "win32") return roaming(at);
  return at.platform === "darwin" ? inHome(at, "Library", "Application Support") : xdgConfig(at);
}
