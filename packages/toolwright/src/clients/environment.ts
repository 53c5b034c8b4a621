import path from "node:path";

/** The user, folder and platform whose configuration is used. */
export interface ClientEnvironment {
  readonly home: string;
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/** Joins a path for the platform. */
export const joinAt = ({ platform }: ClientEnvironment, ...parts: readonly string[]): string =>
  (platform === "win32" ? path.win32 : path.posix).join(...parts);

/** A path in the home folder. */
export const inHome = (at: ClientEnvironment, ...parts: readonly string[]): string => joinAt(at, at.home, ...parts);

/** A path in the project folder. */
export const inFolder = (at: ClientEnvironment, ...parts: readonly string[]): string => joinAt(at, at.folder, ...parts);

/** The folder in an environment variable; relative paths are ignored. */
export function folderIn(at: ClientEnvironment, variable: string): string | undefined {
  const given = at.env[variable];
  const paths = at.platform === "win32" ? path.win32 : path.posix;
  return given !== undefined && paths.isAbsolute(given) ? given : undefined;
}

/** The XDG configuration folder. */
export const xdgConfig = (at: ClientEnvironment): string => folderIn(at, "XDG_CONFIG_HOME") ?? inHome(at, ".config");

/** The roaming application data folder of Windows. */
export const roaming = (at: ClientEnvironment): string => folderIn(at, "APPDATA") ?? inHome(at, "AppData", "Roaming");

/** The settings folder of desktop applications. */
export function applicationFolder(at: ClientEnvironment): string {
  if (at.platform === "win32") return roaming(at);
  return at.platform === "darwin" ? inHome(at, "Library", "Application Support") : xdgConfig(at);
}
