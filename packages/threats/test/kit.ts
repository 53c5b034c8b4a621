import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type ServerOptions } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { createFilePolicy } from "@toolwright/kit/files";
import { bindPack } from "@toolwright/kit/pack";
import { onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import threatsPack from "../src/index.js";

/** Creates the pack. `roots` are the folders that its tools may read. */
export const createPack = (settings: JsonObject = {}, roots?: readonly string[], pack = threatsPack) => {
  const files = createFilePolicy({ settings: { ...(roots && { roots }) } });
  return bindPack(pack, { stateFolder: os.tmpdir(), files })(settings);
};

/** The pack with a connected client. Both are closed when the test ends. */
export interface Bench extends ToolCalls {
  readonly client: TestClient;
  /** The messages in the log of the server. */
  readonly lines: readonly string[];
}

/** Creates an empty folder, which is deleted when the test ends. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "threats-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Opens the pack with the built-in patterns, and connects a client to it. */
export async function openBench(
  { roots, ...settings }: JsonObject = {},
  more: Partial<ServerOptions> = {},
): Promise<Bench> {
  const lines: string[] = [];
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createPack(settings, roots as string[] | undefined)],
    dynamic: true,
    log: ({ message }) => void lines.push(message),
    ...more,
  });
  const client = await connectTestClient(server, { revision: "2025-11-25" });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { client, lines, ...toolCallsOf(client) };
}

/** Returns a valid pattern with the given id. */
export async function samplePattern(id = "TMKB-AUTHZ-900"): Promise<string> {
  const text = await readFile(new URL("format/good.yaml", import.meta.url), "utf8");
  return text.replace("TMKB-AUTHZ-900", id);
}

/** Writes a file in a folder. */
export async function putFile(folder: string, name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}
