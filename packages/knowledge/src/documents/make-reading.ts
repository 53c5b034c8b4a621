import path from "node:path";
import type { DecodedText } from "./decode.js";
import { licenseIn } from "./license.js";
import { type Block, type DocumentKind, type Reading, UnreadableDocument } from "./reading.js";
import { locateBytes, locateIn, writeByteMap } from "./source-map.js";

/** A file whose text is read. */
export interface FileToRead {
  /** The extension determines the kind of document. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The buffer may be detached: the caller does not use it afterwards. */
  readonly isOwned?: true;
}

/** The parts of a reading besides its text and source map. */
export interface Parts {
  readonly blocks: readonly Block[];
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  readonly license?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Builds a reading from a text whose bytes are in the file unchanged. */
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

/** Builds a reading from an extracted text and its map to lines and pages. */
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

/** Completes the metadata of a document from its name and text. */
function describe(
  name: string,
  text: string,
  { blocks, title, language, license, metadata = {} }: Parts,
): Pick<Reading, "title" | "license" | "language" | "blocks" | "metadata"> {
  if (blocks.length === 0) throw new UnreadableDocument("it contains no text");
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
