import { onTestFinished } from "vitest";
import { createStaticEmbedder } from "../../src/embedders/static-embedder.js";
import type { KnowledgeContext } from "../../src/knowledge-context.js";
import { search } from "../../src/search/search.js";
import type { SearchOptions, SearchResult } from "../../src/search/search-types.js";
import { buildSegment } from "../../src/search/segment-writer.js";
import type { Settings } from "../../src/settings.js";
import { quantise } from "../../src/vectors/quantise.js";
import { databaseOf, makeFolder } from "../kit.js";
import { hostOf, openKnowledge } from "../open-pack.js";

/** A document of one passage; its name is that of its source. */
export interface Page {
  readonly name: string;
  readonly content: string;
  readonly title?: string;
  readonly headings?: readonly string[];
  readonly type?: string;
  readonly kind?: string;
  readonly modified?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A knowledge base whose versions and segments a test puts together itself. */
export class Shelf {
  readonly context: KnowledgeContext;
  readonly #revisions = new Map<string, number>();

  constructor(context: KnowledgeContext) {
    this.context = context;
  }

  /** A version out of segments; `without` = documents that are in them, but not in the version. */
  async addVersion(
    collection: string,
    number: number,
    segments: readonly (readonly Page[])[],
    { without = [] as readonly string[], isEmbedded = false } = {},
  ): Promise<readonly number[]> {
    const store = await this.context.store();
    const id = await this.#collectionId(collection);
    const [embedder, dimension] = isEmbedded ? ["static-en-2", 256] : ["", 0];
    await store.write(async (sql) => {
      await sql.run(
        `INSERT INTO versions (collection, number, status, embedder, dimension, chunk_size, chunk_overlap, created_at)
         VALUES (?, ?, 'ready', ?, ?, 512, 50, ?)`,
        id,
        number,
        embedder,
        dimension,
        AT,
      );
      await sql.run("UPDATE collections SET active = ? WHERE id = ?", number, id);
    });
    const built: number[] = [];
    for (const pages of segments) {
      const rows = [];
      for (const page of pages) rows.push(await this.#addPage(id, page, isEmbedded));
      built.push(...(await buildSegment(store, { collection: id, embedder, dimension }, rows)));
      for (const { revision, name } of rows)
        if (!without.includes(name))
          await store.write((sql) =>
            sql.run("INSERT INTO members (collection, version, revision) VALUES (?, ?, ?)", id, number, revision),
          );
    }
    await this.name(collection, number, built);
    return built;
  }

  /** Lets a version have segments that are there. */
  async name(collection: string, number: number, segments: readonly number[]): Promise<void> {
    const id = await this.#collectionId(collection);
    const store = await this.context.store();
    await store.write(async (sql) => {
      for (const segment of segments)
        await sql.run(
          "INSERT INTO version_segments (collection, version, segment) VALUES (?, ?, ?)",
          id,
          number,
          segment,
        );
    });
  }

  find(query: string, options: Partial<SearchOptions> = {}): Promise<SearchResult> {
    return search(this.context, {
      collections: [{ name: "c" }],
      top_k: 100,
      mode: "words",
      expand: false,
      query,
      ...options,
    });
  }

  /** The names of what is found, best first. */
  async names(query: string, options: Partial<SearchOptions> = {}): Promise<string[]> {
    return (await this.find(query, options)).results.map(({ citation }) => citation.source_path ?? "");
  }

  /** Damages the vectors, wherever they lie. */
  async breakVectors(): Promise<void> {
    const store = await this.context.store();
    await store.write((sql) =>
      sql.run(
        sql.dialect === "postgres" ? "DROP TABLE segment_vectors" : "DELETE FROM segment_columns WHERE name = 'vector'",
      ),
    );
  }

  async sql(text: string): Promise<void> {
    await (await this.context.store()).write((sql) => sql.run(text));
  }

  async #collectionId(name: string): Promise<number> {
    const store = await this.context.store();
    return store.write(async (sql) => {
      await sql.run(
        `INSERT INTO collections (name, description, chunk_size, chunk_overlap, metadata, created_at, updated_at)
         VALUES (?, '', 512, 50, '{}', ?, ?) ON CONFLICT (name) DO NOTHING`,
        name,
        AT,
        AT,
      );
      return Number((await sql.get("SELECT id FROM collections WHERE name = ?", name))?.["id"]);
    });
  }

  async #addPage(collection: number, page: Page, isEmbedded: boolean) {
    const { name, content, title = name, headings = [], type = "text", kind = "text" } = page;
    const document = `doc_${collection}_${name}`;
    const key = `${document} ${this.#revisions.size}`;
    const store = await this.context.store();
    const { revision, number } = await store.write(async (sql) => {
      await sql.run(
        "INSERT INTO documents (id, collection, source) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
        document,
        collection,
        name,
      );
      const one = await sql.get(
        `INSERT INTO revisions (document, fingerprint, edition, sha256, is_whole, origin, kind, title, encoding, bytes, chunks,
           modified_at, metadata, created_at) VALUES (?, ?, 0, '', 1, 'text', ?, ?, 'utf-8', 1, 1, ?, ?, ?) RETURNING id`,
        document,
        key,
        kind,
        title,
        page.modified ?? AT,
        JSON.stringify(page.metadata ?? {}),
        AT,
      );
      const other = await sql.get(
        `INSERT INTO chunks (id, revision, ordinal, first, last, type, headings, tokens, hash, content)
         VALUES (?, ?, 0, 0, 1, ?, ?, 1, '', ?) RETURNING number`,
        `chk_${key}`,
        Number(one?.["id"]),
        type,
        JSON.stringify(headings),
        content,
      );
      return { revision: Number(one?.["id"]), number: Number(other?.["number"]) };
    });
    this.#revisions.set(key, revision);
    const [vector] = isEmbedded ? await createStaticEmbedder().embed([content], { kind: "passage" }) : [];
    return { name, number, revision, type, title, headings, content, vector: vector && quantise(vector) };
  }
}

const AT = "2031-05-06T07:08:09.000Z";

/** An empty shelf, which goes with the test. */
export async function openShelf(settings: Partial<Settings> = {}): Promise<Shelf> {
  const folder = await makeFolder();
  const database = await databaseOf(folder);
  const context = openKnowledge({ database, ...settings }, hostOf(folder));
  onTestFinished(() => context.close());
  return new Shelf(context);
}
