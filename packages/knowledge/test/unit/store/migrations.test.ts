import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openSqliteStore } from "@toolwright/kit/storage";
import { expect, onTestFinished, test } from "vitest";
import { findCollection } from "../../../src/collections/find-collection.js";
import { KNOWLEDGE_STORE } from "../../../src/store/knowledge-store.js";
import { SQLITE_MIGRATIONS } from "../../../src/store/migrations.js";

test("a knowledge base of the first form is brought to the newest, and keeps what it has", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "forms-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const file = path.join(folder, "knowledge.db");
  const before = await openSqliteStore(file, { ...KNOWLEDGE_STORE, sqlite: SQLITE_MIGRATIONS.slice(0, 1) });
  await before.write((sql) =>
    sql.run(
      "INSERT INTO collections (name, description, chunk_size, chunk_overlap, metadata, created_at, updated_at) VALUES ('docs', '', 512, 50, '{}', '', '')",
    ),
  );
  await before.close();
  const after = await openSqliteStore(file, KNOWLEDGE_STORE);
  expect(await after.read((sql) => findCollection(sql, "docs"))).toMatchObject({ name: "docs", folder: null });
  await after.close();
});
