import { expect, test } from "vitest";
import { toStorageError } from "../../../src/storage/sqlite.js";

test.each([
  { errcode: 13, code: "FULL" },
  // No room for the index of the write-ahead log: SQLite calls it an I/O error.
  { errcode: 4874, code: "FULL" },
  { errcode: 778, code: "UNUSABLE" },
  { errcode: 261, code: "LOCKED" },
])("an error of SQLite with the code $errcode is $code", ({ errcode, code }) => {
  expect(toStorageError("a.db", Object.assign(new Error("disk I/O error"), { errcode }))).toMatchObject({ code });
});
