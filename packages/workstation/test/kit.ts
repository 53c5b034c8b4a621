import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Server, type ToolFilter } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import { createTestPack, type TestPackOptions } from "./test-pack.js";

export { createTestPack };

/** A workstation over a folder, and a client of it. It is closed after the test. */
export interface TestWorkstation extends ToolCalls {
  /** The real path of the root. */
  readonly root: string;
  /** The folder for the state of all packs. */
  readonly state: string;
  readonly server: Server;
  readonly client: TestClient;
}

/** The options of `openWorkstation`. */
export interface TestWorkstationOptions extends TestClientOptions, Partial<TestPackOptions> {
  /** Files to create in the root, by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The tools that are available. */
  readonly filter?: ToolFilter;
}

/** Creates an empty folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "workstation-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Writes files to a folder. */
export async function putFiles(folder: string, files: NonNullable<TestWorkstationOptions["files"]>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** The arguments of the next page of a list; undefined after the last one. */
export const nextPage = ({ next_cursor: cursor }: JsonObject): JsonObject | undefined =>
  cursor === undefined ? undefined : { cursor };

/** Opens the pack over a folder, and connects a client to it. */
export async function openWorkstation({
  files = {},
  root: existingRoot,
  state: existingState,
  settings,
  policy,
  configuration,
  filter = {},
  ...clientOptions
}: TestWorkstationOptions = {}): Promise<TestWorkstation> {
  const root = existingRoot ?? (await makeFolder());
  const state = existingState ?? (await makeFolder());
  await putFiles(root, files);
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createTestPack({ root, state, ...(settings && { settings }), ...(policy && { policy }), configuration })],
    largeResults: true,
    toolOptions: { filter },
  });
  const client = await connectTestClient(server, clientOptions);
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { root, state, server, client, ...toolCallsOf(client) };
}
