import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import type { Json } from "@toolwright/engine";
import type { Surroundings } from "./environment.js";
import type { FormatName } from "./formats/format.js";

/** For whom a server is configured: everything that a user opens, or one folder. */
export type Scope = "user" | "project";

/** How a client reaches a server: a program that it starts, or an address. */
export type Target = ProgramTarget | UrlTarget;

/** A server that a client starts. */
export interface ProgramTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that runs already. */
interface UrlTarget {
  readonly url: string;
  readonly transport: "http" | "sse";
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a client writes down about one server. */
export type Entry = Readonly<Record<string, Json>>;

/** A file in which a client looks for servers, and the keys that lead to them. */
export interface Place {
  readonly scope: Scope;
  readonly file: string;
  readonly keys: readonly string[];
  /** `read` = never written; `found` = written only where its keys are there already. */
  readonly use?: "read" | "found";
}

/** A program that can use MCP servers, and how it is told of them. */
export interface Client {
  /** What it is called on the command line. */
  readonly id: string;
  readonly title: string;
  readonly format: FormatName;
  /** Where its servers stand; of those of a scope the first is the usual one. */
  readonly places: (at: Surroundings) => readonly Place[];
  /** Folders and files that are there where it is installed. */
  readonly signs: (at: Surroundings) => readonly string[];
  /** Commands that are there where it is installed. */
  readonly programs: readonly string[];
  /** What it writes down of a server; undefined = it can use none of this kind. */
  readonly write: (name: string, target: Target) => Entry | undefined;
  /** What has to be done before it sees a change. */
  readonly afterwards: string;
  /** What has to be done beside that where the server is one of a project. */
  readonly inProject?: string;
}

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
