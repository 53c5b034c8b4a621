import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A file of a tarball. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Far more than what is unpacked here; less than what would fill a memory. */
const MOST_BYTES = 512 * 1024 * 1024;
const BLOCK = 512;

/** The files of a tarball that npm has made. Links and folders are passed over. */
export async function readTarball(packed: Buffer): Promise<PackedFile[]> {
  const all = await promisify(gunzip)(packed, { maxOutputLength: MOST_BYTES });
  const files: PackedFile[] = [];
  for (let at = 0; at + BLOCK <= all.length && all[at] !== 0; ) {
    const size = Number.parseInt(textAt(all, at + 124, 12), 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new Error("the tarball is damaged");
    const start = at + BLOCK;
    const isFile = all[at + 156] === 0 || all[at + 156] === 0x30;
    const folder = textAt(all, at + 345, 155);
    const name = folder === "" ? textAt(all, at, 100) : `${folder}/${textAt(all, at, 100)}`;
    if (isFile) files.push({ name, bytes: all.subarray(start, start + size) });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function textAt(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString("utf8", start, end === -1 ? start + length : Math.min(end, start + length)).trim();
}
