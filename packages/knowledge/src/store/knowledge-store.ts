import type { Sql, StoreSchema } from "@toolwright/kit/storage";
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from "./migrations.js";

/** The first pgvector version with half vectors and iterative index scans. */
const OLDEST = [0, 8] as const;

/** The schemas that usually contain extensions. */
const EXTENSION_SCHEMAS: readonly string[] = ["public", "extensions"];

/**
 * Creates the extension pgvector if it is missing. Throws an `Error` that says what a database owner must do. Its SQL is in lower case,
 * because upper-case statements are removed from errors that clients see.
 */
async function preparePgvector(sql: Sql): Promise<void> {
  const found = await sql.get(
    `SELECT e.extversion AS version, n.nspname AS schema, current_database() AS database,
       (n.nspname = ANY (current_schemas(false)))::integer AS reached
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  if (found === undefined) return createExtension(sql);
  const version = String(found["version"]);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === OLDEST[0] && minor < OLDEST[1])
    throw new Error(
      `pgvector ${version} is too old; ${OLDEST.join(".")} or later is required. Update it on the server, then have an owner run: psql ${String(found["database"])} -c 'alter extension vector update'`,
    );
  const schema = String(found["schema"]);
  if (found["reached"] === 0)
    throw new Error(
      `the extension vector is in the schema ${schema}, which is not on the search path. Have an owner run: psql ${String(found["database"])} -c 'alter extension vector set schema public'`,
    );
}

async function createExtension(sql: Sql): Promise<void> {
  const server = await sql.get(
    `SELECT current_database() AS database, current_user AS login, current_setting('server_version_num')::integer / 10000 AS major,
       (SELECT count(*) FROM pg_available_extensions WHERE name = 'vector')::integer AS available`,
  );
  if (server?.["available"] === 0)
    throw new Error(
      `the server does not have pgvector. Install it there (Debian, Ubuntu: apt-get install postgresql-${String(server["major"])}-pgvector; others: https://github.com/pgvector/pgvector), or leave the setting database out to keep the knowledge base in a file`,
    );
  try {
    // Another session may have created it since the query above. If that session commits while this statement runs, PostgreSQL
    // reports a duplicate key in spite of IF NOT EXISTS; the caller finds that in `cause` and runs the set-up again.
    await sql.run("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${String(server?.["login"])} cannot create the extension vector (${reason}). Have a superuser run once: psql ${String(server?.["database"])} -c 'create extension vector'`,
      { cause: error },
    );
  }
}

/** The kinds of changes to a collection. */
export type ChangeKind =
  | "created"
  | "deleted"
  | "ingest_started"
  | "ingest_ended"
  | "promoted"
  | "rolled_back"
  | "pinned"
  | "unpinned"
  | "evaluated"
  | "tools";

/** Records a change in the same transaction, so that other processes can show it. */
export async function noteChange(
  sql: Sql,
  change: {
    readonly at: string;
    /** The name. */
    readonly collection: string;
    readonly kind: ChangeKind;
    readonly note?: string | undefined;
  },
): Promise<void> {
  const { at, collection, kind, note = null } = change;
  await sql.run("INSERT INTO changes (at, collection, kind, note) VALUES (?, ?, ?, ?)", at, collection, kind, note);
}

/** The database schema of the knowledge base. */
export const KNOWLEDGE_STORE: StoreSchema = {
  what: "the knowledge base",
  sqlite: SQLITE_MIGRATIONS,
  postgres: POSTGRES_MIGRATIONS,
  schema: "toolwright_knowledge",
  lock: 7_207_611_015,
  newest: "SELECT max(seq) AS seq FROM changes",
  prepare: preparePgvector,
  path: EXTENSION_SCHEMAS,
};
