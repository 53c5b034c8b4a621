import { ToolError } from "@toolwright/engine";
import type { Sql, SqlStore } from "@toolwright/kit/storage";
import { EndpointUnavailable } from "../embedders/embedder.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { readFilters } from "./filters.js";
import { type Findings, find, findRetrieverError, type Retriever, type SearchContext, Stopwatch } from "./find.js";
import { RowPassages } from "./hits.js";
import { type Query, readQuery } from "./query.js";
import type { SearchOptions, SearchResult } from "./search-types.js";
import { ByteCache } from "./segment.js";
import { showHits } from "./show.js";
import type { QueryVector } from "./vector-retriever.js";
import { type ChosenVersion, chooseVersion, openView, toIndexRows } from "./views.js";

/** The cache sizes of one database. Segments are immutable, so cached segments stay valid. */
const SEGMENT_CACHE_BYTES = 512 * 1024 * 1024;
const RESULT_CACHE_BYTES = 16 * 1024 * 1024;

const MAX_QUERY_LENGTH = 10_000;

interface Caches {
  readonly segments: ByteCache;
  readonly results: ByteCache;
}
const cachesByStore = new WeakMap<SqlStore, Caches>();

function cachesOf(store: SqlStore): Caches {
  let caches = cachesByStore.get(store);
  if (caches === undefined) {
    caches = { segments: new ByteCache(SEGMENT_CACHE_BYTES), results: new ByteCache(RESULT_CACHE_BYTES) };
    cachesByStore.set(store, caches);
  }
  return caches;
}

/** Searches one version of each collection by words and by vectors. */
export async function search(context: KnowledgeContext, options: SearchOptions): Promise<SearchResult> {
  const start = performance.now();
  validate(options);
  const query = readQuery(options.query);
  const store = await context.store();
  const { results } = cachesOf(store);
  const chosen = await store.read((sql) => chooseVersions(sql, options));
  const key = JSON.stringify([{ ...options, signal: undefined }, chosen.map((version) => version.key)]);
  const cached = results.get(key) as { readonly result: SearchResult; readonly until: number } | undefined;
  if (options.cache_ttl && cached !== undefined && cached.until > start)
    return markCached(cached.result, performance.now() - start);
  const stopwatch = new Stopwatch();
  const embedded: EmbeddedQuery =
    options.mode === "words"
      ? { warnings: [] }
      : await stopwatch.measure("vector", () => embedQuery(context, query.text, chosen, options));
  options.signal?.throwIfAborted();
  const result = await searchWithFallback(store, { options, query, stopwatch, start }, embedded);
  if (options.cache_ttl) {
    const bytes = result.results.reduce((sum, { content }) => sum + content.length * 3 + 2000, 1000);
    results.set(key, { result, until: start + options.cache_ttl * 1000 }, bytes);
  }
  return result;
}

function validate({ query, collections }: SearchOptions): void {
  const reject = (reason: string): never => {
    throw new ToolError(`Cannot search: ${reason}`, { code: "INVALID_ARGUMENT" });
  };
  if (query.trim() === "") reject("the query is empty.");
  if (query.length > MAX_QUERY_LENGTH) reject(`the query has more than ${MAX_QUERY_LENGTH} characters.`);
  if (collections.length === 0) reject("no collection is given.");
  if (new Set(collections.map(({ name }) => name)).size < collections.length)
    reject("a collection is given twice. A search uses one version of each collection.");
}

async function chooseVersions(sql: Sql, { collections }: SearchOptions): Promise<ChosenVersion[]> {
  const chosen: ChosenVersion[] = [];
  for (const wanted of collections) chosen.push(await chooseVersion(sql, wanted));
  return chosen;
}

const markCached = (result: SearchResult, total: number): SearchResult => ({
  ...result,
  performance_metrics: { ...result.performance_metrics, total_ms: toMs(total), cache_hit: true },
});

/** The parts of a search that do not depend on the retrievers. */
interface SearchRun {
  readonly options: SearchOptions;
  readonly query: Query;
  readonly stopwatch: Stopwatch;
  readonly start: number;
}

const RETRIEVERS = { hybrid: ["words", "vector"], words: ["words"], vector: ["vector"] } as const;

/** Searches with both retrievers. If one fails, repeats the search with the other in a new transaction, because the error may have aborted the first. */
async function searchWithFallback(store: SqlStore, run: SearchRun, embedded: EmbeddedQuery): Promise<SearchResult> {
  const { options, query } = run;
  const { queryVector } = embedded;
  const retrievers = new Set<Retriever>(RETRIEVERS[options.mode ?? "hybrid"]);
  const warnings = [...query.warnings, ...embedded.warnings];
  if (options.mode === "vector" && queryVector === undefined && embedded.warnings.length > 0)
    throw new ToolError(`Cannot search by vectors. ${embedded.warnings.join(" ")}`, { code: "UNAVAILABLE" });
  for (;;) {
    try {
      const vector = retrievers.has("vector") ? queryVector : undefined;
      return await store.read((sql) => searchIn(sql, store, run, { retrievers, queryVector: vector, warnings }));
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = findRetrieverError(error);
      if (failure === undefined || retrievers.size === 1) throw error;
      if (failure.retriever === "words" && queryVector === undefined) throw error;
      retrievers.delete(failure.retriever);
      const [failed, used] = failure.retriever === "words" ? ["words", "vectors"] : ["vectors", "words"];
      warnings.push(`The search by ${failed} failed: ${failure.message}. Only ${used} were searched.`);
    }
  }
}

