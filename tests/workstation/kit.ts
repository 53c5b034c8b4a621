import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Server } from "@toolwright/engine";
import { type ConnectOptions, connect, type TestClient } from "@toolwright/engine/testing";
import { onTestFinished } from "vitest";
import { createWorkstation } from "../../packages/toolwright/src/packs/workstation/index.js";

/** What a tool said of its failure. */
interface Failed {
  readonly code: unknown;
  readonly text: string;
  readonly details: JsonObject;
}

/** A workstation over a folder of its own, and a client of it; all goes with the test. */
export interface Bench {
  /** The real path of the root. */
  readonly root: string;
  /** The folder in which the pack keeps what outlives it. */
  readonly state: string;
  readonly server: Server;
  readonly client: TestClient;
  /** Calls a tool and gives its structured content. Throws where it failed. */
  readonly call: (name: string, args?: JsonObject) => Promise<JsonObject>;
  /** Calls a tool that must fail. */
  readonly fail: (name: string, args?: JsonObject) => Promise<Failed>;
}

/** How a bench is set up. */
export interface BenchOptions extends ConnectOptions {
  /** Files to make in the root, by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Settings of the pack; the root is filled in. */
  readonly settings?: JsonObject;
  /** A root that is there already. */
  readonly root?: string;
  /** A state folder of an earlier bench. */
  readonly state?: string;
}

/** An empty folder that goes with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "workstation-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Puts files into a folder. */
export async function putFiles(folder: string, files: NonNullable<BenchOptions["files"]>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** Opens the pack over a folder, and connects a client to it. */
export async function openBench({
  files = {},
  settings = {},
  root: given,
  state: kept,
  ...how
}: BenchOptions = {}): Promise<Bench> {
  const root = given ?? (await makeFolder());
  const state = kept ?? (await makeFolder());
  await putFiles(root, files);
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createWorkstation(state)({ roots: [root], ...settings })],
    results: true,
  });
  const client = await connect(server, how);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return {
    root,
    state,
    server,
    client,
    async call(name, args = {}) {
      const result = await client.callTool(name, args);
      if (result["isError"] === true) throw new Error(`${name} failed: ${textOf(result)}`);
      return result["structuredContent"] as JsonObject;
    },
    async fail(name, args = {}) {
      const result = await client.callTool(name, args);
      if (result["isError"] !== true) throw new Error(`${name} did not fail: ${textOf(result)}`);
      const meta = result["_meta"] as JsonObject | undefined;
      const failure = (meta?.["toolwright/failure"] ?? result["structuredContent"] ?? {}) as JsonObject;
      const error = (failure["error"] ?? failure) as JsonObject;
      return { code: error["code"], text: textOf(result), details: error };
    },
  };
}

/** The text of a result. */
export const textOf = (result: JsonObject): string =>
  (result["content"] as readonly { readonly text?: string }[]).map(({ text }) => text ?? "").join("\n");
