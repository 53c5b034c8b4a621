import { StorageError } from "@toolwright/kit/storage";
import { expect, test } from "vitest";
import { toJournalFault } from "../../../src/changes/journal-fault.js";

test("a missing driver is said with what to install", () => {
  const cause = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  expect(toJournalFault(new StorageError("UNUSABLE", "journal.db", cause.message, cause))).toMatchObject({
    code: "UNAVAILABLE",
    message:
      "Cannot use the journal without which nothing is changed: it needs SQLite, which this Node.js does not have. Use Node.js 22.13 or newer, or install it: npm install @photostructure/sqlite.",
  });
});

test("what is no fault of the storage is passed on", () => {
  const error = new Error("a bug");
  expect(toJournalFault(error)).toBe(error);
});
