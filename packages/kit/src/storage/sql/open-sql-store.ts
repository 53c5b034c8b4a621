import type { SqlStore, StoreSchema } from "./sql.js";
import { isDatabaseUrl } from "./sql.js";

/** Opens what a plan keeps, in a SQLite file or in the PostgreSQL database of a URL. */
export async function openSqlStore(database: string, plan: StoreSchema): Promise<SqlStore> {
  if (isDatabaseUrl(database)) return (await import("./postgres-store.js")).openPostgresStore(database, plan);
  return (await import("./sqlite-store.js")).openSqliteStore(database, plan);
}
