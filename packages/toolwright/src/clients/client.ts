import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import type { Json } from "@toolwright/engine";
import type { ClientEnvironment } from "./environment.js";
import type { FormatName } from "./formats/format.js";

/** Whether a server is configured for a user or for one project. */
export type Scope = "user" | "project";

/** How a client connects to a server: a program that it starts, or a URL. */
export type Target = ProgramTarget | UrlTarget;

/** A server that a client starts. */
export interface ProgramTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that is already running. */
interface UrlTarget {
  readonly url: string;
  readonly transport: "http" | "sse";
  readonly headers?: Readonly<Record<string, string>>;
}

/** The configuration of one server in the format of a client. */
export type Entry = Readonly<Record<string, Json>>;

/** A configuration file of a client, and the path of keys to the servers in it. */
export interface ConfigLocation {
  readonly scope: Scope;
  readonly file: string;
  readonly keys: readonly string[];
  /** `read` = never written; `found` = written only if the keys exist. */
  readonly use?: "read" | "found";
}

/** A program that uses MCP servers, and how it is configured. */
export interface Client {
  /** The name on the command line. */
  readonly id: string;
  readonly title: string;
  readonly format: FormatName;
  /** Its configuration files; the first of a scope is the default. */
  readonly configLocations: (at: ClientEnvironment) => readonly ConfigLocation[];
  /** Folders and files that exist if it is installed. */
  readonly installPaths: (at: ClientEnvironment) => readonly string[];
  /** Commands that exist if it is installed. */
  readonly programs: readonly string[];
  /** Creates the configuration of a server; undefined if it does not support servers of this kind. */
  readonly write: (name: string, target: Target) => Entry | undefined;
  /** What the user has to do to load a change. */
  readonly nextStep: string;
  /** What else the user has to do for a server of a project. */
  readonly projectNote?: string;
}

/** Whether a client is installed, judging by its folders and programs. */
export async function isFound(client: Client, at: ClientEnvironment): Promise<boolean> {
  for (const sign of client.installPaths(at)) if (await exists(sign)) return true;
  for (const name of client.programs) if (await isOnPath(name, at)) return true;
  return false;
}

const exists = async (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );

/** On Windows, commands from npm are scripts. */
async function isOnPath(name: string, { env, platform }: ClientEnvironment): Promise<boolean> {
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
