import { spawnSync } from "node:child_process";
import { type ClientOptions, connect, type ListedTool } from "@toolwright/engine/client";
import { folder, main } from "../cli/listening.js";

/** Tools, and what goes wrong without them. */
interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in an empty folder, with a state of its own, to its end. */
export function run(words: string, env: NodeJS.ProcessEnv = {}): Ended {
  const place = folder();
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words.split(" ")], {
    cwd: place,
    encoding: "utf8",
    input: "",
    timeout: 60_000,
    env: { ...process.env, XDG_STATE_HOME: place, ...env },
  });
  return { status, stdout, stderr };
}

/** What `toolwright serve` lists over stdio with these words. */
export async function listed(words: string, env: NodeJS.ProcessEnv = {}): Promise<readonly ListedTool[]> {
  const place = folder();
  const args = [main, "serve", ...words.split(" ").filter((word) => word !== "")];
  const target = {
    command: process.execPath,
    args,
    cwd: place,
    env: { ...process.env, XDG_STATE_HOME: place, ...env },
  };
  return listOf(target);
}

/** What a server lists. */
export async function listOf(
  target: Parameters<typeof connect>[0],
  options: ClientOptions = {},
): Promise<readonly ListedTool[]> {
  const client = await connect(target, options);
  try {
    return await client.listTools();
  } finally {
    await client.close();
  }
}

/** The names of tools. */
export const namesOf = (tools: readonly ListedTool[]): readonly string[] => tools.map(({ name }) => name);
