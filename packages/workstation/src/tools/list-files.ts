import { Content, type Tool, text, tool } from "@toolwright/engine";
import { FolderLists, fitToBudget, listFolder, statIfExists } from "@toolwright/kit/files";
import { CURSOR, NEXT_CURSOR, nextCursor, nextOffset, offsetOf, READ } from "@toolwright/kit/pack";
import { toolProgress } from "@toolwright/kit/progress";
import type { Workstation } from "../workstation.js";
import { acceptNames, FOLDER_NAMES, PATH_NAMES } from "./arguments.js";

const count = { type: "integer", minimum: 0 } as const;
const word = { type: "string" } as const;

const IGNORED = { type: "boolean", default: false, description: "Include what git ignores" } as const;
const SKIPPED = { type: "array", items: word, description: "Folders that could not be read" } as const;

/** The tools that list and describe files and folders. */
export const listTools = (workstation: Workstation): readonly Tool[] => [
  fsListDirectory(workstation),
  fsTree(workstation),
  fsFind(workstation),
  fsSearch(workstation),
  fsInfo(workstation),
  fsExists(workstation, "file"),
  fsExists(workstation, "directory"),
];

const fsListDirectory = (workstation: Workstation) => {
  const lists = new FolderLists();
  return tool({
    name: "fs_list_directory",
    title: "List a folder",
    description:
      "Lists the entries of one folder with sizes and times, hidden ones included. For subfolders use fs_tree.",
    toolset: "files",
    aliases: ["filesystem/list_directory", "ListDirectory", "list_directory"],
    input: {
      type: "object",
      properties: {
        path: { type: "string", default: ".", description: "The folder" },
        sort: { enum: ["name", "size", "modified"], default: "name", description: "Largest or newest first" },
        limit: { type: "integer", minimum: 1, default: 1000, description: "At most this many entries" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: {
        path: word,
        total: count,
        entries: {
          type: "array",
          items: {
            type: "object",
            properties: { name: word, kind: word, size: count, modified: word },
            required: ["name", "kind"],
          },
        },
        next_cursor: NEXT_CURSOR,
      },
      required: ["path", "total", "entries"],
    },
    annotations: READ,
    normalizeInput: acceptNames({ path: FOLDER_NAMES }, "offset"),
    async run({ cursor, ...options }, call) {
      const access = await workstation.accessFor(call);
      const offset = offsetOf(cursor);
      const { realPath, total, entries } = await listFolder(access, lists, { ...options, offset });
      const end = offset + entries.length;
      return { path: access.displayPath(realPath), total, entries, ...nextOffset(end, total) };
    },
  });
};

const fsTree = (workstation: Workstation) =>
  tool({
    name: "fs_tree",
    title: "Show a folder tree",
    description: "Shows a folder and its subfolders as a tree, without files that git ignores.",
    toolset: "files",
    aliases: ["filesystem/tree", "directory_tree"],
    input: {
      type: "object",
      properties: {
        path: { type: "string", default: ".", description: "The folder" },
        depth: { type: "integer", minimum: 1, default: 3, description: "Levels of subfolders" },
        ignored: IGNORED,
        limit: { type: "integer", minimum: 1, maximum: 2000, default: 500, description: "At most this many entries" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: {
        path: word,
        entries: { type: "array", items: word, description: "Paths below it; folders end with /, links with @" },
        skipped: SKIPPED,
        next_cursor: NEXT_CURSOR,
      },
      required: ["path", "entries"],
    },
    annotations: READ,
    normalizeInput: acceptNames({ path: FOLDER_NAMES, depth: ["max_depth", "maxDepth"] }, "after"),
    async run({ cursor, ...options }, call) {
      const { drawTree } = await import("@toolwright/kit/files/draw-tree.js");
      const { lines, next, ...tree } = await drawTree(await workstation.accessFor(call), { ...options, after: cursor });
      const more = next === undefined ? [] : [`More: ${JSON.stringify({ cursor: next.after })}`];
      return new Content([text([...lines, ...more].join("\n"))], { ...tree, ...nextCursor(next?.after) });
    },
  });

const fsFind = (workstation: Workstation) =>
  tool({
    name: "fs_find",
    title: "Find files by name",
    description: "Finds files by glob, without those that git ignores. To search their contents use fs_search.",
    toolset: "files",
    aliases: ["filesystem/find", "search_files"],
    input: {
      type: "object",
      properties: {
        glob: { type: "string", minLength: 1, description: "Such as src/**/*.{ts,js}; without / at any depth" },
        path: { type: "string", default: ".", description: "The folder to search" },
        kind: { enum: ["file", "directory", "any"], default: "file", description: "What to find" },
        sort: { enum: ["name", "newest"], default: "name", description: "Order of results" },
        ignored: IGNORED,
        limit: { type: "integer", minimum: 1, default: 500, description: "At most this many files" },
        cursor: CURSOR,
      },
      required: ["glob"],
    },
    output: {
      type: "object",
      properties: {
        found: {
          type: "array",
          items: {
            type: "object",
            properties: { path: word, kind: word, size: count, modified: word },
            required: ["path", "kind"],
          },
        },
        total: count,
        skipped: SKIPPED,
        next_cursor: NEXT_CURSOR,
      },
      required: ["found", "total"],
    },
    annotations: READ,
    normalizeInput: acceptNames({ glob: ["pattern", "glob_pattern"], path: FOLDER_NAMES }, "offset"),
    async run({ cursor, ...options }, call) {
      const { findFiles } = await import("@toolwright/kit/files/find-files.js");
      const onProgress = toolProgress(call);
      const offset = offsetOf(cursor);
      const result = await findFiles(await workstation.accessFor(call), { ...options, offset }, (done) =>
        onProgress({ stage: "Finding files", done, unit: "entries" }),
      );
      const found = fitToBudget(result.found);
      const end = offset + found.length;
      return {
        found,
        total: result.total,
        ...(result.skipped.length > 0 && { skipped: [...result.skipped] }),
        ...nextCursor(end < result.total && found.length > 0 ? end : undefined),
      };
    },
  });

const lines = { type: "array", items: word } as const;

const fsSearch = (workstation: Workstation) =>
  tool({
    name: "fs_search",
    title: "Search in files",
    description: "Searches the lines of files, without those that git ignores. To find files by name use fs_find.",
    toolset: "files",
    aliases: ["filesystem/search", "grep"],
    input: {
      type: "object",
      properties: {
        pattern: {
          type: "string",
          minLength: 1,
          description: "Regular expression, no lookaround or backreferences",
        },
        path: { type: "string", default: ".", description: "The folder or file to search" },
        literal: { type: "boolean", default: false, description: "pattern is plain text" },
        ignore_case: { type: "boolean", default: false, description: "Match upper and lower case" },
        glob: { type: "string", description: "Only these files, such as *.ts; ! excludes them" },
        context: { ...count, maximum: 20, default: 0, description: "Lines before and after each match" },
        counts: { type: "boolean", default: false, description: "Only count the matching lines of each file" },
        ignored: IGNORED,
        per_file: { type: "integer", minimum: 1, description: "At most this many of one file" },
        limit: { type: "integer", minimum: 1, default: 100, description: "At most this many lines" },
        cursor: CURSOR,
      },
      required: ["pattern"],
    },
    output: {
      type: "object",
      properties: {
        files: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: word,
              count,
              matches: {
                type: "array",
                items: {
                  type: "object",
                  properties: { line: count, column: count, text: word, before: lines, after: lines },
                  required: ["line", "column", "text"],
                },
              },
            },
            required: ["path"],
          },
        },
        matches: { ...count, description: "Matching lines on this page" },
        searched: { ...count, description: "Files searched for this page" },
        skipped: { ...lines, description: "What could not be read" },
        next_cursor: NEXT_CURSOR,
      },
      required: ["files", "matches", "searched"],
    },
    annotations: READ,
    normalizeInput: acceptNames(
      {
        pattern: ["query", "regex"],
        path: FOLDER_NAMES,
        glob: ["include", "file_pattern", "filePattern"],
        ignore_case: ["ignoreCase", "case_insensitive", "-i"],
        context: ["context_lines", "contextLines", "-C"],
        limit: ["max_results", "maxResults", "head_limit"],
      },
      "after",
    ),
    async run({ cursor, ...options }, call) {
      const [{ searchFiles }, { findRipgrep }] = await Promise.all([
        import("@toolwright/kit/files/search.js"),
        import("@toolwright/kit/files/ripgrep.js"),
      ]);
      const onProgress = toolProgress(call);
      const request = { ...options, after: cursor };
      const { next, ...page } = await searchFiles(await workstation.accessFor(call), request, {
        ripgrep: await findRipgrep(),
        onProgress: (done) => onProgress({ stage: "Searching", done, unit: "files" }),
      });
      return { ...page, ...nextCursor(next?.after) };
    },
  });

const fsInfo = (workstation: Workstation) =>
  tool({
    name: "fs_info",
    title: "Describe a file or folder",
    description:
      "Tells whether a path exists, its kind, size, times, permissions, encoding, hash and lines, and whether git ignores it.",
    toolset: "files",
    aliases: ["filesystem/info", "get_file_info"],
    input: {
      type: "object",
      properties: { path: { type: "string", description: "The file or folder" } },
      required: ["path"],
    },
    output: {
      type: "object",
      properties: {
        path: word,
        exists: { type: "boolean" },
        kind: word,
        size: { type: "integer" },
        modified: word,
        created: word,
        accessed: word,
        mode: word,
        link_target: { ...word, description: "Where the path leads, if it is a symbolic link" },
        mime: word,
        encoding: word,
        total_lines: { type: "integer" },
        hash: word,
        git_ignored: { type: "boolean" },
      },
      required: ["path", "exists"],
    },
    annotations: READ,
    normalizeInput: acceptNames({ path: PATH_NAMES }),
    async run({ path }, call) {
      const access = await workstation.accessFor(call);
      const { describeFile } = await import("@toolwright/kit/files/describe-file.js");
      if ((await statIfExists(access, path)) === undefined) return { path, exists: false };
      return { exists: true, ...(await describeFile(access, path)) };
    },
  });

/** The tools that fs_info replaces. */
const fsExists = (workstation: Workstation, kind: "file" | "directory") => {
  const isFile = kind === "file";
  return tool({
    name: `fs_${kind}_exists`,
    replacedBy: "fs_info",
    title: isFile ? "Does a file exist?" : "Does a folder exist?",
    description: `Tells whether a path is a ${isFile ? "file" : "folder"}.`,
    toolset: "files",
    aliases: isFile ? ["filesystem/file_exists", "FileExists"] : ["filesystem/directory_exists", "DirectoryExists"],
    input: {
      type: "object",
      properties: { path: { type: "string", description: "The path" } },
      required: ["path"],
    },
    output: { type: "object", properties: { exists: { type: "boolean" } }, required: ["exists"] },
    annotations: READ,
    normalizeInput: acceptNames({ path: PATH_NAMES }),
    async run({ path }, call) {
      const stats = await statIfExists(await workstation.accessFor(call), path);
      return { exists: (isFile ? stats?.isFile() : stats?.isDirectory()) ?? false };
    },
  });
};
