import type { Sql, SqlRow } from "@toolwright/kit/storage";
import type { SourceSpan } from "../documents/reading.js";
import { locateIn } from "../documents/source-map.js";
import { objectOf, textOf } from "../store/rows.js";
import type { Citation, Hit } from "./search-types.js";
import { type ChosenVersion, type IndexRows, locateRow } from "./views.js";

/** A passage as stored in the database. */
export interface Passage {
  readonly chunk_id: string;
  readonly document_id: string;
  readonly revision: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly chunk_type: string;
  /** The kind of its document. */
  readonly kind: string;
  readonly content: string;
  readonly first: number;
  readonly last: number;
  readonly source: string;
  readonly url: string | null;
  readonly license: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The maximum number of parameters of one statement. */
const BATCH = 100;

/** Reads passages by number. */
async function readPassages(sql: Sql, numbers: readonly number[]): Promise<ReadonlyMap<number, Passage>> {
  const found = new Map<number, Passage>();
  for (let start = 0; start < numbers.length; start += BATCH) {
    const some = numbers.slice(start, start + BATCH);
    const rows = await sql.all(
      `SELECT c.number, c.id, c.revision, c.first, c.last, c.type, c.headings, c.content,
         r.document, r.kind, r.title, r.license, r.metadata, r.url, d.source
       FROM chunks c JOIN revisions r ON r.id = c.revision JOIN documents d ON d.id = r.document
       WHERE c.number IN (${some.map(() => "?").join(", ")})`,
      ...some,
    );
    for (const row of rows) found.set(Number(row["number"]), toPassage(row));
  }
  return found;
}

const toPassage = (row: SqlRow): Passage => ({
  chunk_id: String(row["id"]),
  document_id: String(row["document"]),
  revision: Number(row["revision"]),
  title: String(row["title"]),
  headings: JSON.parse(String(row["headings"])) as string[],
  chunk_type: String(row["type"]),
  kind: String(row["kind"]),
  content: String(row["content"]),
  first: Number(row["first"]),
  last: Number(row["last"]),
  source: String(row["source"]),
  url: textOf(row["url"]),
  license: textOf(row["license"]),
  metadata: objectOf(row["metadata"]) as Record<string, string>,
});

/** The fields of a hit that depend only on its passage. */
export type CitedPassage = Omit<Hit, "score" | "snippet" | "highlights">;

/** Adds the location in the source to passages. */
export async function cite(
  sql: Sql,
  passages: readonly (readonly [ChosenVersion, Passage])[],
): Promise<readonly CitedPassage[]> {
  const revisions = [...new Set(passages.map(([, { revision }]) => revision))];
  const rows = await sql.all(
    `SELECT revision, map FROM maps WHERE revision IN (${revisions.map(() => "?").join(", ") || "NULL"})`,
    ...revisions,
  );
  const maps = new Map(rows.map((row) => [Number(row["revision"]), locateIn(row["map"] as Uint8Array)]));
  return passages.map(([{ name, version }, passage]) => {
    const { chunk_id, document_id, title, headings, chunk_type, content, metadata, first, last, revision } = passage;
    const span = maps.get(revision)?.(first, last) ?? { line_start: 1, line_end: 1 };
    return {
      chunk_id,
      document_id,
      collection_id: name,
      version,
      title,
      headings,
      chunk_type,
      content,
      citation: toCitation(passage, version, span),
      metadata,
    };
  });
}

function toCitation({ title, source, url, license }: Passage, version: number, span: SourceSpan): Citation {
  const isUrl = /^https?:\/\//.test(source);
  const address = url ?? (isUrl ? source : undefined);
  const { byte_start, byte_end, page, line_start, line_end } = span;
  const lines = line_start === line_end ? `L${line_start}` : `L${line_start}-L${line_end}`;
  return {
    title,
    ...(!isUrl && { source_path: source }),
    ...(address !== undefined && { source_url: address }),
    anchor: page === undefined ? `${source}#${lines}` : `${source}#page=${page}`,
    ...(license !== null && { license }),
    version,
    line_start,
    line_end,
    ...(byte_start !== undefined && { byte_start }),
    ...(byte_end !== undefined && { byte_end }),
    ...(page !== undefined && { page }),
  };
}

/** The passages of rows. Each is read once per search. */
export class RowPassages {
  readonly #sql: Sql;
  readonly #index: IndexRows;
  readonly #read = new Map<number, Passage>();

  constructor(sql: Sql, index: IndexRows) {
    this.#sql = sql;
    this.#index = index;
  }

  /** Returns passages in the order of the rows. A passage that was deleted meanwhile is missing. */
  async of(rows: readonly number[]): Promise<ReadonlyMap<number, Passage>> {
    const missing = rows.filter((row) => !this.#read.has(row));
    const numbers = new Map(missing.map((row) => [row, this.#numberOf(row)]));
    const found = await readPassages(this.#sql, [...numbers.values()]);
    for (const [row, number] of numbers) {
      const passage = found.get(number);
      if (passage !== undefined) this.#read.set(row, passage);
    }
    return new Map(
      rows.flatMap((row) => {
        const passage = this.#read.get(row);
        return passage === undefined ? [] : [[row, passage] as const];
      }),
    );
  }

  #numberOf(row: number): number {
    const { part, at } = locateRow(this.#index, row);
    return part.columns.number[at] as number;
  }
}
