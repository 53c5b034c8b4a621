import path from "node:path";
import type { SqlStore } from "../storage/index.js";
import type { ChangeFeed } from "./page.js";

/** The changes of a database, and where it is, for the pages that show it. The query selects a number, `seq`, that every change increases. */
export function storeChanges(open: () => Promise<SqlStore>, query: string) {
  return {
    changes: {
      async position() {
        const store = await open();
        const row = await store.read((sql) => sql.get(query));
        return Number(row?.["seq"] ?? 0);
      },
      watch(onChange) {
        let isStopped = false;
        let stop: (() => void) | undefined;
        const start = async (): Promise<void> => {
          const store = await open();
          if (!isStopped) stop = store.watch(onChange);
        };
        // A database that cannot be opened fails in `position`, where the dashboard reports it.
        start().catch(() => undefined);
        return () => {
          isStopped = true;
          stop?.();
        };
      },
    } satisfies ChangeFeed,
    /** The name of the file, or the address without the password; undefined if the database cannot be opened. */
    async source(): Promise<string | undefined> {
      try {
        const { place } = await open();
        return place.includes("://") ? place : path.basename(place);
      } catch {
        return undefined;
      }
    },
  };
}
