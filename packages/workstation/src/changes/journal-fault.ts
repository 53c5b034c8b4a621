import { ToolError } from "@toolwright/engine";
import { StorageError } from "@toolwright/kit/storage";

/** What the loader of modules says where an optional package is not installed, or not for this machine. */
const NOT_INSTALLED = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_DLOPEN_FAILED"]);

/** Says in plain words why the journal cannot be used; anything that is no fault of the storage is passed on as it is. */
export function toJournalFault(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  const isMissing = typeof code === "string" && NOT_INSTALLED.has(code);
  const why = isMissing
    ? "it needs SQLite, which this Node.js does not have. Use Node.js 22.13 or newer, or install it: npm install @photostructure/sqlite"
    : error.message.replace(/\.?$/, "");
  return new ToolError(`Cannot use the journal without which nothing is changed: ${why}.`, {
    code: "UNAVAILABLE",
    cause: error,
  });
}
