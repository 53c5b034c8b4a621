import { type Tool, ToolError, tool } from "@toolwright/engine";
import { alreadyExists, encodeText } from "@toolwright/kit/files";
import { OVERWRITE, REPLACE } from "@toolwright/kit/pack";
import { WRITTEN } from "../change-schemas.js";
import type { Rewrite } from "../changes/drafts.js";
import type { LooseMatch } from "../changes/edits/apply-edits.js";
import type { Workstation } from "../workstation.js";
import { acceptEdits, acceptNames, PATH_NAMES } from "./arguments.js";

const MAX_LOOSE = 20;

const PATH = { type: "string", description: "Relative to the first allowed folder, or absolute" } as const;
const EXPECTED_HASH = {
  type: "string",
  description: "Hash of the last read; fails if the file has changed since",
} as const;

/** The tools that change the content of files. */
export const editTools = (workstation: Workstation): readonly Tool[] => [
  fsEditFile(workstation),
  fsWriteFile(workstation),
];

const fsEditFile = (workstation: Workstation) =>
  tool({
    name: "fs_edit_file",
    title: "Edit a file",
    description:
      "Replaces text or whole lines in a file, all edits or none, and returns a diff. Prefer it to fs_write_file for existing files.",
    toolset: "files",
    aliases: ["edit_file"],
    input: EDIT_INPUT,
    output: EDIT_OUTPUT,
    annotations: REPLACE,
    normalizeInput: acceptEdits,
    async run({ path, edits, dry_run: isDryRun, expected_hash: expected }, call) {
      const { describeWritten, draftWrite, editBytes, rejectStaleWrite, throwNotFound, toText, tryEdits } =
        await import("../changes/index.js");
      const [author, changes] = await Promise.all([workstation.authorOf(call, "fs_edit_file"), workstation.changes()]);
      let loose: readonly LooseMatch[] = [];
      const rewrite: Rewrite = async (before) => {
        const wanted = (base: string | undefined) => tryEdits(base ?? toText(before.bytes), edits);
        await rejectStaleWrite(workstation, changes, { path, expected, disk: before, wanted });
        if (before.state.kind === "absent") await throwNotFound(author.access, path);
        const edited = editBytes(path, before, edits);
        loose = edited.loose;
        return edited.bytes;
      };
      const draft = () => draftWrite(author.access, path, rewrite, changes.limits.fileBytes);
      const describe = async (result: Parameters<typeof describeWritten>[1]) => {
        const { created: _, note, ...facts } = await describeWritten(author.access, result);
        const more = isDryRun ? { dry_run: true } : note !== undefined && { note };
        return { ...facts, ...(loose.length > 0 && { loose: loose.slice(0, MAX_LOOSE) }), ...more };
      };
      if (isDryRun) return describe({ drafted: await draft(), applied: undefined });
      if (workstation.needsConfirmation(call, "destructive")) {
        await draft();
        await workstation.confirm(call, `Edit ${path}`, "destructive");
      }
      const result = await changes.apply(author, draft);
      if (result.applied !== undefined) workstation.notifyChanged([result.drafted.realPath]);
      return describe(result);
    },
  });

const EDIT_INPUT = {
  type: "object",
  properties: {
    path: PATH,
    edits: {
      type: "array",
      minItems: 1,
      description: "Each has old_string, or lines",
      items: {
        type: "object",
        properties: {
          old_string: {
            type: "string",
            maxLength: 1_000_000,
            description: "Text to replace, with enough context to be unique",
          },
          new_string: { type: "string", maxLength: 1_000_000, description: "Replacement; empty to delete" },
          replace_all: { type: "boolean", description: "Replace every match" },
          expected_count: { type: "integer", minimum: 1, description: "Number of matches; 1 by default" },
          start_line: {
            type: "integer",
            minimum: 1,
            description: "First line to replace, as numbered before this call; with old_string only searched",
          },
          end_line: { type: "integer", minimum: 0, description: "Last line; start_line - 1 to insert" },
        },
        required: ["new_string"],
      },
    },
    dry_run: { type: "boolean", default: false, description: "Only return the diff" },
    expected_hash: EXPECTED_HASH,
  },
  required: ["path", "edits"],
} as const;

