import { openPostgresStore, type StoreSchema } from "@toolwright/kit/storage";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, type PostgresServer, startPostgres } from "../../../todo/test/postgres.js";
import { ensureNearIndexes, findNearRows, hasNearIndex, writeVectors } from "../../src/search/postgres/vectors.js";
import { ByteCache } from "../../src/search/segment.js";
import type { Part } from "../../src/search/views.js";
import { openBench } from "../kit.js";
import { noPgvector, startPgvector } from "../postgres.js";

/** Whoever looks after a database, and has nothing of ours in it. */
const SUPERUSER: StoreSchema = {
  what: "the database",
  sqlite: [],
  postgres: [],
  schema: "superuser",
  lock: 1,
  newest: "SELECT 0 AS seq",
};

describe.skipIf(noPgvector !== undefined)(
  `a server with pgvector${noPgvector === undefined ? "" : ` (left out: ${noPgvector})`}`,
  () => {
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      postgres = await startPgvector();
    }, 60_000);
    afterAll(() => postgres?.stop());

    const open = async () => openBench({ database: (await postgres?.makeDatabase()) ?? "" });

    test("a role that cannot create the extension gets the command for a superuser", async () => {
      // No pack of the superuser may ever have opened it: it would have made what the visitor is to make.
      const database = (await postgres?.makeDatabase()) ?? "";
      const name = /\/(\w+)\?/.exec(database)?.[1] ?? "";
      const store = await openPostgresStore(database, SUPERUSER);
      onTestFinished(() => store.close());
      await store.build("CREATE ROLE visitor LOGIN");
      await store.build(`GRANT ALL ON DATABASE ${name} TO visitor`);
      const visitor = await openBench({ database: database.replace("tester@", "visitor@") });
      expect(await visitor.fail("kb_create", { name: "docs" })).toMatchObject({
        code: "UNAVAILABLE",
        text: expect.stringMatching(
          new RegExp(
            `visitor cannot create the extension vector \\(permission denied .*\\). Have a superuser run once: psql ${name} -c 'create extension vector'`,
          ),
        ),
      });
      await store.build("CREATE EXTENSION vector SCHEMA public");
      expect(await visitor.call("kb_create", { name: "docs" })).toMatchObject({ name: "docs" });
    });

    test("reports an extension outside the search path", async () => {
      const { context, database } = await open();
      const store = await context.store();
      await store.build("CREATE SCHEMA elsewhere");
      await store.build("ALTER EXTENSION vector SET SCHEMA elsewhere");
      const again = await openBench({ database });
      expect((await again.fail("kb_create", { name: "docs" })).text).toMatch(
        /the extension vector is in the schema elsewhere.*alter extension vector set schema public/,
      );
    });

    test("a NUL, which PostgreSQL cannot keep, stops no document", async () => {
      const { call, context } = await open();
      await call("kb_create", { name: "docs" });
      const texts = [
        { name: "a.json", text: '{"title": "A\\u0000B", "says": "left\\u0000right"}', title: "Two\0parts" },
      ];
      expect(await call("kb_ingest", { collection: "docs", texts })).toMatchObject({ succeeded: 1, promoted: true });
      const store = await context.store();
      expect(await store.read((sql) => sql.get("SELECT title FROM revisions"))).toEqual({ title: "Two\ufffdparts" });
    });

    test("a large collection is asked through an index, which goes with its segment", async () => {
      const { context, call } = await open();
      await call("kb_create", { name: "docs" });
      const store = await context.store();
      const [dimension, rows, limit] = [32, 4000, 20];
      const row = await store.write((sql) =>
        sql.get(
          "INSERT INTO segments (collection, embedder, dimension, rows) VALUES (1, 'e', ?, ?) RETURNING id",
          dimension,
          rows,
        ),
      );
      const id = Number(row?.["id"]);
      let state = 3;
      const vectors = Array.from({ length: rows }, () =>
        Int8Array.from({ length: dimension }, () => ((state = (state * 48_271) % 2_147_483_647) % 255) - 127),
      );
      const scales = vectors.map((_, place) => (place % 10 === 0 ? 0 : 1));
      await writeVectors(store, id, vectors, scales, undefined);
      const isIndexed = () => store.read((sql) => hasNearIndex(sql, id));
      expect(await isIndexed()).toBe(false);
      await store.write((sql) => sql.run("UPDATE segments SET rows = 100001 WHERE id = ?", id));
      await ensureNearIndexes(store, id, undefined);
      expect(await isIndexed()).toBe(true);

      const mask = Uint8Array.from(vectors, (_, place) => (place % 3 === 0 ? 0 : 1));
      const question = Float32Array.from({ length: dimension }, (_, index) => Math.sin(index));
      const near = (size: number) => {
        const part = { columns: { id }, offset: 0, dimension, view: { rows: size } } as unknown as Part;
        return store.read((sql) => findNearRows(sql, new ByteCache(1000), [{ part, mask }], question, limit));
      };
      const exact = await near(100_000);
      const cosine = (vector: Int8Array): number => {
        let [dot, one, other] = [0, 0, 0];
        for (const [at, component] of vector.entries()) {
          dot += component * (question[at] as number);
          one += component ** 2;
          other += (question[at] as number) ** 2;
        }
        return dot / Math.sqrt(one * other);
      };
      const expected = vectors
        .map((vector, place) => ({ place, cosine: cosine(vector) }))
        .filter(({ place }) => mask[place] === 1 && scales[place] === 1)
        .sort((one, other) => other.cosine - one.cosine)
        .slice(0, limit);
      for (const [at, { cosine: score }] of exact.entries()) expect(score).toBeCloseTo(expected[at]?.cosine ?? 0, 3);
      expect(new Set(exact.map(({ row: place }) => place))).toEqual(new Set(expected.map(({ place }) => place)));
      const indexed = await near(100_001);
      const common = indexed.filter(({ row: place }) => expected.some((each) => each.place === place));
      expect(indexed).toHaveLength(limit);
      expect(common.length).toBeGreaterThanOrEqual(limit * 0.8);

      await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "Text." }] });
      expect(await isIndexed()).toBe(false);
    }, 60_000);
  },
);

describe.skipIf(noPostgres !== undefined)(
  `a server without pgvector${noPostgres === undefined ? "" : ` (left out: ${noPostgres})`}`,
  () => {
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      postgres = await startPostgres();
    }, 60_000);
    afterAll(() => postgres?.stop());

    test("what to install there is said", async () => {
      const { fail } = await openBench({ database: (await postgres?.makeDatabase()) ?? "" });
      expect(await fail("kb_create", { name: "docs" })).toMatchObject({
        code: "UNAVAILABLE",
        text: expect.stringMatching(/the server does not have pgvector\. Install it there \(.*postgresql-\d+-pgvector/),
      });
    });
  },
);
