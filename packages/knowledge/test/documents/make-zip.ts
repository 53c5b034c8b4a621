import { crc32, deflateRawSync } from "node:zlib";

/** A file in an archive; what its tables say about it can be wrong. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
  /** The size that the archive claims. */
  readonly claimed?: number;
}

/** A ZIP archive. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, claimed = bytes.length } of entries) {
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimed, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), fields, place, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(table.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, table, Buffer.from("PK\x05\x06"), end]);
}

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A Word document with this body, and further parts. */
export function makeDocx(body: string, more: Readonly<Record<string, string>> = {}): Buffer {
  const files = {
    "word/document.xml": `<?xml version="1.0"?><w:document ${NAMESPACE}><w:body>${body}</w:body></w:document>`,
    ...more,
  };
  return makeZip(Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
}