const line = { type: "integer", minimum: 1 } as const;

const EDIT_OUTPUT = {
  type: "object",
  properties: {
    ...WRITTEN.properties,
    dry_run: { type: "boolean" },
    loose: {
      type: "array",
      description: "Replaced parts that differ from old_string in white space",
      items: {
        type: "object",
        properties: {
          edit: line,
          line,
          end_line: line,
          differed: { enum: ["line endings", "trailing whitespace", "indentation"] },
          text: { type: "string" },
        },
        required: ["edit", "line", "end_line", "differed", "text"],
      },
    },
  },
  required: ["path", "hash", "size"],
} as const;

const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "base64"] as const;

const fsWriteFile = (workstation: Workstation) =>
  tool({
    name: "fs_write_file",
    title: "Write a file",
    description: "Creates a file and its folders, or replaces its whole content. To change parts use fs_edit_file.",
    toolset: "files",
    aliases: ["filesystem/write", "WriteFileAsync", "write_file"],
    input: {
      type: "object",
      properties: {
        path: PATH,
        content: { type: "string", maxLength: 10_000_000, description: "The whole new content" },
        encoding: { enum: ENCODINGS, description: "Unchanged or utf-8 by default; base64 for bytes" },
        expected_hash: EXPECTED_HASH,
        create_only: { type: "boolean", default: false, description: "Fail if the file exists" },
      },
      required: ["path", "content"],
    },
    output: WRITTEN,
    annotations: OVERWRITE,
    normalizeInput: acceptNames({
      path: PATH_NAMES,
      content: ["contents", "file_text", "fileText", "text"],
      expected_hash: ["expectedHash", "hash"],
      create_only: ["createOnly"],
    }),
    async run({ path, content, encoding, expected_hash: expected, create_only: isCreateOnly }, call) {
      const { describeWritten, draftWrite, encodeLike, rejectStaleWrite, toText } = await import("../changes/index.js");
      const author = await workstation.authorOf(call, "fs_write_file");
      const bytes = encoding === undefined ? undefined : encode(path, content, encoding);
      const wanted = () => (encoding === "base64" ? toText(bytes) : content);
      let note: string | undefined;
      const changes = await workstation.changes();
      const rewrite: Rewrite = async (before) => {
        if (isCreateOnly && before.state.kind !== "absent") throw alreadyExists(path);
        await rejectStaleWrite(workstation, changes, { path, expected, disk: before, wanted });
        if (bytes !== undefined) return bytes;
        const encoded = encodeLike(before.bytes, content);
        note = encoded.note;
        return encoded.bytes;
      };
      const found = await author.access.stat(path);
      if (found?.stats.isFile() === true && !isCreateOnly) {
        const isTooLarge = found.stats.size > changes.limits.fileBytes;
        const kind = isTooLarge ? "irreversible" : "destructive";
        await workstation.confirm(call, `Replace the content of ${path}`, kind);
      }
      const draft = () => draftWrite(author.access, path, rewrite, changes.limits.fileBytes);
      const result = await changes.apply(author, draft);
      if (result.applied !== undefined) workstation.notifyChanged([result.drafted.realPath]);
      return describeWritten(author.access, result, note);
    },
  });

function encode(path: string, content: string, encoding: (typeof ENCODINGS)[number]): Uint8Array {
  if (encoding === "base64" && !/^[\w+/\s-]*={0,2}\s*$/.test(content))
    throw new ToolError(`Cannot write ${JSON.stringify(path)}: the content is not valid base64.`, {
      code: "INVALID_ARGUMENT",
    });
  if (encoding === "base64") return Buffer.from(content, "base64");
  const bytes = encodeText(content, { encoding, bomBytes: encoding.startsWith("utf-16") ? 2 : 0 });
  if (bytes !== undefined) return bytes;
  throw new ToolError(`Cannot write ${JSON.stringify(path)}: ${encoding} lacks characters of the content.`, {
    code: "INVALID_ARGUMENT",
    details: { path },
  });
}
