import { ToolError } from "@toolwright/engine";
import type { Sql, SqlStore } from "@toolwright/kit/storage";
import { EndpointDown } from "../embedders/embedder.js";
import type { Base } from "../knowledge-context.js";
import { readFilters } from "./filters.js";
import { type Findings, failureIn, find, type Leg, Stopwatch, type Work } from "./find.js";
import { RowPassages } from "./hits.js";
import { type Query, readQuery } from "./query.js";
import type { SearchAnswer, SearchWish } from "./search-types.js";
import { ByteCache } from "./segment.js";
import { showHits } from "./show.js";
import type { VectorQuestion } from "./vector-retriever.js";
import { type ChosenVersion, chooseVersion, openView, toIndexRows } from "./views.js";

export type {
  Citation,
  ExplainedTerm,
  Explanation,
  Filters,
  Hit,
  SearchAnswer,
  SearchWish,
  WantedCollection,
} from "./search-types.js";

/** What is kept in memory of one database: segments never change, so that what was loaded stays true. */
const CACHE_BYTES = 512 * 1024 * 1024;
const ANSWER_BYTES = 16 * 1024 * 1024;

interface Memory {
  readonly segments: ByteCache;
  readonly answers: ByteCache;
}
const memories = new WeakMap<SqlStore, Memory>();

function memoryOf(ledger: SqlStore): Memory {
  const memory = memories.get(ledger) ?? { segments: new ByteCache(CACHE_BYTES), answers: new ByteCache(ANSWER_BYTES) };
  memories.set(ledger, memory);
  return memory;
}

/** Finds passages by words and by meaning, in one version of each collection. Throws a `ToolError` where it cannot. */
export async function search(base: Base, wish: SearchWish): Promise<SearchAnswer> {
  const start = performance.now();
  check(wish);
  const query = readQuery(wish.query);
  const ledger = await base.ledger();
  const { answers } = memoryOf(ledger);
  const chosen = await ledger.read((sql) => chooseAll(sql, wish));
  const key = JSON.stringify([{ ...wish, signal: undefined }, chosen.map((version) => version.key)]);
  const kept = answers.get(key) as { readonly answer: SearchAnswer; readonly until: number } | undefined;
  if (wish.cache_ttl && kept !== undefined && kept.until > start) return asKept(kept.answer, performance.now() - start);
  const watch = new Stopwatch();
  const wantsVectors = wish.mode !== "words";
  const embedded: EmbeddedQuery = wantsVectors
    ? await watch.measure("vector", () => embedQuery(base, query.text, chosen, wish))
    : { warnings: [] };
  wish.signal?.throwIfAborted();
  const answer = await answerWithLegs(ledger, wish, query, embedded, watch, start);
  if (wish.cache_ttl) {
    const bytes = answer.results.reduce((sum, { content }) => sum + content.length * 3 + 2000, 1000);
    answers.set(key, { answer, until: start + wish.cache_ttl * 1000 }, bytes);
  }
  return answer;
}

function check(wish: SearchWish): void {
  const names = wish.collections.map(({ name }) => name);
  const refuse = (reason: string): never => {
    throw new ToolError(`Cannot search: ${reason}`, { code: "INVALID_ARGUMENT" });
  };
  if (wish.query.trim() === "") refuse("the query is empty. Say what to look for.");
  if (names.length === 0) refuse("no collection is named.");
  if (new Set(names).size < names.length)
    refuse("a collection is named twice. One answer never mixes two versions of a collection.");
}

const chooseAll = async (sql: Sql, { collections }: SearchWish): Promise<ChosenVersion[]> => {
  const chosen: ChosenVersion[] = [];
  for (const wanted of collections) chosen.push(await chooseVersion(sql, wanted));
  return chosen;
};

const asKept = (answer: SearchAnswer, total: number): SearchAnswer => ({
  ...answer,
  performance_metrics: { ...answer.performance_metrics, total_ms: toMs(total), cache_hit: true },
});

/** Answers with both legs; where one fails, with the other, in a transaction of its own: a fault may have ended the first. */
async function answerWithLegs(
  ledger: SqlStore,
  wish: SearchWish,
  query: Query,
  embedded: EmbeddedQuery,
  watch: Stopwatch,
  start: number,
): Promise<SearchAnswer> {
  const legs = new Set<Leg>(
    wish.mode === "vector" ? ["vector"] : wish.mode === "words" ? ["words"] : ["words", "vector"],
  );
  const warnings = [...query.warnings, ...embedded.warnings];
  if (wish.mode === "vector" && embedded.question === undefined && embedded.warnings.length > 0)
    throw new ToolError(`Cannot search by vectors alone. ${embedded.warnings.join(" ")}`, { code: "UNAVAILABLE" });
  for (;;) {
    try {
      const question = legs.has("vector") ? embedded.question : undefined;
      return await ledger.read((sql) => answerIn(sql, ledger, { wish, query, question, legs, watch }, warnings, start));
    } catch (error) {
      wish.signal?.throwIfAborted();
      const failure = failureIn(error);
      if (failure === undefined || legs.size === 1) throw error;
      if (failure.leg === "words" && embedded.question === undefined) throw error;
      legs.delete(failure.leg);
      const [broken, whole] = failure.leg === "words" ? ["words", "Vectors"] : ["vectors", "Words"];
      warnings.push(`The search by ${broken} failed: ${failure.message}. ${whole} alone answer.`);
    }
  }
}

