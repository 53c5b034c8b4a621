import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import {
  drawTable,
  remark,
  type Screen,
  say,
  sayJson,
  visibleLine,
  visibleName,
  WIDEST,
  wrap,
} from "@toolwright/kit/terminal";
import { type Answer, type AnswerCitation, answer } from "../answers/answer.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { activeCollections, MAX_COLLECTIONS } from "../search/choose-collections.js";
import { search } from "../search/search.js";
import type {
  ExplainedTerm,
  Explanation,
  Filters,
  Hit,
  SearchResult,
  WantedCollection,
} from "../search/search-types.js";
import { describeRerank } from "../search/show.js";
import { count, parseMetadata } from "./format.js";
import { type CommonInput, withKnowledge } from "./open-knowledge.js";
import { showHit } from "./show-hit.js";

interface SearchInput extends CommonInput {
  readonly query: readonly string[];
  readonly collection: readonly string[];
  readonly version: number | undefined;
  readonly limit: number;
  readonly type: readonly string[];
  readonly passages: readonly string[];
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly metadata: readonly string[];
  readonly minScore: number | undefined;
}

/** `toolwright kb search` */
export const runSearch = (
  input: SearchInput & { readonly mode: "hybrid" | "words" | "vector" | undefined; readonly explain: boolean },
  ctx: CommandContext,
): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { mode, explain: isExplained } = input;
    const options = { ...(await toOptions(context, input)), mode, explain: isExplained, signal: ctx.signal };
    const found = await search(context, options);
    if (input.json) return sayJson(found);
    for (const warning of found.warnings) remark(`! ${warning}`);
    const { results } = found;
    if (results.length === 0) return remark("No passages found.");
    if (input.quiet) return say(results.map(({ chunk_id: id }) => id).join("\n"));
    const isMixed = new Set(results.map((hit) => hit.collection_id)).size > 1;
    const shown = results.map((hit, at) =>
      [showHit(hit, at + 1, ctx.screen, isMixed), ...(isExplained ? [explain(hit, ctx.screen)] : [])].join("\n"),
    );
    await say(`${shown.join("\n\n")}\n\n${summarize(found, ctx.screen)}`);
  });

/** `toolwright kb answer` */
export const runAnswer = (input: SearchInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const found = await answer(context, { ...(await toOptions(context, input)), signal: ctx.signal });
    if (!found.answered) process.exitCode = 1;
    if (input.json) return sayJson(found);
    for (const warning of found.warnings) remark(`! ${warning}`);
    if (!found.answered) return remark(found.reason ?? "There is no answer.");
    await say(showAnswer(found, ctx.screen, input.quiet === true));
  });

async function toOptions(context: KnowledgeContext, input: SearchInput) {
  const query = input.query.join(" ");
  if (query.trim() === "") throw new UsageError("Missing argument QUERY");
  const collections = await chooseCollections(context, input);
  return { query, top_k: input.limit, filters: toFilters(input), collections };
}

/** The named collections, else all. The limit applies only to named ones. */
async function chooseCollections(
  context: KnowledgeContext,
  { collection: named, version }: SearchInput,
): Promise<readonly WantedCollection[]> {
  const names = [...new Set(named.length > 0 ? named : await activeCollections(context))];
  if (names.length === 0)
    throw new UsageError("No collection can be searched yet. To create one, run: toolwright kb ingest PATH");
  if (named.length > 0 && names.length > MAX_COLLECTIONS)
    throw new UsageError(`--collection can be given at most ${MAX_COLLECTIONS} times`);
  if (version !== undefined && names.length > 1) throw new UsageError("--version needs --collection");
  return names.map((name) => ({ name, version }));
}

function toFilters(input: SearchInput): Filters | undefined {
  const [start, end] = [parseDate("--since", input.since), parseDate("--until", input.until)];
  const metadata = parseMetadata(input.metadata);
  const filters: Filters = {
    ...(input.type.length > 0 && { document_types: input.type }),
    ...((start ?? end) !== undefined && {
      date_range: { ...(start !== undefined && { start }), ...(end !== undefined && { end }) },
    }),
    ...(metadata !== undefined && { metadata }),
    ...(input.passages.length > 0 && { chunk_types: input.passages }),
    ...(input.minScore !== undefined && { min_score: input.minScore }),
  };
  return Object.keys(filters).length === 0 ? undefined : filters;
}

function parseDate(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(`${flag} must be a date such as 2026-01-31, or a time, not "${text}"`);
}

