import { isServer } from "./is-server.js";
import type { Ledger, LedgerPlan } from "./sql.js";

/** Opens what a plan keeps, in a SQLite file or in the PostgreSQL database of a URL. */
export async function openLedger(database: string, plan: LedgerPlan): Promise<Ledger> {
  if (isServer(database)) return (await import("./postgres-ledger.js")).openPostgresLedger(database, plan);
  return (await import("./sqlite-ledger.js")).openSqliteLedger(database, plan);
}
