import { expect, test } from "vitest";
import { POSTGRES_FORMS, SQLITE_FORMS } from "../../../src/store/migrations.js";

test("PostgreSQL has every table and index of SQLite, and nothing that only SQLite knows", () => {
  const [lite, post] = [SQLITE_FORMS.join("\n"), POSTGRES_FORMS.join("\n")];
  expect(POSTGRES_FORMS).toHaveLength(SQLITE_FORMS.length);
  for (const [made] of lite.matchAll(/CREATE (?:TABLE|(?:UNIQUE )?INDEX) \w+/g)) expect(post).toContain(made);
  expect(post).not.toMatch(/STRICT|ROWID|AUTOINCREMENT|BLOB|TEXT(?! COLLATE "C")/);
});
