import { openSqlStore, type SqlStore } from "@toolwright/kit/storage";
import { afterAll, beforeAll, describe } from "vitest";
import type { PostgresServer } from "../../../todo/test/postgres.js";
import { KNOWLEDGE_STORE } from "../../src/store/knowledge-store.js";
import { makeDatabasesBy } from "../kit.js";
import { noPgvector, startPgvector } from "../postgres.js";

/** Says the facts of other files once more, over databases of a PostgreSQL server of their own: what holds in a file holds there. */
export function againInPostgres(load: () => Promise<void>): void {
  const reason = noPgvector === undefined ? "" : ` (left out: ${noPgvector})`;
  describe.skipIf(noPgvector !== undefined)(`in PostgreSQL${reason}`, async () => {
    let [postgres, maker]: [PostgresServer?, SqlStore?] = [];
    beforeAll(async () => {
      postgres = await startPgvector();
      const pattern = await makePattern(postgres);
      const place = await postgres.makeDatabase();
      const store = await openSqlStore(place, KNOWLEDGE_STORE);
      maker = store;
      let made = 0;
      makeDatabasesBy(async () => {
        const name = `knowledge_${(made += 1)}`;
        await store.build(`CREATE DATABASE ${name} TEMPLATE ${nameOf(pattern)} STRATEGY FILE_COPY`);
        return place.replace(`/${nameOf(place)}?`, `/${name}?`);
      });
    }, 60_000);
    afterAll(async () => {
      await maker?.close();
      await postgres?.stop();
    });
    await load();
  });
}

/** A database that has all tables and nothing in them: a copy is had sooner than a new one. */
async function makePattern(postgres: PostgresServer): Promise<string> {
  const place = await postgres.makeDatabase();
  const store = await openSqlStore(place, KNOWLEDGE_STORE);
  await store.close();
  return place;
}

/** The name of a database in its URL. */
const nameOf = (place: string): string => /@\/(\w+)\?/.exec(place)?.[1] ?? "";
