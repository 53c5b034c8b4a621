import {
  Content,
  type ContentBlock,
  image,
  type JsonObject,
  resourceLink,
  ToolError,
  text,
  tool,
} from "@toolwright/engine";
import { type FileAccess, type FileReading, hasUri, type ReadFileOptions, toFileUri } from "@toolwright/kit/files";
import { READ } from "@toolwright/kit/pack";
import { MAX_RESOURCE_BYTES } from "../resources/resources.js";
import type { Workstation } from "../workstation.js";
import { PATH_NAMES, renameArguments } from "./arguments.js";

/** The largest page that can be requested. */
const MAX_PAGE_BYTES = 200_000;
/** How many bytes of several files one result has by default. */
const SHARED_BYTES = 80_000;
const MIN_SHARE_BYTES = 1000;
const MAX_FILES = 50;
/** The largest text file that is returned whole. */
const MAX_WHOLE_BYTES = 8 * 1024 * 1024;

const count = { type: "integer", minimum: 0 } as const;

const READING = {
  path: { type: "string" },
  kind: { enum: ["text", "image", "binary"] },
  text: { type: "string" },
  first_line: count,
  last_line: count,
  total_lines: count,
  byte_offset: count,
  size: count,
  mime: { type: "string" },
  encoding: { type: "string" },
  line_ending: { enum: ["lf", "crlf", "cr", "mixed", "none"] },
  hash: { type: "string", description: "The expected_hash of a later edit" },
  next: { type: "object", description: "The arguments of the next page" },
  note: { type: "string" },
} as const;

const OUTPUT = {
  type: "object",
  properties: {
    ...READING,
    files: {
      type: "array",
      description: "The result of each of `paths`",
      items: {
        type: "object",
        properties: {
          ...READING,
          error: {
            type: "object",
            properties: { code: { type: "string" }, message: { type: "string" } },
            required: ["message"],
          },
        },
        required: ["path"],
      },
    },
  },
} as const;

/** The tool that reads files. */
export const fsReadFile = (workstation: Workstation) => {
  let reader: ReturnType<typeof openReader> | undefined;
  return tool({
    name: "fs_read_file",
    title: "Read files",
    description:
      "Reads a text file or image, or several files at once with paths. Long files come in pages; next has the arguments for more. The hash is for a later edit.",
    toolset: "files",
    aliases: [
      "filesystem/read",
      "ReadFileAsync",
      "read_file",
      "read_text_file",
      "fs_read_files",
      "read_multiple_files",
    ],
    input: {
      type: "object",
      properties: {
        path: { type: "string", description: "Relative to the first allowed folder, or absolute" },
        paths: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: MAX_FILES,
          description: "Several files, instead of path",
        },
        offset: { type: "integer", description: "First line, from 1; negative counts from the end" },
        limit: { type: "integer", minimum: 1, description: "Number of lines" },
        byte_offset: { ...count, description: "First byte, to count bytes instead of lines" },
        byte_limit: { type: "integer", minimum: 4, maximum: MAX_PAGE_BYTES, description: "Number of bytes" },
        encoding: {
          enum: ["utf-8", "utf-16le", "utf-16be", "windows-1252", "base64"],
          description: "Detected by default; base64 for bytes",
        },
      },
    },
    output: OUTPUT,
    annotations: READ,
    normalizeInput: acceptLineRange,
    // A page is in the text and in the structured content, and an image counts, too.
    budgetBytes: 8 * 1024 * 1024,
    async run({ path, paths, ...options }, call) {
      if ((path === undefined) === (paths === undefined))
        throw new ToolError("Cannot read: give either path or paths.", { code: "INVALID_ARGUMENT" });
      reader ??= openReader();
      const [read, access] = await Promise.all([reader, workstation.accessFor(call)]);
      const readOne = async (request: ReadFileOptions): Promise<FileReading> => {
        const reading = await read(access, request);
        remember(workstation, reading);
        return reading;
      };
      if (path !== undefined) {
        const isWhole = workstation.settings.wholeFiles && Object.values(options).every((value) => value === undefined);
        return toContent(isWhole ? await readWhole(path, readOne) : await readOne({ path, ...options }));
      }
      return readAll(access, paths ?? [], options, readOne);
    },
  });
};

/** Reads a text file from its first to its last byte. */
async function readWhole(path: string, read: (request: ReadFileOptions) => Promise<FileReading>): Promise<FileReading> {
  const reading = await read({ path, limit: Number.MAX_SAFE_INTEGER, byte_limit: MAX_WHOLE_BYTES });
  if (reading.next === undefined) return reading;
  throw new ToolError(
    `Cannot read ${path} as a whole: it has ${reading.size} bytes; the limit is ${MAX_WHOLE_BYTES}.`,
    {
      code: "TOO_LARGE",
      hint: { action: "read a part of it, with offset and limit" },
      details: { path, size: reading.size, max: MAX_WHOLE_BYTES },
    },
  );
}

