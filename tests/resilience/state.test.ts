import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@toolwright/kit/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { HttpClient } from "./http-client.js";
import { RealServer } from "./real-server.js";
import { type StoredValue, StoredValues } from "./stored-values.js";

const program = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));
const clock = new URL("./shifted-clock.mjs", import.meta.url).href;

/** Starts the real program with a folder of its own, and a client with a key. */
async function start() {
  const configFolder = mkdtempSync(path.join(tmpdir(), "state-"));
  const folder = path.join(configFolder, "data");
  mkdirSync(folder);
  const clockFile = path.join(configFolder, "clock");
  const setClock = (hours: number): void => writeFileSync(clockFile, String(hours * 3_600_000));
  setClock(0);
  const server = new RealServer({
    program,
    folder,
    configFolder,
    keyNames: ["client"],
    nodeArgs: ["--import", clock],
    env: { CLOCK_FILE: clockFile },
  });
  const client = new HttpClient({ name: "client", hasKey: true, address: "127.0.0.1" }, () => server.port);
  onTestFinished(async () => {
    client.close();
    await server.end("SIGKILL");
    rmSync(configFolder, { recursive: true });
  });
  await server.start();
  return { server, client, values: new StoredValues(client), setClock };
}

/** What is read after `store(name)`. */
const stored = (name: string): StoredValue => ({ task: name, file: name, document: name, hasResult: true });

const databases = (folder: string, ending = ".db"): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

describe("a server that ends leaves everything in the main files of its databases", () => {
  test.each(["SIGTERM", "the end of stdin"] as const)(
    "by %s",
    async (how) => {
      const { server, values } = await start();
      await values.store("alpha");
      expect(await (how === "SIGTERM" ? server.end("SIGTERM") : server.endInput())).toBe(0);
      const sideFiles = [...databases(server.state, "-wal"), ...databases(server.state, "-shm")];
      expect(sideFiles.filter((file) => file.endsWith("-wal") && statSync(file).size > 0)).toEqual([]);
      expect(
        databases(server.state)
          .map((file) => path.basename(file))
          .toSorted(),
      ).toEqual(["journal.db", "knowledge.db", "tasks.db", "todo.db"]);
      // A copy of the main files is a backup.
      for (const file of sideFiles) rmSync(file);
      await server.start();
      expect(await values.read("alpha", "undo")).toEqual({ ...stored("alpha"), undone: "before" });
    },
    60_000,
  );
});

test("a clock that jumps, also back, loses nothing and keeps the order of changes", async () => {
  const { server, values, setClock } = await start();
  await values.store("alpha");
  setClock(5);
  await sleep(100);
  await values.store("beta");
  expect(await values.read("alpha")).toEqual(stored("alpha"));
  setClock(-5);
  await sleep(100);
  await values.store("gamma");
  for (const name of ["alpha", "beta"]) expect(await values.read(name)).toEqual(stored(name));
  expect(await values.read("gamma", "undo")).toEqual({ ...stored("gamma"), undone: "before" });
  expect(await server.end("SIGKILL")).toBe("SIGKILL");
  setClock(-10);
  await server.start();
  for (const name of ["alpha", "beta"]) expect(await values.read(name)).toEqual(stored(name));
  expect(await values.read("gamma", "undo")).toEqual({ ...stored("gamma"), undone: "before" });
}, 90_000);

describe("a database of a newer version", () => {
  const changeVersion = async (file: string, sql: string): Promise<void> => {
    const database = await openDatabase(file);
    database.exec(sql);
    database.close();
  };

  test.each([
    ["todo.db", "list_tasks", {}],
    ["knowledge.db", "kb_list_collections", {}],
    ["journal.db", "fs_write_file", { path: "b.txt", content: "b" }],
    ["tasks.db", undefined, {}],
  ] as const)(
    "is refused with a message that says what to do, and left as it is: %s",
    async (name, tool, args) => {
      const { server, client, values } = await start();
      await values.store("alpha");
      await server.end("SIGTERM");
      const [file = ""] = databases(server.state, name);
      await changeVersion(file, "INSERT INTO forms VALUES (99, 'later')");
      await server.start();
      if (tool === undefined) {
        const headers = await client.openSession();
        const params = { name: "kb_evaluate", arguments: { collection: "alpha" }, task: {} };
        const { message } = await client.send("tools/call", params, headers);
        expect(message.error).toMatchObject({ data: { code: "TASKS_UNAVAILABLE" } });
        expect(server.stderrTail).toMatch(
          /it has schema version 99, and this version supports up to \d+\. Update toolwright/,
        );
      } else {
        const { message } = await client.callTool(tool, args, 20_000);
        expect(message.result).toMatchObject({ isError: true });
        expect(JSON.stringify(message.result)).toMatch(
          /it has schema version 99, and this version supports up to \d+\. Update toolwright/,
        );
      }
      await server.end("SIGTERM");
      await changeVersion(file, "DELETE FROM forms WHERE form = 99");
      await server.start();
      expect(await values.read("alpha")).toEqual(stored("alpha"));
    },
    60_000,
  );
});
