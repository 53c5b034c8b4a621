import { decodeText, formOf } from "@toolwright/kit/files";

/** The largest content that is compared line by line. */
const LARGEST = 8 * 1024 * 1024;

/** The text in some bytes; undefined where it is none, or too much to be compared. */
export function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > LARGEST) return undefined;
  const form = formOf(bytes);
  return form && decodeText(bytes.subarray(form.bomBytes), form.encoding);
}

/** The first part of a difference, with a line that says how much was left out. */
export function cutDiff(diff: string, most: number): string {
  if (diff.length <= most) return diff;
  const end = diff.lastIndexOf("\n", most) + 1;
  const left = diff.slice(end).split("\n").length - 1;
  return `${diff.slice(0, end)}… ${left} more lines\n`;
}
