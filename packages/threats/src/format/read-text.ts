/** A pattern of this size nobody reads; the largest of ours is a tenth of it. */
export const MOST_BYTES = 128 * 1024;

/** Where in a text something is wrong, and what. */
export interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly next: string;
}

/** What a file says, or why that cannot be told. */
export type ReadText = { readonly text: string; readonly fault?: never } | { readonly fault: TextFault };

/** Reads bytes as a text of moderate size: UTF-8 without signs that no editor shows. */
export function readText(bytes: Uint8Array): ReadText {
  if (bytes.length > MOST_BYTES)
    return { fault: first(`The file is larger than ${MOST_BYTES} bytes.`, "Make a file of each pattern.") };
  const text = decode(bytes);
  if (text === undefined)
    return { fault: { ...firstBadLine(bytes), message: "The line is not UTF-8.", next: "Save the file as UTF-8." } };
  if (text.trim() === "") return { fault: first("The file is empty.", "Begin with threat_pattern: and its fields.") };
  // oxlint-disable-next-line no-control-regex
  const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (hidden === null) return { text };
  const before = text.slice(0, hidden.index).split("\n");
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return {
    fault: { ...place, message: "There is a control character.", next: "Delete it; write it as an escape in quotes." },
  };
}

const first = (message: string, next: string): TextFault => ({ line: 1, column: 1, message, next });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** No sign of several bytes has the byte of a line end inside it, so that lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): Pick<TextFault, "line" | "column"> {
  let start = 0;
  for (let line = 1; ; line++) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const piece = bytes.subarray(start, end);
    if (decode(piece) === undefined || end === bytes.length) return { line, column: columnIn(piece) };
    start = end + 1;
  }
}

function columnIn(piece: Uint8Array): number {
  const at = new TextDecoder("utf-8", { ignoreBOM: true }).decode(piece).indexOf("\ufffd");
  return at === -1 ? 1 : at + 1;
}