/** Reads several files. Small files are whole, and the large ones share what is left. */
async function readAll(
  access: FileAccess,
  paths: readonly string[],
  { byte_limit: budget = SHARED_BYTES, ...options }: Omit<ReadFileOptions, "path">,
  read: (request: ReadFileOptions) => Promise<FileReading>,
): Promise<Content> {
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const found = await access.stat(path).catch(() => undefined);
      return found?.stats.size ?? 0;
    }),
  );
  const share = Math.min(Math.max(MIN_SHARE_BYTES, fairShare(sizes, budget)), MAX_PAGE_BYTES);
  const blocks: ContentBlock[] = [];
  const files: JsonObject[] = [];
  const errors: ToolError[] = [];
  for (const path of paths) {
    try {
      const reading = await read({ path, byte_limit: share, ...options });
      const { blocks: own, facts } = describeReading(reading, "before");
      blocks.push(...own);
      files.push(facts);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { code, message } = error;
      errors.push(error);
      blocks.push(text(`[${path}: ${message}]`));
      files.push({ path, error: { ...(code !== undefined && { code }), message } });
    }
  }
  const [first] = errors;
  if (first !== undefined && errors.length === paths.length)
    throw new ToolError(errors.map(({ message }) => message).join("\n"), {
      ...(first.code !== undefined && { code: first.code }),
      details: { files },
    });
  return new Content(blocks, { files });
}

/** The largest size for each file with which all together fit into the budget. */
function fairShare(sizes: readonly number[], budget: number): number {
  let left = budget;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (sizes.length - at));
    if (size > share) return share;
    left -= size;
  }
  return budget;
}

/** A text that was read completely is compared with the file if a later write is stale. */
function remember(
  { recentTexts }: Workstation,
  { hash, text: content, first_line, next, encoding }: FileReading,
): void {
  const isWhole = first_line === 1 && next === undefined && encoding !== "base64";
  if (isWhole && hash !== undefined && content !== undefined) recentTexts.set(hash, content);
}

/** Loads the reader, which caches what it has found out about files. */
async function openReader() {
  const [{ readFile }, { FileScans }] = await Promise.all([
    import("@toolwright/kit/files/read-file.js"),
    import("@toolwright/kit/files/file-scan.js"),
  ]);
  const scans = new FileScans();
  return (access: FileAccess, request: ReadFileOptions): Promise<FileReading> => readFile(access, scans, request);
}

function toContent(reading: FileReading): Content {
  const { blocks, facts } = describeReading(reading, "after");
  return new Content(blocks, facts);
}

/** The content blocks of a reading, with its hash for clients that show only text, and the structured result. */
function describeReading(reading: FileReading, summaryPosition: "before" | "after") {
  const { realPath, image: bytes, notes, ...facts } = reading;
  const { path, text: content, next, mime, size, hash } = facts;
  const note = notes.join(" ");
  const summary = [
    note,
    // An image is never edited by its hash.
    hash === undefined || bytes !== undefined ? "" : `hash: ${hash}`,
    next === undefined ? "" : `more: ${JSON.stringify(next)}`,
  ].filter((part) => part !== "");
  const blocks: ContentBlock[] = [];
  if (bytes !== undefined) blocks.push(image(bytes, mime));
  if (content !== undefined) blocks.push(text(content));
  const line = text(summary.length === 0 ? `[${path}]` : `[${path}: ${summary.join("; ")}]`);
  if (summaryPosition === "before") blocks.unshift(line);
  else if (summary.length > 0 || blocks.length === 0) blocks.push(line);
  const canLink = size <= MAX_RESOURCE_BYTES && hasUri(realPath);
  if (canLink && (next !== undefined || facts.kind === "binary"))
    blocks.push(resourceLink(toFileUri(realPath), path, { mimeType: mime, size }));
  return { blocks, facts: { ...facts, ...(note !== "" && { note }) } };
}

/** Accepts lines in the forms of other servers: start_line and end_line, head, tail, view_range; and a list as path. */
function acceptLineRange(input: JsonObject): JsonObject {
  const renamed = renameArguments(input, {
    path: PATH_NAMES,
    paths: ["file_paths", "filePaths", "files"],
    start_line: ["startLine"],
    end_line: ["endLine"],
  });
  const { path, head, tail, start_line, end_line, view_range, ...rest } = renamed;
  const [start = start_line, end = end_line] = Array.isArray(view_range) ? view_range : [];
  const result: JsonObject = { ...rest };
  if (Array.isArray(path) && rest["paths"] === undefined) result["paths"] = path;
  else if (path !== undefined) result["path"] = path;
  if (typeof start === "number") result["offset"] ??= start;
  if (typeof end === "number" && end > 0)
    result["limit"] ??= Math.max(1, end - (typeof start === "number" ? start : 1) + 1);
  if (typeof head === "number") result["limit"] ??= head;
  if (typeof tail === "number") result["offset"] ??= -tail;
  return result;
}
