import { expect, test } from "vitest";
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from "../../../src/store/migrations.js";

test("PostgreSQL has every table and index of SQLite, and nothing that only SQLite knows", () => {
  const [lite, post] = [SQLITE_MIGRATIONS.join("\n"), POSTGRES_MIGRATIONS.join("\n")];
  expect(POSTGRES_MIGRATIONS).toHaveLength(SQLITE_MIGRATIONS.length);
  for (const [made] of lite.matchAll(/CREATE (?:TABLE|(?:UNIQUE )?INDEX) \w+/g)) expect(post).toContain(made);
  expect(post).not.toMatch(/STRICT|ROWID|AUTOINCREMENT|BLOB|TEXT(?! COLLATE "C")/);
});
