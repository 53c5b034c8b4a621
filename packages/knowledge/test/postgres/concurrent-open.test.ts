import { setTimeout as delay } from "node:timers/promises";
import { openPostgresStore, type Sql, type SqlStore, type StoreSchema } from "@toolwright/kit/storage";
import { TODO_STORE } from "@toolwright/todo/store/schema.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { PostgresServer } from "../../../todo/test/postgres.js";
import { KNOWLEDGE_STORE } from "../../src/store/knowledge-store.js";
import { noPgvector, startPgvector } from "../postgres.js";

/** A database administrator's session. It does not take the locks of the packs. */
const ADMIN: StoreSchema = {
  what: "the database",
  sqlite: [],
  postgres: [],
  schema: "admin",
  lock: 1,
  newest: "SELECT 0 AS seq",
};

const CREATE_EXTENSION = "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public";
const CONNECTIONS = 8;
const ROUNDS = 5;

describe.skipIf(noPgvector !== undefined)(
  `opening one PostgreSQL database concurrently${noPgvector === undefined ? "" : ` (skipped: ${noPgvector})`}`,
  () => {
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      postgres = await startPgvector();
    }, 60_000);
    afterAll(() => postgres?.stop());

    const makeDatabase = async (): Promise<string> => (await postgres?.makeDatabase()) ?? "";

    async function openAdmin(database: string): Promise<SqlStore> {
      const admin = await openPostgresStore(database, ADMIN);
      onTestFinished(() => admin.close());
      return admin;
    }

    test.each([
      { plan: KNOWLEDGE_STORE, object: "the extension", before: [], create: CREATE_EXTENSION },
      { plan: KNOWLEDGE_STORE, object: "the schema", before: [], create: "CREATE SCHEMA toolwright_knowledge" },
      { plan: TODO_STORE, object: "the schema", before: [], create: `CREATE SCHEMA ${TODO_STORE.schema}` },
      {
        plan: TODO_STORE,
        object: "the table of versions",
        before: [`CREATE SCHEMA ${TODO_STORE.schema}`],
        create: `CREATE TABLE ${TODO_STORE.schema}.forms (form INTEGER PRIMARY KEY, since TEXT NOT NULL)`,
      },
    ])("$plan.what opens while another session commits $object", async ({ plan, before, create }) => {
      const database = await makeDatabase();
      const admin = await openAdmin(database);
      for (const statement of before) await admin.build(statement);
      const opened = await admin.write(async (sql) => {
        await sql.run(create);
        const opening = openTogether(database, plan);
        await untilBlocked(sql);
        return { opening };
      });
      expect(await opened.opening).toEqual([]);
    });

    test("sessions that create the extension at the same time do not break the knowledge base", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const database = await makeDatabase();
        const admin = await openAdmin(database);
        const [failures] = await Promise.all([
          openTogether(database, KNOWLEDGE_STORE),
          // These may fail: PostgreSQL reports a duplicate key to a session that loses the race.
          Promise.allSettled(Array.from({ length: CONNECTIONS }, () => admin.build(CREATE_EXTENSION))),
        ]);
        expect(failures).toEqual([]);
      }
    });

    test("a conflict that does not go away is reported", async () => {
      const database = await makeDatabase();
      const admin = await openAdmin(database);
      await admin.build(`CREATE SCHEMA ${TODO_STORE.schema}`);
      await admin.build(`CREATE TABLE ${TODO_STORE.schema}.tasks (id INTEGER)`);
      await expect(openPostgresStore(database, TODO_STORE)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/^Cannot open the tasks in .*: relation "tasks" already exists$/),
      });
    });
  },
);

/** Opens the database over several connections at once and closes them. Returns the error messages. */
async function openTogether(database: string, plan: StoreSchema): Promise<string[]> {
  const results = await Promise.allSettled(
    Array.from({ length: CONNECTIONS }, async () => (await openPostgresStore(database, plan)).close()),
  );
  return results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
}

/** Resolves when another session waits for this session's transaction to end. */
async function untilBlocked(sql: Sql): Promise<void> {
  const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))";
  while ((await sql.get(waiting)) === undefined) await delay(10);
}