function summarize(
  { results, query_info: info, performance_metrics: metrics, embedder }: SearchResult,
  { paint }: Screen,
): string {
  const found = `${results.length} of ${count(info.total_results, "passage")}`;
  const how = embedder === "" ? "by words" : `by words and ${embedder}`;
  return paint.faint(`${found}, ${how}, ${metrics.total_ms.toFixed(metrics.total_ms < 10 ? 1 : 0)} ms`);
}

interface ScoreRow {
  readonly name: string;
  readonly score?: number;
  readonly rank?: number | undefined;
  readonly normalised?: number;
  readonly weight?: number;
  readonly part: number;
}

/** Shows how a score was computed: by retriever, rerank score and term. */
function explain({ explain: explanation, score }: Hit, { paint, width }: Screen): string {
  if (explanation === undefined) return "";
  const tableOptions = { width, head: paint.faint };
  const rows = drawTable<ScoreRow>(
    [
      { name: "retriever", text: ({ name }) => name },
      { name: "rank", text: ({ rank }) => (rank === undefined ? "" : String(rank)), isNumber: true },
      { name: "score", text: ({ score: raw }) => toFixed(raw), isNumber: true },
      { name: "normalised", text: ({ normalised }) => toFixed(normalised), isNumber: true },
      { name: "weight", text: ({ weight }) => toFixed(weight, 2), isNumber: true },
      { name: "part", text: ({ part }) => toFixed(part), isNumber: true },
    ],
    toScoreRows(explanation, score),
    tableOptions,
  );
  const rerank = describeRerank(explanation);
  const terms = explanation.words?.terms ?? [];
  const rerankTable = drawTable<(typeof rerank)[number]>(
    [
      { name: "rerank score", text: ([label]) => label, gives: "words" },
      { name: "value", text: ([, value]) => toFixed(value), isNumber: true },
    ],
    rerank,
    tableOptions,
  );
  const termTable = drawTable<ExplainedTerm>(
    [
      { name: "term", text: ({ term }) => term, gives: "words" },
      { name: "from", text: ({ origin }) => (origin === "query" ? "query" : "best passages") },
      { name: "here", text: ({ tf }) => toFixed(tf, 1), isNumber: true },
      { name: "passages", text: ({ df }) => String(df), isNumber: true },
      { name: "idf", text: ({ idf }) => toFixed(idf, 2), isNumber: true },
      { name: "weight", text: ({ weight }) => toFixed(weight, 2), isNumber: true },
      { name: "part", text: ({ contribution }) => toFixed(contribution), isNumber: true },
    ],
    terms.toSorted((one, other) => other.contribution - one.contribution),
    tableOptions,
  );
  const tables = [rows, ...(rerank.length === 0 ? [] : [rerankTable]), ...(terms.length === 0 ? [] : [termTable])];
  return tables
    .map((table) => `\n${table}`)
    .join("\n")
    .replaceAll(/^(?=.)/gm, "   ");
}

function toScoreRows({ words, vector }: Explanation, score: number): ScoreRow[] {
  const rows: ScoreRow[] = [];
  if (words !== undefined) rows.push({ name: "words (BM25)", ...words, part: words.weight * words.normalised });
  if (vector !== undefined)
    rows.push({ name: "vector (cosine)", ...vector, score: vector.cosine, part: vector.weight * vector.normalised });
  return [...rows, { name: "total", part: score }];
}

const toFixed = (value: number | undefined, digits = 3): string => (value === undefined ? "" : value.toFixed(digits));

function showAnswer({ sentences, citations, confidence }: Answer, { paint, width }: Screen, isQuiet: boolean): string {
  const room = Math.min(width, WIDEST);
  const text = sentences.map(({ quote, citation }) => wrap(`${visibleLine(quote)} [${citation}]`, room).join("\n"));
  const marked = text.join("\n\n").replaceAll(/\[\d+\](?=\n|$)/g, (mark) => paint.cyan(mark));
  if (isQuiet) return marked;
  const sources = citations.map((citation, at) => showSource(citation, at + 1, paint));
  return [marked, "", ...sources, "", paint.faint(`confidence ${Math.round(confidence * 100)} %`)].join("\n");
}

function showSource(
  { title, anchor, chunk_id: id, license }: AnswerCitation,
  number: number,
  paint: Screen["paint"],
): string {
  const terms = license === undefined ? "" : `, ${visibleLine(license)}`;
  const where = visibleName(anchor.replace(/#L(\d+)(?:-L\d+)?$/, ":$1"));
  return `${paint.cyan(`[${number}]`)} ${visibleLine(title)}  ${where}${terms}  ${paint.faint(id)}`;
}
