// What changes files and describes changes, in one chunk that is loaded with the first change.
export { describeApplied } from "./changes.js";
export { describeChange, describeLeftOut } from "./describe-change.js";
export { draftDelete, draftFolder, draftMove, draftWrite, throwNotFound } from "./drafts.js";
export { toText } from "./file-state.js";
export { pathsOf } from "./journal-tables.js";
export { revert } from "./revert.js";
export { changeBefore, isAmbiguousName, redoable, selectChanges, undoable } from "./select-changes.js";
export { beginTransaction, commitTransaction, findOpenTransaction, rollBackTransaction } from "./transactions.js";
export { describeWritten, editBytes, encodeLike, rejectStaleWrite, tryEdits } from "./write-file.js";