async function answerIn(
  sql: Sql,
  ledger: SqlStore,
  parts: Omit<Work, "sql" | "cache" | "index" | "passages">,
  warnings: readonly string[],
  start: number,
): Promise<SearchAnswer> {
  const { wish, watch } = parts;
  const cache = memoryOf(ledger).segments;
  const views = [];
  const filters = new Map<unknown, Awaited<ReturnType<typeof readFilters>>>();
  for (const chosen of await chooseAll(sql, wish)) {
    const view = await openView(sql, cache, chosen);
    views.push(view);
    filters.set(view, await readFilters(sql, view, wish.filters));
  }
  const index = toIndexRows(views, (view, segment) => filters.get(view)?.(segment));
  const work: Work = { ...parts, sql, cache, index, passages: new RowPassages(sql, index) };
  const findings = await find(work);
  const least = wish.filters?.min_score;
  const good = least === undefined ? findings.fused : findings.fused.filter(({ score }) => score >= least);
  const results = await watch.measure("merge", () => showHits(work, findings, good.slice(0, wish.top_k)));
  return {
    results,
    query_info: describe(parts.query, findings, least === undefined ? findings.total : good.length),
    performance_metrics: {
      total_ms: toMs(performance.now() - start),
      vector_ms: toMs(watch.spent.vector),
      bm25_ms: toMs(watch.spent.words),
      merge_ms: toMs(watch.spent.merge),
      vector_candidates: findings.vectorCandidates,
      bm25_candidates: findings.wordsCandidates,
      cache_hit: false,
    },
    embedder: parts.question?.embedder ?? "",
    warnings: [...warnings, ...findings.warnings],
  };
}

function describe(query: Query, { words }: Findings, total: number): SearchAnswer["query_info"] {
  const termsOf = (origin: "query" | "expansion"): string[] =>
    words.terms.filter((term) => term.origin === origin).map(({ term }) => term);
  return {
    processed_query: query.shown,
    query_terms: [...query.terms.keys()],
    expansion_terms: termsOf("expansion"),
    total_results: total,
  };
}

const toMs = (time: number): number => Math.round(time * 100) / 100;

/** The question as a vector, or why there is none. */
export interface EmbeddedQuery {
  readonly question?: VectorQuestion;
  readonly warnings: readonly string[];
}

/**
 * Embeds a query for versions whose vectors the same embedder made. Where it cannot, or an endpoint takes too long, words alone answer,
 * and the reason is said; a search that is measured fails.
 */
export async function embedQuery(
  base: Base,
  text: string,
  versions: readonly ChosenVersion[],
  { signal, isMeasured = false }: Pick<SearchWish, "signal" | "isMeasured">,
): Promise<EmbeddedQuery> {
  const withVectors = versions.filter(({ embedder }) => embedder !== "");
  const without = versions.filter(({ embedder }) => embedder === "").map(({ name }) => name);
  const warnings =
    without.length === 0
      ? []
      : [`${without.join(", ")} has no vectors and was searched by words alone. Ingest it again to have it embedded.`];
  if (withVectors.length === 0 || text === "") return { warnings };
  try {
    const [first, ...more] = new Set(withVectors.map(({ embedder: name }) => name));
    const embedder = await base.embedder(more.length === 0 ? first : undefined, !isMeasured);
    const others = withVectors.filter((version) => version.embedder !== embedder.name);
    for (const { name, embedder: made } of others)
      warnings.push(
        `${name} was embedded by ${made}, but the embedder here is ${embedder.name}: it was searched by words alone. Set packs.knowledge.embedder to the one that made it, or ingest it again.`,
      );
    if (others.length === withVectors.length) return { warnings };
    const wish = { isUrgent: !isMeasured, ...(signal !== undefined && { signal }) };
    const [vector] = await embedder.embed([text], { kind: "query", ...wish });
    // A vector of zeros means that there was nothing in the text that the embedder knows.
    if (vector === undefined || vector.every((component) => component === 0)) return { warnings };
    const embed = (texts: readonly string[]): ReturnType<typeof embedder.embed> =>
      embedder.embed(texts, { kind: "passage", ...wish });
    return { question: { vector, embedder: embedder.name, ...(embedder.isLight === true && { embed }) }, warnings };
  } catch (error) {
    signal?.throwIfAborted();
    if (isMeasured) throw error;
    if (error instanceof EndpointDown) base.noteDown(error);
    const reason = error instanceof Error ? error.message : String(error);
    return { warnings: [...warnings, `The vectors were not searched, words alone answer: ${reason}`] };
  }
}
