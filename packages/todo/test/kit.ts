import { mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Server } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { createFilePolicy } from "@toolwright/kit/files";
import { bindPack, type CommandHost } from "@toolwright/kit/pack";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../tests/support/tool-calls.js";
import todoPack from "../src/index.js";
import type { Settings } from "../src/settings.js";
import { TodoContext } from "../src/todo-context.js";
import { noPostgres, type PostgresServer, startPostgres } from "./postgres.js";

/** The pack with its own database and a connected client. All are closed when the test ends. */
export interface Bench extends ToolCalls {
  /** The state folder, and the root that done-conditions can read. */
  readonly state: string;
  readonly root: string;
  /** The value of the setting `database`. */
  readonly database: string;
  readonly clock: Clock;
  readonly server: Server;
  readonly client: TestClient;
  /** A context with its own connection to the same database, as the command line and the dashboard use it. */
  readonly todo: TodoContext;
  /** Creates a task and returns its id. */
  readonly make: (description: string, more?: JsonObject) => Promise<string>;
  /** Closes the client, the server and their database connections before the test ends. */
  readonly close: () => Promise<void>;
}

/** The options of `openBench`. */
export interface BenchOptions extends TestClientOptions {
  readonly settings?: JsonObject;
  /** An existing folder or database. */
  readonly state?: string;
  readonly database?: string;
  readonly clock?: Clock;
}

/** A clock that tests can advance. Each read advances it by a millisecond. */
class Clock {
  #moment = Date.parse("2031-05-06T07:08:09.000Z");

  readonly now = (): Date => new Date((this.#moment += 1));

  pass(seconds: number): void {
    this.#moment += seconds * 1000;
  }
}

/** Returns a member that must be a string. */
export function textOf(value: JsonObject, member: string): string {
  const text = value[member];
  if (typeof text !== "string") throw new Error(`${member} is no text: ${JSON.stringify(text)}`);
  return text;
}

/** Creates an empty folder, which is deleted when the test ends. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "todo-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Opens the pack, and connects a client to it. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const { settings = {}, state: given, clock = new Clock(), database: named, ...how } = options;
  const state = given ?? (await makeFolder());
  const root = await makeFolder();
  const database = named ?? path.join(state, "todo.db");
  const files = createFilePolicy({ settings: { roots: [root] }, ownPaths: [state] });
  const host = { stateFolder: state, files, now: clock.now, log: () => undefined } satisfies CommandHost;
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [bindPack(todoPack, { ...host, toolIsOn: () => false })({ database, ...settings })],
    largeResults: true,
  });
  const client = await connectTestClient(server, how);
  const todo = new TodoContext({ ...DEFAULTS, database, ...settings }, host);
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    client.close();
    await todo.close();
    await server.close();
  };
  const close = (): Promise<void> => (closing ??= closeAll());
  onTestFinished(close);
  const calls = toolCallsOf(client);
  const make = async (description: string, more: JsonObject = {}): Promise<string> =>
    textOf(await calls.call("create_task", { description, ...more }), "id");
  return { state, root, database, clock, server, client, todo, make, close, ...calls };
}

const DEFAULTS: Settings = { priority: 3, leaseSeconds: 900, commands: [] };

/** Runs the same tests on both databases. One PostgreSQL server serves all tests of a file. */
export function everyDatabase(facts: (open: (options?: BenchOptions) => Promise<Bench>, kind: string) => void): void {
  describe("in SQLite", () => facts(openBench, "sqlite"));
  describe.skipIf(noPostgres !== undefined)(
    `in PostgreSQL${noPostgres === undefined ? "" : ` (left out: ${noPostgres})`}`,
    () => {
      let postgres: PostgresServer | undefined;
      beforeAll(async () => {
        postgres = await startPostgres();
      }, 60_000);
      afterAll(() => postgres?.stop());
      facts(async (options = {}) => {
        const database = options.database ?? (await postgres?.makeDatabase()) ?? "";
        return openBench({ ...options, database });
      }, "postgres");
    },
  );
}
