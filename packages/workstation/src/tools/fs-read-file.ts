import { Content, type ContentBlock, image, resourceLink, text, tool } from "@toolwright/engine";
import { type FileAccess, type FileReading, hasUri, type ReadFileOptions, toFileUri } from "@toolwright/kit/files";
import { READS } from "../annotations.js";
import { MOST_RESOURCE_BYTES } from "../resources/limits.js";
import type { Workstation } from "../workstation.js";
import { otherNames } from "./other-names.js";

/** The largest page that can be asked for. */
const MOST_BYTES = 200_000;

const count = { type: "integer", minimum: 0 } as const;

/** Reads a page of a text file, an image, or what can be said of other files. */
export const fsReadFile = (workstation: Workstation) => {
  let reader: ReturnType<typeof openReader> | undefined;
  return tool({
    name: "fs_read_file",
    title: "Read a file",
    description:
      "Reads a file by lines, or by bytes with byte_offset. Gives the text, its `hash` for later writes, and `next` where more is left. Images are shown.",
    toolset: "files",
    aliases: ["filesystem/read", "ReadFileAsync", "read_file", "read_text_file"],
    input: {
      type: "object",
      properties: {
        path: { type: "string" },
        offset: { type: "integer", description: "First line, from 1; negative counts from the end" },
        limit: { type: "integer", minimum: 1, description: "Lines" },
        byte_offset: count,
        byte_limit: { type: "integer", minimum: 4, maximum: MOST_BYTES },
        encoding: {
          enum: ["utf-8", "utf-16le", "utf-16be", "windows-1252", "base64"],
          description: "Detected if left out",
        },
      },
      required: ["path"],
    },
    output: OUTPUT,
    annotations: READS,
    formatValidationError: otherNames({ head: "limit", tail: "a negative offset" }),
    // A page is given as text and in the structured content, and an image is counted too.
    budgetBytes: 8 * 1024 * 1024,
    async run(wish, call) {
      reader ??= openReader();
      const read = await reader;
      const reading = await read(await workstation.reach(call), wish);
      // What was shown whole is the base of the comparison when a write comes too late.
      const { hash, text: words, first_line, next, encoding } = reading;
      const isWhole = first_line === 1 && next === undefined && encoding !== "base64";
      if (isWhole && hash !== undefined && words !== undefined) workstation.seen.remember(hash, words);
      return toContent(reading);
    },
  });
};

/** What reads, and remembers what it has found out; loaded when it is first needed. */
async function openReader() {
  const [{ readFile }, { FileScans }] = await Promise.all([
    import("@toolwright/kit/files/read-file.js"),
    import("@toolwright/kit/files/file-scan.js"),
  ]);
  const scans = new FileScans();
  return (reach: FileAccess, wish: ReadFileOptions): Promise<FileReading> => readFile(reach, scans, wish);
}

const OUTPUT = {
  type: "object",
  properties: {
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
    hash: { type: "string", description: "Give it back as expected_hash when writing" },
    next: { type: "object", description: "Arguments for the next page" },
    note: { type: "string" },
  },
  required: ["path", "kind", "size", "mime"],
} as const;

function toContent({ realPath: place, image: bytes, notes, ...facts }: FileReading): Content {
  const { path, text: words, next, mime, size } = facts;
  const note = notes.join(" ");
  const told = [note, next === undefined ? "" : `More: ${JSON.stringify(next)}.`]
    .filter((line) => line !== "")
    .join(" ");
  const blocks: ContentBlock[] = [];
  if (bytes !== undefined) blocks.push(image(bytes, mime));
  if (words !== undefined) blocks.push(text(words));
  if (told !== "" || blocks.length === 0) blocks.push(text(`[${path}: ${told}]`));
  const canLink = size <= MOST_RESOURCE_BYTES && hasUri(place);
  if (canLink && (next !== undefined || facts.kind === "binary"))
    blocks.push(resourceLink(toFileUri(place), path, { mimeType: mime, size }));
  return new Content(blocks, { ...facts, ...(note !== "" && { note }) });
}
