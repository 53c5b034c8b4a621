import { ToolError } from "@toolwright/engine";
import { decodeText, encodeText, formOf, notFound, wrongKind } from "@toolwright/kit/files";
import { applyEdits, type Edit, type LooseMatch } from "./edits/apply-edits.js";
import type { Content } from "./file-state.js";

/** Edits the bytes of a file; its encoding, its mark and its line ends stay. */
export function editBytes(
  shown: string,
  before: Content,
  edits: readonly Edit[],
): { readonly bytes: Uint8Array; readonly loose: readonly LooseMatch[] } {
  if (before.state.kind === "absent") throw notFound(shown);
  if (before.bytes === undefined) throw tooLarge(shown);
  const form = formOf(before.bytes);
  if (form === undefined) throw wrongKind(shown, "a binary file", "a text file");
  const text = decodeText(before.bytes.subarray(form.bomBytes), form.encoding);
  // Written back, what is no character would become another one, in lines that nobody has edited.
  if (encodeText(text, form)?.equals(before.bytes) !== true)
    throw wrongKind(shown, `${form.encoding} with bytes that are no characters of it`, "a text file");
  const edited = applyEdits(shown, text, edits);
  const bytes = encodeText(edited.text, form);
  if (bytes !== undefined) return { bytes, loose: edited.loose };
  throw new ToolError(
    `Cannot edit ${JSON.stringify(shown)}: the file is ${form.encoding}, which does not have all characters of the new text. Nothing was changed.`,
    { code: "INVALID_ARGUMENT", details: { path: shown, encoding: form.encoding } },
  );
}

const tooLarge = (shown: string): ToolError =>
  new ToolError(`Cannot edit ${JSON.stringify(shown)}: it is too large to be edited (journal_file_bytes).`, {
    code: "TOO_LARGE",
    details: { path: shown },
  });

/** What the text would be after the edits; undefined where they do not fit. */
export function editedText(text: string | undefined, edits: readonly Edit[]): string | undefined {
  try {
    return text === undefined ? undefined : applyEdits("", text, edits).text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