async function searchIn(
  sql: Sql,
  store: SqlStore,
  { options, query, stopwatch, start }: SearchRun,
  how: Pick<SearchContext, "retrievers" | "queryVector"> & { readonly warnings: readonly string[] },
): Promise<SearchResult> {
  const cache = cachesOf(store).segments;
  const views = [];
  const filters = new Map<unknown, Awaited<ReturnType<typeof readFilters>>>();
  for (const chosen of await chooseVersions(sql, options)) {
    const view = await openView(sql, cache, chosen);
    views.push(view);
    filters.set(view, await readFilters(sql, view, options.filters));
  }
  const index = toIndexRows(views, (view, segment) => filters.get(view)?.(segment));
  const { retrievers, queryVector } = how;
  const passages = new RowPassages(sql, index);
  const context = { options, query, stopwatch, retrievers, queryVector, sql, cache, index, passages };
  const findings = await find(context);
  const minScore = options.filters?.min_score;
  const kept = minScore === undefined ? findings.fused : findings.fused.filter(({ score }) => score >= minScore);
  const results = await stopwatch.measure("merge", () => showHits(context, findings, kept.slice(0, options.top_k)));
  return {
    results,
    query_info: describeQuery(query, findings, minScore === undefined ? findings.total : kept.length),
    performance_metrics: {
      total_ms: toMs(performance.now() - start),
      vector_ms: toMs(stopwatch.spent.vector),
      bm25_ms: toMs(stopwatch.spent.words),
      merge_ms: toMs(stopwatch.spent.merge),
      vector_candidates: findings.vectorCandidates,
      bm25_candidates: findings.wordsCandidates,
      cache_hit: false,
    },
    embedder: queryVector?.embedder ?? "",
    warnings: [...how.warnings, ...findings.warnings],
  };
}

function describeQuery(query: Query, { words }: Findings, total: number): SearchResult["query_info"] {
  return {
    processed_query: query.shown,
    query_terms: [...query.terms.keys()],
    expansion_terms: words.terms.filter(({ origin }) => origin === "expansion").map(({ term }) => term),
    total_results: total,
  };
}

const toMs = (time: number): number => Math.round(time * 100) / 100;

/** The vector of a query, or the reasons why there is none. */
interface EmbeddedQuery {
  readonly queryVector?: QueryVector;
  readonly warnings: readonly string[];
}

/**
 * Embeds a query for the versions that have vectors of the same embedder. If that fails or times out, only words are searched, with a
 * warning. An evaluation fails instead.
 */
async function embedQuery(
  context: KnowledgeContext,
  text: string,
  versions: readonly ChosenVersion[],
  { signal, isMeasured = false }: Pick<SearchOptions, "signal" | "isMeasured">,
): Promise<EmbeddedQuery> {
  const withVectors = versions.filter(({ embedder }) => embedder !== "");
  const without = versions.filter(({ embedder }) => embedder === "").map(({ name }) => name);
  const warnings =
    without.length === 0
      ? []
      : [`${without.join(", ")} has no vectors, so only words were searched. Ingest it again to create vectors.`];
  if (withVectors.length === 0 || text === "") return { warnings };
  try {
    const [first, ...more] = new Set(withVectors.map(({ embedder: name }) => name));
    const embedder = await context.embedder(more.length === 0 ? first : undefined, !isMeasured);
    const others = withVectors.filter((version) => version.embedder !== embedder.name);
    for (const { name, embedder: other } of others)
      warnings.push(
        `The vectors of ${name} were made by ${other}, but the current embedder is ${embedder.name}, so only words were searched. Set packs.knowledge.embedder to ${other}, or ingest the collection again.`,
      );
    if (others.length === withVectors.length) return { warnings };
    const how = { isUrgent: !isMeasured, ...(signal !== undefined && { signal }) };
    const [vector] = await embedder.embed([text], { kind: "query", ...how });
    // A zero vector means that the embedder knows none of the words.
    if (vector === undefined || vector.every((component) => component === 0)) return { warnings };
    const embed = (texts: readonly string[]): ReturnType<typeof embedder.embed> =>
      embedder.embed(texts, { kind: "passage", ...how });
    const queryVector = { vector, embedder: embedder.name, ...(embedder.isLight === true && { embed }) };
    return { queryVector, warnings };
  } catch (error) {
    signal?.throwIfAborted();
    if (isMeasured) throw error;
    if (error instanceof EndpointUnavailable) context.noteUnavailable(error);
    const reason = error instanceof Error ? error.message : String(error);
    return { warnings: [...warnings, `Vectors were not searched, only words: ${reason}`] };
  }
}
