import type { Base } from "../base.js";
import { anchorOf } from "../citations/cited.js";
import { readPassages } from "../citations/passage.js";
import type { SourceSpan } from "../documents/reading.js";
import { type Filters, type SearchAnswer, search, type WantedCollection } from "../search/search.js";
import { confidenceOf, LEAST_CONFIDENCE } from "./confidence.js";
import { type Candidate, type ScoreWish, scoreSentences } from "./score.js";
import { selectSentences } from "./select.js";
import { worthOf } from "./terms.js";

/** What is asked, and where an answer may come from. */
export interface AnswerWish {
  readonly query: string;
  readonly collections: readonly WantedCollection[];
  readonly filters?: Filters | undefined;
  /** How many passages are read. */
  readonly top_k?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A sentence of an answer, and where exactly it stands. */
interface CitedSentence extends SourceSpan {
  /** As it stands in the text of the document. */
  readonly quote: string;
  /** Its citation, counted from 1. */
  readonly citation: number;
  readonly score: number;
}

/** A passage that an answer is from. */
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

/** An answer in the words of the documents, or why there is none. */
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

/** Answers with the best sentences of the best passages. Where nothing supports an answer, it gives none. */
export async function answer(base: Base, wish: AnswerWish): Promise<Answer> {
  const { query, collections, filters, top_k = PASSAGES, signal } = wish;
  const found = await search(base, { query, collections, filters, top_k, explain: true, signal });
  const worth = worthOf(found);
  const warnings = [...found.warnings];
  const ranked = await rank(base, found, query, worth, { signal, warn: (warning) => warnings.push(warning) });
  const confidence = confidenceOf(ranked[0]);
  const refused = refusal(base, found, worth, ranked, confidence);
  if (refused !== undefined)
    return { answered: false, reason: refused, confidence, sentences: [], citations: [], warnings };
  return { answered: true, ...write(selectSentences(ranked)), confidence, warnings };
}

async function rank(
  base: Base,
  found: SearchAnswer,
  query: string,
  worth: ReadonlyMap<string, number>,
  wish: Pick<ScoreWish, "signal" | "warn">,
): Promise<readonly Candidate[]> {
  const ledger = await base.ledger();
  const ids = found.results.map(({ chunk_id: id }) => id);
  const passages = await ledger.read((sql) => readPassages(sql, ids));
  const pairs = found.results.flatMap((hit) => {
    const passage = passages.get(hit.chunk_id);
    return passage === undefined ? [] : [{ hit, passage }];
  });
  return scoreSentences(base, query, worth, pairs, { ...wish, embedder: found.embedder });
}

function refusal(
  base: Base,
  { results }: SearchAnswer,
  worth: ReadonlyMap<string, number>,
  [best]: readonly Candidate[],
  confidence: number,
): string | undefined {
  if (worth.size === 0 && best === undefined)
    return "The question has no word that could be looked for. Ask with more words.";
  if (results.length === 0) return "No passage has anything of what was asked.";
  if (best === undefined)
    return "The passages that were found have no sentences to quote; kb_hybrid_search shows them.";
  if (confidence >= LEAST_CONFIDENCE || !base.settings.citations_required) return undefined;
  const { anchor } = best.hit.citation;
  return `Nothing that was found supports an answer; the nearest is ${anchor}. Ask with other words, or look with kb_hybrid_search.`;
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
