import { existsSync } from "node:fs";
import { isDatabaseUrl } from "../storage/sql/sql.js";

/** Whether a database would have to be made as a file; a server is asked by those who open it. */
export const isMissing = (database: string): boolean => !isDatabaseUrl(database) && !existsSync(database);
