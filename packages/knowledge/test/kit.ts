import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Server } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import type { KnowledgeContext } from "../src/knowledge-context.js";
import { createKnowledge, hostOf, openKnowledge } from "./open-pack.js";

/** The pack over a knowledge base of its own, and a client of it; all goes with the test. */
export interface Bench extends ToolCalls {
  /** The folder that documents are read from; relative paths mean those in it. */
  readonly folder: string;
  /** The folder in which the server keeps things. */
  readonly state: string;
  /** Where the knowledge base is, as the setting `database` says it. */
  readonly database: string;
  readonly clock: Clock;
  readonly server: Server;
  readonly client: TestClient;
  /** What the command line and the dashboard would work with: the same database, over a connection of its own. */
  readonly context: KnowledgeContext;
  /** Writes a file below `folder`, with the folders on the way. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>;
  /** Takes a file, or a folder, below `folder` away. */
  readonly remove: (name: string) => Promise<void>;
  /** Makes a collection out of documents, by name and text, and gives what the ingest said. */
  readonly fill: (collection: string, documents: Readonly<Record<string, string>>) => Promise<JsonObject>;
}

/** How a bench is set up. */
export interface BenchOptions extends TestClientOptions {
  readonly settings?: JsonObject;
  /** A folder, or a database, that is there already. */
  readonly state?: string;
  readonly folder?: string;
  readonly database?: string;
  readonly clock?: Clock;
  /** The folders that can be read; default: `folder`. */
  readonly fileRoots?: readonly string[];
}

/** A clock that goes on when a test says so, and by a millisecond each time that it is looked at. */
class Clock {
  #moment = Date.parse("2031-05-06T07:08:09.000Z");

  readonly now = (): Date => new Date((this.#moment += 1));

  pass(seconds: number): void {
    this.#moment += seconds * 1000;
  }
}

/** An empty folder that goes with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "knowledge-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** By the folders of the state. */
const databases = new Map<string, string>();
let makeDatabase: (() => Promise<string>) | undefined;

/** From now on a bench that is given no database has one that is made so, and not a file. For the tests of one file. */
export function makeDatabasesBy(make: () => Promise<string>): void {
  makeDatabase = make;
}

/** Where the knowledge base of a state is; those who share the folder share it. */
export async function databaseOf(state: string): Promise<string> {
  const place = databases.get(state) ?? (await makeDatabase?.()) ?? path.join(state, "knowledge.db");
  databases.set(state, place);
  return place;
}

/** Opens the pack, and connects a client to it. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const {
    settings = {},
    state: givenState,
    folder: givenFolder,
    clock = new Clock(),
    database: named,
    fileRoots,
    ...how
  } = options;
  const state = givenState ?? (await makeFolder());
  const folder = givenFolder ?? (await makeFolder());
  const database = named ?? (await databaseOf(state));
  const host = hostOf(state, fileRoots ?? [folder], clock.now);
  const allSettings = { database, embedder: "static", ...settings };
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createKnowledge(host)(allSettings)],
    largeResults: true,
  });
  const client = await connectTestClient(server, how);
  const context = openKnowledge(allSettings, host);
  onTestFinished(async () => {
    client.close();
    await context.close();
    await server.close();
  });
  const calls = toolCallsOf(client);
  const fill: Bench["fill"] = async (collection, documents) => {
    await calls.call("kb_create", { name: collection });
    const texts = Object.entries(documents).map(([name, text]) => ({ name, text }));
    return calls.call("kb_ingest", { collection, texts });
  };
  return { folder, state, database, clock, server, client, context, ...filesOf(folder), fill, ...calls };
}

const filesOf = (folder: string): Pick<Bench, "write" | "remove"> => ({
  async write(name, content) {
    const place = path.join(folder, name);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
  },
  remove: (name) => rm(path.join(folder, name), { recursive: true }),
});
