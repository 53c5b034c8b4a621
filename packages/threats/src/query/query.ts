import { ToolError } from "@toolwright/engine";
import type { Entry, Library } from "../library/library.js";
import type { ListedPattern } from "../library/listed-pattern.js";
import { createRanking, type Ranking, type RankingQuery } from "../ranking/ranking.js";
import { MIN_TOKEN_BUDGET } from "../settings.js";
import { type AgentAnswer, toAgentAnswer } from "./agent-answer.js";
import { type HumanAnswer, toHumanAnswer } from "./human-answer.js";
import { type CorpusTerms, corpusTermsOf, effectiveLanguage, stackOf } from "./stack.js";

/** A query for threats. */
export interface ThreatQuery {
  readonly context: string;
  readonly language?: string | undefined;
  readonly framework?: string | undefined;
  readonly category?: string | undefined;
  readonly verbosity?: "agent" | "human" | undefined;
  /** The maximum number of patterns; 0 = the default. */
  readonly limit?: number | undefined;
  /** Paths that the task changes. They need not exist. */
  readonly files?: readonly string[] | undefined;
  readonly token_budget?: number | undefined;
}

/** The default number of patterns. */
const DEFAULT_LIMIT = { agent: 3, human: 10 } as const;

interface IndexedPattern {
  readonly known: CorpusTerms;
  readonly ranking: Ranking;
}

// The patterns are indexed once for as long as they stay the same.
const prepared = new WeakMap<ReadonlyMap<string, Entry>, IndexedPattern>();

/** Finds the threats that apply to a task. Throws a `ToolError` with the messages of the source document. */
export async function query(
  library: Library,
  budget: number,
  question: ThreatQuery,
): Promise<AgentAnswer | HumanAnswer> {
  const { known, ranking } = await indexPattern(library);
  refuseUnknown(question, known);
  const found = ranking
    .rank({ ...question, language: effectiveLanguage(question.language) })
    .map(({ pattern }) => pattern);
  const { verbosity = "agent", limit = 0 } = question;
  const most = limit === 0 ? DEFAULT_LIMIT[verbosity] : limit;
  if (verbosity === "human") {
    const patterns = await Promise.all(found.slice(0, most).map(({ id }) => library.read(id)));
    return toHumanAnswer({ count: found.length, patterns, budget: question.token_budget });
  }
  const [first] = found;
  return toAgentAnswer({
    found,
    mitigations: first === undefined ? [] : (await library.read(first.id)).mitigations,
    limit: most,
    budget: Math.max(question.token_budget ?? budget, MIN_TOKEN_BUDGET),
    stack: stackOf(question, known),
  });
}

/** Ranks the patterns for a task, best first. Unknown languages are accepted. */
export async function findListed(library: Library, wanted: RankingQuery): Promise<readonly ListedPattern[]> {
  const { ranking } = await indexPattern(library);
  return ranking.rank(wanted).map(({ pattern }) => pattern);
}

async function indexPattern(library: Library): Promise<IndexedPattern> {
  const entries = await library.entries();
  let ready = prepared.get(entries);
  if (ready === undefined) {
    const patterns = [...entries.values()];
    ready = { known: corpusTermsOf(patterns), ranking: createRanking(patterns) };
    prepared.set(entries, ready);
  }
  return ready;
}

function refuseUnknown({ context, language, framework, category }: ThreatQuery, known: CorpusTerms): void {
  if (context.trim() === "") throw wrong("context must be non-empty");
  refuse("language", "languages", language, known.languages);
  refuse("framework", "frameworks", framework, known.frameworks);
  refuse("category", "categories", category, known.categories);
}

function refuse(name: string, plural: string, given: string | undefined, known: readonly string[]): void {
  if (given === undefined || known.includes(given)) return;
  throw wrong(`Invalid ${name} '${given}'. Supported ${plural}: ${known.join(", ")}`);
}

const wrong = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENTS" });
