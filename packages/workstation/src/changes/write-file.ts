import { ToolError } from "@toolwright/engine";
import {
  decodeText,
  encodeText,
  type FileAccess,
  formOf,
  hashOf,
  mergeThree,
  notFound,
  type TextForm,
  unifiedDiff,
  wrongKind,
} from "@toolwright/kit/files";
import type { Workstation } from "../workstation.js";
import { type AppliedChange, type Changes, describeApplied } from "./changes.js";
import type { draftWrite } from "./drafts.js";
import { applyEdits, type LooseMatch, type TextEdit } from "./edits/apply-edits.js";
import { type Content, shortHash, toText, truncateDiff } from "./file-state.js";

const MAX_DIFF = 16_000;
const MAX_STALE_DIFF = 6000;

/** Edits the bytes of a file. Its encoding, byte order mark and line endings stay. */
export function editBytes(
  displayPath: string,
  before: Content,
  edits: readonly TextEdit[],
): { readonly bytes: Uint8Array; readonly loose: readonly LooseMatch[] } {
  if (before.state.kind === "absent") throw notFound(displayPath);
  if (before.bytes === undefined)
    throw new ToolError(
      `Cannot edit ${JSON.stringify(displayPath)}: the file is too large (setting journalFileBytes).`,
      {
        code: "TOO_LARGE",
        details: { path: displayPath },
      },
    );
  const form = formOf(before.bytes);
  if (form === undefined) throw wrongKind(displayPath, "a binary file", "a text file");
  const text = decodeText(before.bytes.subarray(form.bomBytes), form.encoding);
  // Invalid bytes would be written back as other characters, in lines that nobody has edited.
  if (encodeText(text, form)?.equals(before.bytes) !== true)
    throw wrongKind(displayPath, `${form.encoding} with invalid bytes`, "a text file");
  const edited = applyEdits(displayPath, text, edits);
  const bytes = encodeText(edited.text, form);
  if (bytes !== undefined) return { bytes, loose: edited.loose };
  throw new ToolError(
    `Cannot edit ${JSON.stringify(displayPath)}: its encoding ${form.encoding} lacks characters of the new text. Nothing was changed.`,
    { code: "INVALID_ARGUMENT", details: { path: displayPath, encoding: form.encoding } },
  );
}

