import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Server } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import { createWorkstation } from "../src/index.js";

/** A workstation over a folder of its own, and a client of it; all goes with the test. */
export interface Bench extends ToolCalls {
  /** The real path of the root. */
  readonly root: string;
  /** The folder in which the pack keeps what outlives it. */
  readonly state: string;
  readonly server: Server;
  readonly client: TestClient;
}

/** How a bench is set up. */
export interface BenchOptions extends TestClientOptions {
  /** Files to make in the root, by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Settings of the pack; the root is filled in. */
  readonly settings?: JsonObject;
  /** A root that is there already. */
  readonly root?: string;
  /** A state folder of an earlier bench. */
  readonly state?: string;
  /** The configuration file with which the server was started. */
  readonly configuration?: string;
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
  configuration,
  ...how
}: BenchOptions = {}): Promise<Bench> {
  const root = given ?? (await makeFolder());
  const state = kept ?? (await makeFolder());
  await putFiles(root, files);
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createWorkstation(state, configuration)({ roots: [root], ...settings })],
    largeResults: true,
  });
  const client = await connectTestClient(server, how);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return {
    root,
    state,
    server,
    client,
    ...toolCallsOf(client),
  };
}
