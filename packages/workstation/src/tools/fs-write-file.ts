import { ToolError, tool } from "@toolwright/engine";
import { alreadyExists, encodeText } from "@toolwright/kit/files";
import { REPLACES } from "../annotations.js";
import { askFirst } from "../asking.js";
import { announce, authorOf } from "../author.js";
import type { Rewrite } from "../changes/drafts.js";
import { WRITTEN } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "base64"] as const;

/** Writes a whole file: entirely, or not at all. */
export const fsWriteFile = (workstation: Workstation) =>
  tool({
    name: "fs_write_file",
    title: "Write a file",
    description: "Writes a whole file, making its folders. To change parts of one use fs_edit_file.",
    toolset: "files",
    aliases: ["filesystem/write", "WriteFileAsync", "write_file"],
    input: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string" },
        encoding: { enum: ENCODINGS, description: "As it was, or utf-8" },
        expected_hash: { type: "string", description: "The hash you read; refuses if the file has changed since" },
        create_only: { type: "boolean", default: false },
      },
      required: ["path", "content"],
    },
    output: WRITTEN,
    annotations: { ...REPLACES, idempotentHint: true },
    async run({ path, content, encoding, expected_hash: expected, create_only: isNew }, call) {
      const { draftWrite, encodeAs, refuseStale, textOf, toWritten } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "fs_write_file");
      const given = encoding === undefined ? undefined : toBytes(path, content, encoding);
      const yours = () => (encoding === "base64" ? textOf(given) : content);
      let note: string | undefined;
      const changes = await workstation.changes();
      const rewrite: Rewrite = async (before) => {
        if (isNew && before.state.kind !== "absent") throw alreadyExists(path);
        await refuseStale(workstation, changes, { shown: path, expected, disk: before, yours });
        if (given !== undefined) return given;
        const written = encodeAs(before.bytes, content);
        note = written.note;
        return written.bytes;
      };
      const found = await author.reach.stat(path);
      if (found?.stats.isFile() === true && !isNew) {
        const isTooLarge = found.stats.size > changes.limits.fileBytes;
        await askFirst(
          workstation,
          call,
          `Replace the content of ${path}`,
          isTooLarge ? "irreversible" : "destructive",
        );
      }
      const made = await changes.make(author, () => draftWrite(author.reach, path, rewrite, changes.limits.fileBytes));
      if (made.made !== undefined) announce(workstation, [made.drafted.place]);
      return toWritten(author.reach, made, note);
    },
  });

function toBytes(path: string, content: string, encoding: (typeof ENCODINGS)[number]): Uint8Array {
  if (encoding === "base64" && !/^[\w+/\s-]*={0,2}\s*$/.test(content))
    throw new ToolError(`Cannot write ${JSON.stringify(path)}: the content is not base64.`, {
      code: "INVALID_ARGUMENT",
    });
  if (encoding === "base64") return Buffer.from(content, "base64");
  const bytes = encodeText(content, { encoding, bomBytes: encoding.startsWith("utf-16") ? 2 : 0 });
  if (bytes !== undefined) return bytes;
  throw new ToolError(`Cannot write ${JSON.stringify(path)}: it has characters that ${encoding} does not have.`, {
    code: "INVALID_ARGUMENT",
    details: { path },
  });
}
