import { setTimeout as wait } from "node:timers/promises";
import type { Client, Pool, PoolClient } from "pg";
import { type Sql, type SqlRow, type SqlStore, type SqlValue, type StoreSchema, toDatabaseError } from "./sql.js";

/** How long to wait for a connection, and for one statement. */
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;

/** Opens a store in a PostgreSQL database, and creates missing tables. */
export async function openPostgresStore(url: string, plan: StoreSchema): Promise<SqlStore> {
  const place = withoutPassword(url);
  try {
    const pg = await loadDriver();
    const options = {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      options: `-c search_path=${[plan.schema, ...(plan.path ?? [])].join(",")}`,
      application_name: "toolwright",
    };
    const pool = new pg.Pool({ ...options, max: 4, allowExitOnIdle: true });
    // An idle connection that breaks is replaced when the next one is needed.
    pool.on("error", () => undefined);
    // An error of a connection in use also rejects the pending query.
    pool.on("connect", (client) => client.on("error", () => undefined));
    await prepare(pool, plan).catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
    return new PostgresStore(place, plan, pool, (timeouts) => new pg.Client({ ...options, ...timeouts }));
  } catch (error) {
    throw toDatabaseError("open", plan.what, place, error);
  }
}

type Connect = (timeouts?: { readonly statement_timeout: false }) => Client;

class PostgresStore implements SqlStore {
  readonly place: string;
  readonly #plan: StoreSchema;
  readonly #pool: Pool;
  readonly #connect: Connect;
  readonly #watchers = new Set<(seq: number) => void>();
  #stopListening: (() => void) | undefined;
  #notifiedSeq = 0;

  constructor(place: string, plan: StoreSchema, pool: Pool, connect: Connect) {
    this.place = place;
    this.#plan = plan;
    this.#pool = pool;
    this.#connect = connect;
  }

  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#within("read", async (client) => {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return work(toSql(client));
    });
  }

  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#within("write", async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock($1)", [this.#plan.lock]);
      const result = await work(toSql(client));
      await client.query(`NOTIFY ${this.#plan.schema}`);
      return result;
    });
  }

  async build(text: string): Promise<void> {
    let client: Client | undefined;
    try {
      client = await connectWhenFree(() => this.#connectAlone());
      await client.query(text);
    } catch (error) {
      throw toDatabaseError("write", this.#plan.what, this.place, error);
    } finally {
      await client?.end().catch(() => undefined);
    }
  }

  /** Opens a connection beside the pool, without a time limit for statements. */
  async #connectAlone(): Promise<Client> {
    const client = this.#connect({ statement_timeout: false });
    // The pending statement is rejected.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  watch(changed: (seq: number) => void): () => void {
    this.#watchers.add(changed);
    this.#stopListening ??= listenFor(this.#plan.schema, this.#connect, () => void this.#notify());
    return () => {
      this.#watchers.delete(changed);
      if (this.#watchers.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = undefined;
    };
  }

  async close(): Promise<void> {
    this.#watchers.clear();
    this.#stopListening?.();
    await this.#pool.end();
  }

  async #within<Result>(operation: string, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    try {
      const client = await connectWhenFree(() => this.#pool.connect());
      let fault: unknown;
      try {
        const result = await work(client);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        fault = error;
        await client.query("ROLLBACK").catch(() => undefined);
        throw error;
      } finally {
        client.release(isBroken(fault));
      }
    } catch (error) {
      throw toDatabaseError(operation, this.#plan.what, this.place, error);
    }
  }

  /** Runs in the background: if the database cannot be read, the next change includes this one. */
  async #notify(): Promise<void> {
    const row = await this.read((sql) => sql.get(this.#plan.newest)).catch(() => undefined);
    const seq = Number(row?.["seq"] ?? 0);
    if (seq <= this.#notifiedSeq) return;
    this.#notifiedSeq = seq;
    for (const changed of this.#watchers) changed(seq);
  }
}

/** What PostgreSQL reports while it has no free slot for a connection, and while it starts: too_many_connections, cannot_connect_now. */
const NOT_FREE: ReadonlySet<unknown> = new Set(["53300", "57P03"]);

/** The pause between two attempts to connect is random, so that waiting processes do not compete in step. */
const PAUSE_MS = { least: 50, most: 250 };

/** Connects. While the server has no free slot, it tries again, for as long as a connection may take. */
async function connectWhenFree<Connection>(connect: () => Promise<Connection>): Promise<Connection> {
  const deadline = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const isFull = error instanceof Error && NOT_FREE.has(Reflect.get(error, "code"));
      if (!isFull || performance.now() > deadline) throw error;
    }
    await wait(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least));
  }
}

/** Whether a connection must not be used again: errors of statements do not affect it. */
const isBroken = (fault: unknown): boolean =>
  fault instanceof Error && !/^[0-9A-Z]{5}$/.test(String(Reflect.get(fault, "code") ?? "")) && "errno" in fault;

/** How often the schema set-up is tried while other sessions create the same objects. */
const SETUP_ATTEMPTS = 5;

/**
 * What PostgreSQL reports when two sessions create the same object at once, in spite of `IF NOT EXISTS`: unique_violation,
 * duplicate_object, duplicate_schema, duplicate_table, serialization_failure, deadlock_detected.
 */
const CONCURRENT_CREATION: ReadonlySet<unknown> = new Set(["23505", "42710", "42P06", "42P07", "40001", "40P01"]);

/** Whether an error, or the error that caused it, reports that another session created the same object. */
const isConcurrentCreation = (error: unknown): boolean =>
  error instanceof Error && (CONCURRENT_CREATION.has(Reflect.get(error, "code")) || isConcurrentCreation(error.cause));

/**
 * Creates the schema and its tables, or upgrades them. The lock serializes our own processes. Other sessions, such as an
 * administrator who creates the extension, do not take it: after a conflict with one of them the set-up runs again and finds
 * what that session committed.
 */
async function prepare(pool: Pool, plan: StoreSchema): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await setUpSchema(pool, plan);
    } catch (error) {
      if (attempt === SETUP_ATTEMPTS || !isConcurrentCreation(error)) throw error;
    }
  }
}