/** The text after the edits, or undefined if they do not match. */
export function tryEdits(text: string | undefined, edits: readonly TextEdit[]): string | undefined {
  try {
    return text === undefined ? undefined : applyEdits("", text, edits).text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

const UTF_8: TextForm = { encoding: "utf-8", bomBytes: 0 };

/** Encodes a text like the old content: encoding and byte order mark stay, unless the text could not be read back. */
export function encodeLike(
  before: Uint8Array | undefined,
  text: string,
): { readonly bytes: Uint8Array; readonly note?: string } {
  const form = (before && formOf(before)) ?? UTF_8;
  const plain = form.bomBytes > 0 ? text.replace(/^\uFEFF/, "") : text;
  const bytes = encodeText(plain, form);
  // Without a byte order mark, some texts would be detected as another encoding.
  if (bytes !== undefined && (form.encoding === "utf-8" || decode(bytes) === plain)) return { bytes };
  return {
    bytes: Buffer.from(plain, "utf8"),
    note: `The encoding is utf-8 now: the old one, ${form.encoding}, lacks characters of the text.`,
  };
}

function decode(bytes: Uint8Array): string | undefined {
  const form = formOf(bytes);
  return form && decodeText(bytes.subarray(form.bomBytes), form.encoding);
}

/** The result for a written file, in the form of `WRITTEN`. */
export async function describeWritten(
  access: FileAccess,
  {
    drafted,
    applied,
  }: { readonly drafted: Awaited<ReturnType<typeof draftWrite>>; readonly applied: AppliedChange | undefined },
  remark?: string,
) {
  const { realPath, before, bytes } = drafted;
  const displayPath = access.displayPath(realPath);
  const [old, fresh] = [toText(before.bytes), toText(bytes)];
  const areTexts = old !== undefined && fresh !== undefined;
  const diff = areTexts ? await unifiedDiff(displayPath, old, fresh) : "";
  const isEncodingOnly = areTexts && diff === "" && applied !== undefined;
  const described = describeApplied(applied);
  const encodingNote = isEncodingOnly ? "Only the encoding or the byte order mark has changed." : undefined;
  const note = [described.note, remark, encodingNote].filter((each) => each !== undefined).join(" ");
  return {
    path: displayPath,
    created: before.state.kind === "absent",
    hash: hashOf(bytes),
    size: bytes.length,
    ...described,
    ...(note !== "" && { note }),
    ...(diff !== "" && { diff: truncateDiff(diff, MAX_DIFF) }),
  };
}

const HASH = /^sha256:(?:[0-9a-f]{32}|[0-9a-f]{64})$/;

/** A write with the hash of the content that it was made for. */
interface ExpectedWrite {
  readonly path: string;
  /** The hash that the writer has read. */
  readonly expected: string | undefined;
  readonly disk: Content;
  /** The text that the writer wants, made from the text that they have read, if that is known. */
  wanted(base: string | undefined): string | undefined;
}

/** Throws if a file has changed since the writer has read it. */
export async function rejectStaleWrite(
  { recentTexts }: Pick<Workstation, "recentTexts">,
  changes: Changes,
  write: ExpectedWrite,
): Promise<void> {
  const { path, expected, disk } = write;
  if (expected === undefined) return;
  const { state } = disk;
  if (state.kind === "file" && (shortHash(state.hash) === expected || `sha256:${state.hash}` === expected)) return;
  if (!HASH.test(expected)) {
    throw new ToolError(
      `Cannot write ${JSON.stringify(path)}: expected_hash is not a hash such as sha256:2cf2…. Use the hash of the last read, or omit it.`,
      {
        code: "INVALID_ARGUMENT",
        details: { path, got: expected.slice(0, 100) },
        hint: { action: "get the hash", tool: "fs_read_file", arguments: { path } },
      },
    );
  }
  const base = recentTexts.get(expected) ?? (await readFromJournal(changes, expected));
  throw await staleWriteError({ ...write, expected, base, wanted: write.wanted(base) });
}

async function readFromJournal(changes: Changes, expected: string): Promise<string | undefined> {
  const { blobs } = await changes.journal();
  const hash = blobs.find(expected.slice("sha256:".length));
  return hash === undefined ? undefined : toText(await blobs.read(hash));
}

interface StaleWrite {
  readonly path: string;
  readonly expected: string;
  readonly disk: Content;
  readonly base: string | undefined;
  readonly wanted: string | undefined;
}

/** Shows what has changed since the read, what the writer wants, and whether both can be merged. */
async function staleWriteError({ path, expected, disk, base, wanted }: StaleWrite): Promise<ToolError> {
  const got = disk.state.kind === "file" ? shortHash(disk.state.hash) : undefined;
  const theirs = toText(disk.bytes);
  const parts = [
    got === undefined
      ? `Cannot write ${JSON.stringify(path)}: it does not exist any more. Nothing was written.`
      : `Cannot write ${JSON.stringify(path)}: it has changed since you read it; its hash is ${got} now. Nothing was written.`,
  ];
  const details: Record<string, string | boolean> = { path, expected, ...(got !== undefined && { got }) };
  const addDiff = async (name: string, heading: string, one?: string, other?: string): Promise<void> => {
    const diff = truncateDiff(await unifiedDiff(path, one, other), MAX_STALE_DIFF);
    details[name] = diff;
    parts.push(`${heading}\n${diff}`);
  };
  if (base !== undefined && (theirs !== undefined || got === undefined))
    await addDiff("theirs", "Changes of others since:", base, theirs);
  if (base !== undefined && wanted !== undefined) await addDiff("yours", "Your changes:", base, wanted);
  else if (theirs !== undefined && wanted !== undefined)
    await addDiff(
      "yours",
      "The content that you read is unknown. From the file on disk to your content:",
      theirs,
      wanted,
    );
  if (base !== undefined && theirs !== undefined && wanted !== undefined) {
    const labels = { ours: "yours", theirs: "on disk" };
    const { conflicts } = await mergeThree({ base, ours: wanted, theirs, labels });
    details["merges"] = conflicts === 0;
    parts.push(
      conflicts === 0 ? "The changes touch different lines, so both can be kept." : "The changes touch the same lines.",
    );
  }
  parts.push("Read the file again, and repeat your change.");
  return new ToolError(parts.join("\n"), { code: "CONFLICT", details });
}
