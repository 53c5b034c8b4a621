import { ToolError } from "@toolwright/engine";
import type { Sql, SqlRow } from "@toolwright/kit/storage";
import type { Collection, Version } from "../collections/collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { search } from "../search/search.js";
import { eachToken } from "../search/terms.js";
import type { Check } from "./gates.js";

/** The number of passages to search for, and the number of results that must contain each. */
const SAMPLE = 10;
const DEPTH = 10;
/** The number of words in a query. */
const WORDS = 16;

/** Checks that a version is complete, and that its passages can be found. */
export async function smokeChecks(
  context: KnowledgeContext,
  collection: Collection,
  version: Version,
  signal: AbortSignal | undefined,
): Promise<readonly Check[]> {
  const store = await context.store();
  const { counts, sample } = await store.read(async (sql) => ({
    counts: await count(sql, collection.id, version.number),
    sample: await takeSample(sql, collection.id, version.number),
  }));
  const documents = version.status === "ready" ? version.documents : counts.documents;
  const chunks = version.status === "ready" ? version.chunks : counts.chunks;
  const checks: Check[] = [
    {
      name: "documents are there",
      passed: counts.documents > 0 && counts.documents === documents,
      value: counts.documents,
      threshold: Math.max(1, documents),
    },
    { name: "passages are there", passed: counts.chunks === chunks, value: counts.chunks, threshold: chunks },
    { name: "passages are indexed", passed: counts.rows === chunks, value: counts.rows, threshold: chunks },
  ];
  if (sample.length === 0 || !checks.every(({ passed }) => passed)) return checks;
  return [...checks, await findSample(context, collection.name, version.number, sample, signal)];
}

async function findSample(
  context: KnowledgeContext,
  name: string,
  version: number,
  sample: readonly SqlRow[],
  signal: AbortSignal | undefined,
): Promise<Check> {
  const lost: string[] = [];
  let reason: string | undefined;
  for (const row of sample) {
    const content = String(row["content"]);
    const query = wordsOf(content);
    if (query === "") continue;
    try {
      const options = {
        query,
        collections: [{ name, version }],
        top_k: DEPTH,
        mode: "words",
        expand: false,
        signal,
      } as const;
      const { results } = await search(context, options);
      // Of passages with equal content, any counts.
      if (!results.some((hit) => hit.content === content)) lost.push(String(row["id"]));
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ToolError)) throw error;
      lost.push(String(row["id"]));
      reason = error.message;
    }
  }
  const value = sample.length - lost.length;
  const note =
    lost.length === 0 ? undefined : `not found: ${lost.join(", ")}${reason === undefined ? "" : ` (${reason})`}`;
  return {
    name: "passages are found by their own words",
    // A passage that has only common words can rank below similar ones.
    passed: value >= Math.ceil(sample.length * 0.9),
    value,
    threshold: Math.ceil(sample.length * 0.9),
    ...(note !== undefined && { note }),
  };
}

/** Returns the longest distinct words of a passage. They are the most specific ones. */
function wordsOf(content: string): string {
  const words = new Map<string, string>();
  eachToken(content, (start, end, { key, terms }, kind) => {
    if (kind !== "single" && terms.length > 0) words.set(key, content.slice(start, end));
  });
  return [...words.values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, WORDS)
    .join(" ");
}

interface Counts {
  readonly documents: number;
  readonly chunks: number;
  /** The number of index rows that belong to members. */
  readonly rows: number;
}

async function count(sql: Sql, collection: number, version: number): Promise<Counts> {
  const members = await sql.get(
    `SELECT count(*) AS documents, coalesce(sum(r.chunks), 0) AS chunks
     FROM members m JOIN revisions r ON r.id = m.revision WHERE m.collection = ? AND m.version = ?`,
    collection,
    version,
  );
  const indexed = await sql.get(
    `SELECT coalesce(sum(s.rows), 0) AS rows FROM version_segments v JOIN segment_revisions s ON s.segment = v.segment
       JOIN members m ON m.collection = v.collection AND m.version = v.version AND m.revision = s.revision
     WHERE v.collection = ? AND v.version = ?`,
    collection,
    version,
  );
  return {
    documents: Number(members?.["documents"]),
    chunks: Number(members?.["chunks"]),
    rows: Number(indexed?.["rows"]),
  };
}

/** Selects one passage from each of ten documents. The order of fingerprints is arbitrary, so the sample is too. */
const takeSample = (sql: Sql, collection: number, version: number): Promise<SqlRow[]> =>
  sql.all(
    `SELECT c.id, c.content FROM (
       SELECT r.id FROM members m JOIN revisions r ON r.id = m.revision
       WHERE m.collection = ? AND m.version = ? AND r.chunks > 0 ORDER BY r.fingerprint, r.id LIMIT ?) s
     JOIN chunks c ON c.number = (SELECT min(f.number) FROM chunks f WHERE f.revision = s.id)`,
    collection,
    version,
    SAMPLE,
  );
