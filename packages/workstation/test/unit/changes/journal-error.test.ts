import { StorageError } from "@toolwright/kit/storage";
import { expect, test } from "vitest";
import { toJournalError } from "../../../src/changes/journal.js";

test("a missing driver is reported with what to install", () => {
  const cause = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  expect(toJournalError(new StorageError("UNUSABLE", "journal.db", cause.message, cause))).toMatchObject({
    code: "UNAVAILABLE",
    message:
      "Cannot use the undo journal, and files are only changed with it: it needs SQLite, which this Node.js does not have. Use Node.js 22.13 or newer, or install it: npm install @photostructure/sqlite.",
  });
});

test("other errors are not changed", () => {
  const error = new Error("a bug");
  expect(toJournalError(error)).toBe(error);
});
