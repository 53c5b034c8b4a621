export { AccessPolicy } from "./access-policy.js";
export { builtFile } from "./built-file.js";
export {
  alreadyExists,
  changedMeanwhile,
  deniedPath,
  forbiddenPath,
  notFound,
  tooLarge,
  wrongKind,
  wrongPath,
} from "./errors.js";
export { FileAccess, type OpenEntry } from "./file-access.js";
export {
  type FileContents,
  OpenFolder,
  readFileSync,
  temporaryName,
  type WriteOptions,
  writeAtomically,
} from "./file-handles.js";
export {
  createFilePolicy,
  type FilePolicy,
  type FileSettings,
} from "./file-policy.js";
export { readAt, readingOf } from "./file-scan.js";
export { entryKind } from "./file-stats.js";
export { fitToBudget, MAX_RESULT_BYTES, sizeInJson } from "./fit-to-budget.js";
export { removeStaleLock } from "./folder-lock.js";
export { FolderWatch } from "./folder-watch.js";
export { compileGlob, compileGlobs, type Glob } from "./glob.js";
export { FolderLists, listFolder, statAll, statIfExists } from "./list-folder.js";
export { mediaType } from "./media.js";
export { mergeThree } from "./merge.js";
export { findPathError, fromUri, hasUri, isWithin, toFileUri } from "./paths.js";
export type { FileReading, ReadFileOptions } from "./read-file.js";
export { findRipgrep } from "./ripgrep.js";
export { type SearchOptions, type SearchPage, searchFiles } from "./search.js";
export { currentFolder } from "./start-folder.js";
export { decodeText, encodeText, formOf, hashOf, type TextForm, unifiedDiff, wholeBytes } from "./text.js";
export { type Walked, walk } from "./walk.js";
export { WatchedFolders } from "./watched-folders.js";
export { withTimeout } from "./with-timeout.js";
