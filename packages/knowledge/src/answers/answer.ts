import { anchorOf } from "../citations/cited.js";
import { readPassages } from "../citations/passage.js";
import type { SourceSpan } from "../documents/reading.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { search } from "../search/search.js";
import type { Filters, SearchResult, WantedCollection } from "../search/search-types.js";
import { type Candidate, type ScoreOptions, scoreSentences, weighTerms } from "./score-sentences.js";

/** A question, and where to search for an answer. */
export interface AnswerOptions {
  readonly query: string;
  readonly collections: readonly WantedCollection[];
  readonly filters?: Filters | undefined;
  /** The number of passages to read. */
  readonly top_k?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A sentence of an answer, with its exact location. */
interface CitedSentence extends SourceSpan {
  /** The exact text in the document. */
  readonly quote: string;
  /** The number of its citation, from 1. */
  readonly citation: number;
  readonly score: number;
}

/** The source of one or more sentences. */
export interface AnswerCitation {
  readonly chunk_id: string;
  readonly document_id: string;
  readonly collection: string;
  readonly version: number;
  readonly title: string;
  readonly source: string;
  readonly anchor: string;
  readonly license?: string;
}

/** An answer that quotes documents, or the reason why there is none. */
export interface Answer {
  readonly answered: boolean;
  /** The sentences, each with the number of its citation. */
  readonly text?: string;
  readonly reason?: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly sentences: readonly CitedSentence[];
  readonly citations: readonly AnswerCitation[];
  readonly warnings: readonly string[];
}

const PASSAGES = 8;

/** Answers with the best sentences of the best passages. Returns no answer if the documents do not support one. */
export async function answer(context: KnowledgeContext, options: AnswerOptions): Promise<Answer> {
  const { query, collections, filters, top_k = PASSAGES, signal } = options;
  const found = await search(context, { query, collections, filters, top_k, explain: true, signal });
  const weights = weighTerms(found);
  const warnings = [...found.warnings];
  const ranked = await rank(context, found, query, weights, { signal, warn: (warning) => warnings.push(warning) });
  const confidence = confidenceOf(ranked[0]);
  const refusal = refusalReason(context, found, weights, ranked, confidence);
  if (refusal !== undefined)
    return { answered: false, reason: refusal, confidence, sentences: [], citations: [], warnings };
  return { answered: true, ...write(selectSentences(ranked)), confidence, warnings };
}

async function rank(
  context: KnowledgeContext,
  found: SearchResult,
  query: string,
  weights: ReadonlyMap<string, number>,
  options: Pick<ScoreOptions, "signal" | "warn">,
): Promise<readonly Candidate[]> {
  const store = await context.store();
  const ids = found.results.map(({ chunk_id: id }) => id);
  const passages = await store.read((sql) => readPassages(sql, ids));
  const pairs = found.results.flatMap((hit) => {
    const passage = passages.get(hit.chunk_id);
    return passage === undefined ? [] : [{ hit, passage }];
  });
  return scoreSentences(context, query, weights, pairs, { ...options, embedder: found.embedder });
}

function refusalReason(
  context: KnowledgeContext,
  { results }: SearchResult,
  weights: ReadonlyMap<string, number>,
  [best]: readonly Candidate[],
  confidence: number,
): string | undefined {
  if (weights.size === 0 && best === undefined) return "The question has no searchable words. Add more words.";
  if (results.length === 0) return "No passage matches the question.";
  if (best === undefined) return "The passages found contain no sentences to quote.";
  if (confidence >= MIN_CONFIDENCE || !context.settings.citationsRequired) return undefined;
  const { anchor } = best.hit.citation;
  return `No passage supports an answer; the closest is ${anchor}. Rephrase the question, or search for passages.`;
}

function write(chosen: readonly Candidate[]): Pick<Answer, "text" | "sentences" | "citations"> {
  const citations: AnswerCitation[] = [];
  const sentences = chosen.map(({ hit, passage, start, end, text, score }): CitedSentence => {
    let at = citations.findIndex(({ chunk_id: id }) => id === hit.chunk_id);
    if (at === -1) at = citations.push(toCitation(hit, passage)) - 1;
    const span = passage.locate(passage.first + start, passage.first + end);
    return { quote: text, citation: at + 1, ...span, score: Math.round(score * 1000) / 1000 };
  });
  const text = sentences.map(({ quote, citation }) => `${quote.replaceAll(/\s+/g, " ")} [${citation}]`).join("\n");
  return { text, sentences, citations };
}

function toCitation(hit: Candidate["hit"], passage: Candidate["passage"]): AnswerCitation {
  const { source, license, title, first, last } = passage;
  return {
    chunk_id: hit.chunk_id,
    document_id: hit.document_id,
    collection: hit.collection_id,
    version: hit.version,
    title,
    source,
    anchor: anchorOf(source, passage.locate(first, last)),
    ...(license !== null && { license }),
  };
}

/** The minimum confidence of an answer. Determined with answerable and unanswerable questions on the documentation of this project. */
const MIN_CONFIDENCE = 0.4;

/**
 * Estimates how likely the best sentence answers the question, from its coverage of the question and that of its passage, by words and
 * by vectors. Other passages do not count.
 */
function confidenceOf(best: Candidate | undefined): number {
  if (best === undefined) return 0;
  const { vector_score: cosine = 0 } = best.hit;
  const value = 0.5 * best.around + 0.3 * best.own + 0.2 * Math.max(0, cosine);
  return Math.round(Math.min(1, value) * 1000) / 1000;
}

/** The maximum number of sentences in an answer, and their minimum score relative to the best. */
const MAX_SENTENCES = 5;
const NEAR_BEST = 0.72;
/** The share of common words from which two sentences count as duplicates. */
const SAME = 0.7;

/** Selects the best sentences without duplicates. Sentences of one passage are in document order. */
function selectSentences(candidates: readonly Candidate[]): readonly Candidate[] {
  const [best] = candidates;
  if (best === undefined) return [];
  const taken: Candidate[] = [];
  for (const candidate of candidates) {
    if (taken.length === MAX_SENTENCES || candidate.score < best.score * NEAR_BEST) break;
    if (!taken.some((other) => isSame(candidate, other))) taken.push(candidate);
  }
  const order = [...new Set(taken.map(({ hit }) => hit.chunk_id))];
  return taken.sort(
    (one, other) =>
      order.indexOf(one.hit.chunk_id) - order.indexOf(other.hit.chunk_id) ||
      one.passage.first + one.start - other.passage.first - other.start,
  );
}

/** Whether two sentences are duplicates. Passages overlap, so two of them can contain the same sentence. */
function isSame(one: Candidate, other: Candidate): boolean {
  if (one.text === other.text) return true;
  if (one.passage.revision === other.passage.revision) {
    const start = Math.max(one.passage.first + one.start, other.passage.first + other.start);
    const end = Math.min(one.passage.first + one.end, other.passage.first + other.end);
    if (start < end) return true;
  }
  let shared = 0;
  for (const term of one.terms) if (other.terms.has(term)) shared += 1;
  return (
    shared > SAME * Math.max(1, Math.min(one.terms.size, other.terms.size)) &&
    shared > SAME * Math.max(1, Math.max(one.terms.size, other.terms.size)) * 0.8
  );
}
