export { AccessPolicy } from "./access-policy.js";
export { fromUri } from "./bounds.js";
export { builtFile } from "./built-file.js";
export { currentFolder } from "./current-folder.js";
export { entryKind } from "./entry-kind.js";
export {
  alreadyExists,
  changedMeanwhile,
  deniedPath,
  forbiddenPath,
  notFound,
  wrongKind,
  wrongPath,
} from "./errors.js";
export { FileAccess, type OpenEntry } from "./file-access.js";
export { createFilePolicy, type FilePolicy, type FilePolicyOptions } from "./file-policy.js";
export { readAt, readingOf } from "./file-scan.js";
export { DEFAULT_FILE_SETTINGS, FILE_SETTINGS, type FileSettings } from "./file-settings.js";
export { hasUri, toFileUri } from "./file-uri.js";
export { fitToBudget, MAX_RESULT_BYTES, sizeInJson } from "./fit-to-budget.js";
export { FolderLists } from "./folder-lists.js";
export { FolderWatch } from "./folder-watch.js";
export { compileGlob, type Glob } from "./glob.js";
export { lazyFileAccess } from "./lazy-file-access.js";
export { listFolder } from "./list-folder.js";
export { mediaType } from "./media.js";
export { mergeThree } from "./merge.js";
export { OpenFolder } from "./open-folder.js";
export { findPathError, isWithin } from "./paths.js";
export { statAll } from "./read-entries.js";
export { tooLarge } from "./read-errors.js";
export type { FileReading, ReadFileOptions } from "./read-file.js";
export { type FileContents, readFileSync } from "./read-file-sync.js";
export { findRipgrep } from "./ripgrep.js";
export { findSettingRoots } from "./roots.js";
export { type SearchOptions, type SearchPage, searchFiles } from "./search.js";
export { startFolders } from "./start-folder.js";
export { statIfExists } from "./stat-if-exists.js";
export { decodeText, encodeText, formOf, hashOf, type TextForm, wholeBytes } from "./text.js";
export { unifiedDiff } from "./unified-diff.js";
export { type Walked, walk } from "./walk.js";
export { withTimeout } from "./with-timeout.js";
export { temporaryName, type WriteOptions, writeAtomically } from "./write-atomically.js";
