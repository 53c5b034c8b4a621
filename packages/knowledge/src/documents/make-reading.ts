import path from "node:path";
import type { DecodedText } from "./decode.js";
import { licenseIn } from "./license.js";
import { type Block, type DocumentKind, type Reading, UnreadableDocument } from "./reading.js";
import { locateBytes, locateIn, writeByteMap } from "./source-map.js";

/** A file to read. */
export interface FileToRead {
  /** Its end tells what kind of document it is. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes may be taken away, and the buffer that they lie in: nobody needs them afterwards. */
  readonly isOwned?: true;
}

/** What the parts of a reading are made of, beside the text and the way back. */
export interface Parts {
  readonly blocks: readonly Block[];
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  readonly license?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Puts a reading together from a text whose bytes lie in the file as they are. */
export function toReading(kind: DocumentKind, name: string, decoded: DecodedText, parts: Parts): Reading {
  const { bytes, lineStarts, encoding, text } = decoded;
  const locate = locateBytes(bytes, lineStarts);
  let map: Uint8Array | undefined;
  return {
    kind,
    encoding,
    text,
    ...describe(name, text, parts),
    locate,
    get map() {
      return (map ??= writeByteMap(bytes, lineStarts));
    },
  };
}

/** Puts a reading together from a text that was unpacked, and the map to its lines and pages. */
export function makeReading(
  kind: DocumentKind,
  name: string,
  encoding: string,
  text: string,
  map: Uint8Array,
  parts: Parts,
): Reading {
  return { kind, encoding, text, ...describe(name, text, parts), map, locate: locateIn(map) };
}

/** What is known about a document: what it says itself, else what its name and text tell. */
function describe(
  name: string,
  text: string,
  { blocks, title, language, license, metadata = {} }: Parts,
): Pick<Reading, "title" | "license" | "language" | "blocks" | "metadata"> {
  if (blocks.length === 0) throw new UnreadableDocument("there is no text in it");
  const found = license ?? licenseIn(text);
  const own = title?.trim();
  return {
    title: own || path.basename(name),
    ...(found !== undefined && { license: found }),
    ...(language && { language }),
    blocks,
    metadata,
  };
}
