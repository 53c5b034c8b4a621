import { existsSync, realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Target } from "../../clients/client.js";
import type { InstallOptions } from "./options.js";
import { readOwnOptions } from "./own-options.js";

/** The program that runs: by what, and from which file. */
export interface Running {
  /** The path of Node. */
  readonly node: string;
  /** The path of the command's script. */
  readonly script: string;
}

/** This process, by paths that are still there after the next update where such are known. */
export function findRunning(): Running {
  return { node: lastingNode(process.execPath), script: realpathSync(process.argv[1] ?? "") };
}

/** Homebrew has a path for each release, and one that leads to the newest; a shell of fnm has a folder that goes with it. */
function lastingNode(node: string): string {
  const brew = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(node);
  const linked = brew && `${brew[1]}/opt/${brew[2]}/bin/node`;
  if (linked && existsSync(linked)) return linked;
  return node.includes("fnm_multishells") ? realpathSync(node) : node;
}

/** What a client is to be told: our own server, a program of the user, or an address. Throws for options that no client can use. */
export async function targetOf(
  { url, rest, env, scope }: InstallOptions,
  { node, script }: Running,
  folder: string,
): Promise<Target> {
  if (url !== undefined) return { url, transport: "http" };
  const [command, ...args] = rest;
  const hasVariables = Object.keys(env).length > 0;
  if (command !== undefined && !command.startsWith("-")) return { command, args, ...(hasVariables && { env }) };
  const { words, hasRoots, env: whole } = await readOwnOptions(rest, env, folder);
  const root = scope === "project" && !hasRoots ? ["--root", folder] : [];
  return { command: node, args: [script, "serve", ...root, ...words], ...(hasVariables && { env: whole }) };
}

/** What may take the server away from under the clients later, and what to do about it. */
export function warningsOf({ node, script }: Running): readonly string[] {
  const warnings: string[] = [];
  if (/[\\/](?:_npx|dlx-[^\\/]*|bunx-[^\\/]*|dlx)[\\/]/.test(script))
    warnings.push(
      "This toolwright lies in a cache of npx, which may be emptied at any time. " +
        "Run `npm install --global toolwright`, then `toolwright install` again.",
    );
  if (isBelow(node, os.tmpdir()))
    warnings.push(`Node lies in a folder for temporary files (${node}). Use one that stays, then install again.`);
  const owner = /[\\/]\.?(nvm|fnm|volta|asdf|mise|nodenv|nvs)[\\/]/.exec(node)?.[1];
  if (owner !== undefined)
    warnings.push(`This Node belongs to ${owner}. Install again when you have removed that version of it.`);
  return warnings;
}

function isBelow(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== "" && !way.startsWith("..") && !path.isAbsolute(way);
}
