import type { Sql, SqlRow } from "@toolwright/kit/storage";
import { type Locate, locateIn } from "../documents/source-map.js";
import { numberOf, textOf } from "../store/rows.js";

/** A passage with its source. */
export interface Passage {
  readonly chunk: string;
  readonly document: string;
  readonly collection: string;
  /** The active version if it contains the passage, else the newest version that does. */
  readonly version: number;
  readonly isCurrent: boolean;
  readonly revision: number;
  readonly source: string;
  /** The folder that a relative source path refers to; null if unknown. */
  readonly folder: string | null;
  /** "file", or "text" for a document that was passed as text. */
  readonly origin: string;
  readonly url: string | null;
  readonly title: string;
  readonly license: string | null;
  readonly sha256: string;
  readonly modifiedAt: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly headings: readonly string[];
  readonly type: string;
  /** The offsets in the text of the document. */
  readonly first: number;
  readonly last: number;
  /** The exact text of the document, without the repeated table header that `content` can have. */
  readonly text: string;
  readonly locate: Locate;
}

const IDS_AT_ONCE = 100;

/** Reads passages by ID. Passages that no ready version contains are missing. */
export async function readPassages(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Passage>> {
  const found = new Map<string, Passage>();
  const maps = new Map<number, Locate>();
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    const rows = await sql.all(
      `SELECT c.id AS chunk, c.first, c.last, c.type, c.headings, c.content, c.revision, r.document, r.origin, r.url, r.title,
         r.license, r.sha256, r.modified_at, r.metadata, d.source, o.name, o.folder,
         (SELECT max(m.version) FROM members m JOIN versions v ON v.collection = m.collection AND v.number = m.version
          WHERE m.revision = c.revision AND v.status = 'ready') AS newest,
         (SELECT max(m.version) FROM members m WHERE m.revision = c.revision AND m.collection = o.id
          AND m.version = coalesce(o.pinned, o.active)) AS answering
       FROM chunks c JOIN revisions r ON r.id = c.revision JOIN documents d ON d.id = r.document
         JOIN collections o ON o.id = d.collection
       WHERE o.name NOT LIKE '#%' AND c.id IN (${some.map(() => "?").join(", ")})`,
      ...some,
    );
    for (const row of rows) {
      const passage = await toPassage(sql, row, maps);
      if (passage !== undefined) found.set(passage.chunk, passage);
    }
  }
  return found;
}

async function toPassage(sql: Sql, row: SqlRow, maps: Map<number, Locate>): Promise<Passage | undefined> {
  const answering = numberOf(row["answering"]);
  const version = answering ?? numberOf(row["newest"]);
  if (version === null) return undefined;
  const revision = Number(row["revision"]);
  const [first, last, content] = [Number(row["first"]), Number(row["last"]), String(row["content"])];
  return {
    chunk: String(row["chunk"]),
    document: String(row["document"]),
    collection: String(row["name"]),
    version,
    isCurrent: answering !== null,
    revision,
    source: String(row["source"]),
    folder: textOf(row["folder"]),
    origin: String(row["origin"]),
    url: textOf(row["url"]),
    title: String(row["title"]),
    license: textOf(row["license"]),
    sha256: String(row["sha256"]),
    modifiedAt: textOf(row["modified_at"]),
    metadata: JSON.parse(String(row["metadata"])) as Record<string, string>,
    headings: JSON.parse(String(row["headings"])) as string[],
    type: String(row["type"]),
    first,
    last,
    text: content.slice(content.length - (last - first)),
    locate: await locateOf(sql, revision, maps),
  };
}

async function locateOf(sql: Sql, revision: number, maps: Map<number, Locate>): Promise<Locate> {
  const known = maps.get(revision);
  if (known !== undefined) return known;
  const row = await sql.get("SELECT map FROM maps WHERE revision = ?", revision);
  const locate = locateIn(row?.["map"] as Uint8Array);
  maps.set(revision, locate);
  return locate;
}
