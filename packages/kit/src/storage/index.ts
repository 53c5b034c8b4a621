export { createLazyTaskStore } from "./lazy-task-store.js";
export { describeProcess, HEARTBEAT_MS, isRunning, LEASES_TABLE, ProcessLeases } from "./process-leases.js";
export { ChangeFeed } from "./sql/change-feed.js";
export { openPostgresStore } from "./sql/postgres-store.js";
export {
  insertRows,
  isDatabaseUrl,
  openSqlStore,
  type Sql,
  type SqlRow,
  type SqlStore,
  type SqlValue,
  type StoreSchema,
} from "./sql/sql.js";
export { openSqliteStore } from "./sql/sqlite-store.js";
export { Database, migrate, openDatabase, type Row, type Statement, StorageError, toStorageError } from "./sqlite.js";
