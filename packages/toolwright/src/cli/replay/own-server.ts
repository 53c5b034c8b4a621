import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Target } from "@toolwright/engine/client";
import { Failure } from "@toolwright/kit/cli";
import { createMemoryServer } from "../memory-server.js";
import { readConfig } from "../serve.js";

/** How to connect to this build. */
export type OwnTransport = "stdio" | "http" | "ws" | "socket" | "memory";

/** This build as a server. */
export interface OwnServer {
  readonly target: Target;
  close(): Promise<void>;
}

/** The variable that sets the folder in which the server was started. */
const START_FOLDER = "FILESYSTEM_TOOLS_BASE_PATH";

/** Starts this build over a transport, with an empty state folder. */
export async function openOwnServer(transport: OwnTransport, version: string): Promise<OwnServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "toolwright-replay-"));
  // A second Ctrl-C ends this process at once.
  const removeSync = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeSync);
  const remove = async (): Promise<void> => {
    process.removeListener("exit", removeSync);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await open(transport, version, folder);
    return {
      target: server.target,
      async close() {
        await server.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function open(transport: OwnTransport, version: string, folder: string): Promise<OwnServer> {
  const program = [process.argv[1] ?? "", "serve", "--state", folder];
  // Unless the configuration names folders, calls change files only here.
  process.env[START_FOLDER] = path.join(folder, "files");
  await mkdir(process.env[START_FOLDER]);
  const { env } = process;
  if (transport === "memory") return openInMemory(version, folder);
  if (transport === "stdio")
    return { target: { command: process.execPath, args: [...program, "--stdio"], env }, close: async () => undefined };
  const socket = process.platform === "win32" ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, "s");
  const way = transport === "socket" ? ["--socket", socket] : [`--${transport}`, "127.0.0.1:0"];
  const child = spawn(process.execPath, [...program, ...way], { stdio: ["ignore", "ignore", "pipe"], env });
  // Before its folder is removed.
  process.prependOnceListener("exit", () => child.kill("SIGKILL"));
  const address = await addressOf(child, transport);
  const target = transport === "socket" ? { socket } : { url: address };
  return { target, close: () => end(child) };
}

async function openInMemory(version: string, folder: string): Promise<OwnServer> {
  const { config } = await readConfig([]);
  const server = await createMemoryServer(config, folder, version);
  return { target: { server }, close: () => server.close() };
}

/** The address in the report that the server prints at start. */
async function addressOf(child: ChildProcess, transport: OwnTransport): Promise<string> {
  const line = new RegExp(`^ +${transport} +(\\S+)$`, "m");
  let said = "";
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, address] = line.exec(said.slice(0, said.lastIndexOf("\n") + 1)) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once("error", reject);
    child.once("close", () =>
      reject(new Failure(`toolwright serve did not start: ${said.trim().replace(/^toolwright: /, "")}`, 3)),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "close");
}
