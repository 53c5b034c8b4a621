import { existsSync } from "node:fs";
import { isServer } from "@toolwright/kit/storage/ledger/is-server.js";

/** Whether a database would have to be made as a file; a server is asked by those who open it. */
export const isMissing = (database: string): boolean => !isServer(database) && !existsSync(database);