async function setUpSchema(pool: Pool, plan: StoreSchema): Promise<void> {
  const client = await connectWhenFree(() => pool.connect());
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [plan.lock]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${plan.schema}`);
    await client.query("CREATE TABLE IF NOT EXISTS forms (form INTEGER PRIMARY KEY, since TEXT NOT NULL)");
    const { rows } = await client.query<{ form: number | null }>("SELECT max(form) AS form FROM forms");
    const form = rows[0]?.form ?? 0;
    if (form > plan.postgres.length)
      throw new Error(
        `it has schema version ${form}, and this version supports up to ${plan.postgres.length}. Update toolwright, or name another database`,
      );
    await plan.prepare?.(toSql(client));
    for (const [index, text] of plan.postgres.slice(form).entries()) {
      await client.query(text);
      await client.query("INSERT INTO forms VALUES ($1, $2)", [form + index + 1, new Date().toISOString()]);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

const texts = new Map<string, string>();

/** The values are numbered here, and marked by `?` there. */
function numbered(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  let count = 0;
  const made = text.replaceAll("?", () => `$${(count += 1)}`);
  texts.set(text, made);
  return made;
}

function toSql(client: PoolClient): Sql {
  const ask = (text: string, values: SqlValue[]) => client.query<SqlRow>(numbered(text), values.map(storable));
  return {
    dialect: "postgres",
    all: async (text, ...values) => (await ask(text, values)).rows,
    get: async (text, ...values) => (await ask(text, values)).rows[0],
    run: async (text, ...values) => (await ask(text, values)).rowCount ?? 0,
  };
}

/** PostgreSQL texts cannot contain NUL; the replacement has the same length. */
const storable = (value: SqlValue): SqlValue =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;

async function loadDriver(): Promise<Pick<typeof import("pg"), "Pool" | "Client">> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    throw new Error('the package "pg" is not installed. Run "npm install pg" beside toolwright', { cause: error });
  }
}

/** Its location, for people and logs. */
function withoutPassword(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
  } catch {
    return "the PostgreSQL database of the settings";
  }
}

/** How long to wait before a lost connection is made anew. */
const AGAIN_MS = 1000;

/** Listens to a channel, over its own connection, which is replaced when it breaks. Returns a function that stops it. */
export function listenFor(channel: string, connect: () => Client, onNotification: () => void): () => void {
  let client: Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let isOver = false;

  const lost = (broken: Client): void => {
    if (isOver || client !== broken) return;
    client = undefined;
    void broken.end().catch(() => undefined);
    again = setTimeout(start, AGAIN_MS).unref();
  };
  const start = (): void => {
    const fresh = connect();
    client = fresh;
    fresh.on("notification", onNotification);
    fresh.on("error", () => lost(fresh));
    fresh.on("end", () => lost(fresh));
    // Reports changes from the time without connection.
    fresh
      .connect()
      .then(() => fresh.query(`LISTEN ${channel}`))
      .then(onNotification)
      .catch(() => lost(fresh));
  };
  start();
  return () => {
    isOver = true;
    clearTimeout(again);
    void client?.end().catch(() => undefined);
  };
}
