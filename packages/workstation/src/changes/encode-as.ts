import { decodeText, encodeText, formOf, type TextForm } from "@toolwright/kit/files";

const UTF_8: TextForm = { encoding: "utf-8", bomBytes: 0 };

/** Writes a text down in the way of the old content: its encoding and its mark stay, unless the text would not be read again as it is. */
export function encodeAs(
  before: Uint8Array | undefined,
  text: string,
): { readonly bytes: Uint8Array; readonly note?: string } {
  const form = (before && formOf(before)) ?? UTF_8;
  const plain = form.bomBytes > 0 ? text.replace(/^\uFEFF/, "") : text;
  const bytes = encodeText(plain, form);
  if (bytes !== undefined && (form.encoding === "utf-8" || readAgain(bytes) === plain)) return { bytes };
  return {
    bytes: Buffer.from(plain, "utf8"),
    note: `The encoding is utf-8 now: ${form.encoding}, as it was, does not have all characters of the text.`,
  };
}

/** Without a mark, some texts of an old encoding are taken for another one. */
function readAgain(bytes: Uint8Array): string | undefined {
  const form = formOf(bytes);
  return form && decodeText(bytes.subarray(form.bomBytes), form.encoding);
}
