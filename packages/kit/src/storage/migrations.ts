import type { Database } from "./sqlite.js";
import { StorageError } from "./storage-error.js";

/**
 * Brings a database to the newest form: step n of the list leads to form n, and each is taken once. Steps are only ever
 * added; a file of a newer form than this program knows is left alone.
 */
export function migrate(database: Database, steps: readonly string[]): void {
  if (formOf(database) === steps.length) return;
  database.transaction(() => {
    // Read again: another process may have done it while this one waited for the lock.
    const form = formOf(database);
    if (form > steps.length) {
      throw new StorageError(
        "NEWER",
        database.file,
        `it has form ${form}, and this version knows forms up to ${steps.length}. Update toolwright, or name another file`,
      );
    }
    database.exec("CREATE TABLE IF NOT EXISTS forms (form INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT");
    const note = database.prepare("INSERT INTO forms VALUES (?, ?)");
    for (const [index, sql] of steps.slice(form).entries()) {
      database.exec(sql);
      note.run(form + index + 1, new Date().toISOString());
    }
  });
}

function formOf(database: Database): number {
  const table = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'forms'").get();
  if (table === undefined) return 0;
  return Number(database.prepare("SELECT max(form) AS form FROM forms").get()?.["form"] ?? 0);
}
