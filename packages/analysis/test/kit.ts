import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createServer, type JsonObject, type Server } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { createFilePolicy, type FilePolicy } from "@toolwright/kit/files";
import { bindPack } from "@toolwright/kit/pack";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import { workspacePackages } from "../../../tests/support/workspace-packages.mjs";
import { createAnalysis } from "../src/index.js";
import type { WorkersOptions } from "../src/project/workers.js";

/** The pack over a folder of its own, and a client of it; all goes with the test. */
export interface Bench extends ToolCalls {
  /** The folder that the tools may read. */
  readonly root: string;
  /** Where the server keeps its state. */
  readonly state: string;
  readonly server: Server;
  readonly client: TestClient;
  readonly put: (name: string, text: string | Uint8Array) => Promise<void>;
}

/** How a bench is set up. */
export interface BenchOptions extends TestClientOptions {
  /** What the folder has in it, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: JsonObject;
  /** Globs of hidden files. */
  readonly hidden?: readonly string[];
  readonly root?: string;
  readonly state?: string;
  /** How the threads are run. */
  readonly threads?: Partial<WorkersOptions>;
}

/** An empty folder that goes with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "analysis-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

const PACKAGE = fileURLToPath(new URL("../../toolwright/", import.meta.url));
let built: Promise<string> | undefined;

afterAll(async () => {
  if (built !== undefined) await rm(await built, { recursive: true, force: true });
});

/** The program of the threads, built from the sources of now: Node runs no TypeScript in threads. */
export async function workerFile(): Promise<URL> {
  built ??= buildWorker();
  return pathToFileURL(path.join(await built, "analysis-worker.mjs"));
}

async function buildWorker(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "analysis-worker-"));
  await symlink(path.resolve(PACKAGE, "../../node_modules"), path.join(folder, "node_modules"));
  await build({
    entryPoints: [fileURLToPath(new URL("../src/project/worker.ts", import.meta.url))],
    outfile: path.join(folder, "analysis-worker.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [workspacePackages],
    logLevel: "warning",
    // The grammars lie beside the program that the build makes.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(path.join(PACKAGE, "dist/analysis-worker.js")).href) },
  });
  return folder;
}

/** Opens the pack over a folder, and connects a client to it. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const { files = {}, settings = {}, hidden = [], root: given, state: kept, threads = {}, ...how } = options;
  const root = given ?? (await makeFolder());
  const state = kept ?? (await makeFolder());
  for (const [name, text] of Object.entries(files)) await putFile(root, name, text);
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [
      bindPack(createAnalysis({ file: await workerFile(), count: 1, ...threads }), {
        stateFolder: state,
        files: filesFor(root, state, hidden),
      })(settings),
    ],
    largeResults: true,
  });
  const client = await connectTestClient(server, how);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { root, state, server, client, ...toolCallsOf(client), put: (name, text) => putFile(root, name, text) };
}

/** The file policy of a server with one root, which clients can narrow. */
export const filesFor = (root: string, state: string, hidden: readonly string[] = []): FilePolicy =>
  createFilePolicy({ settings: { roots: [root], hidden }, ownPaths: [state] });

/** Puts a file into a folder. */
export async function putFile(folder: string, name: string, text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}
