import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Server, type ServerOptions } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { createFilePolicy, type FileSettings } from "@toolwright/kit/files";
import { bindPack } from "@toolwright/kit/pack";
import { onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import type { TemplateSource } from "../src/format/template.js";
import templates from "../src/index.js";
import { openPack } from "../src/open.js";
import type { Settings } from "../src/settings.js";
import { samples } from "./samples.js";

/** The pack over a folder of its own, and a client of it; all goes with the test. */
export interface TestServer extends ToolCalls {
  readonly root: string;
  readonly server: Server;
  readonly client: TestClient;
  /** Reads a file of the root; undefined where there is none. */
  readonly read: (name: string) => Promise<string | undefined>;
  readonly put: (name: string, text: string) => Promise<void>;
}

/** How a bench is set up. */
export interface TestServerOptions extends TestClientOptions {
  readonly catalogue?: readonly TemplateSource[];
  readonly settings?: JsonObject;
  readonly files?: Partial<FileSettings>;
  readonly root?: string;
  readonly now?: Date;
  readonly server?: Partial<ServerOptions>;
}

/** The moment in which all tests take place. */
export const NOW = new Date("2031-05-06T07:08:09.000Z");

/** An empty folder that goes with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "templates-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Opens the pack over a folder, and connects a client to it. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { catalogue = samples, settings = {}, files = {}, root: given, now = NOW, server: more = {}, ...how } = options;
  const root = given ?? (await makeFolder());
  const open = bindPack(
    { ...templates, open: (pack: Settings, host) => openPack(pack, host, async () => catalogue) },
    { stateFolder: root, files: createFilePolicy({ settings: { roots: [root], ...files } }), now: () => now },
  );
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [open(settings)],
    largeResults: true,
    ...more,
  });
  const client = await connectTestClient(server, how);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return {
    root,
    server,
    client,
    ...toolCallsOf(client),
    read: (name) => readFile(path.join(root, name), "utf8").catch(() => undefined),
    put: (name, text) => putFile(root, name, text),
  };
}

/** Puts a file into a folder. */
export async function putFile(folder: string, name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}
