// All that changes files and tells of it, in one chunk that is loaded with the first change.
export { placesOf } from "./change.js";
export { changeBefore, isTakenForOther, redoable, take, undoable } from "./choose.js";
export { draftDelete, draftFolder, draftMove, draftWrite, refuseAbsent } from "./drafts.js";
export { editBytes, editedText } from "./edit-file.js";
export { encodeAs } from "./encode-as.js";
export { goBack } from "./go-back.js";
export { tellLeft } from "./lost-content.js";
export { refuseStale } from "./refuse-stale.js";
export { textOf } from "./text-of.js";
export { tell } from "./told.js";
export { beginBundle, commitBundle, openBundle, rollBackBundle } from "./transactions.js";
export { toMade, toWritten } from "./written.js";
