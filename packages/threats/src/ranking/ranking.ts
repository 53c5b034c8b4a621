import { compileGlob } from "@toolwright/kit/files";
import { DEGREES, SEVERITIES } from "../format/pattern.js";
import type { ListedPattern } from "../library/listed-pattern.js";
import { indexPattern, type Score, scoreOf } from "./score.js";
import { createVocabulary } from "./vocabulary.js";

/** Scores patterns by paths. The result contains only patterns that match a path, by id. */
export type PathScorer = (files: readonly string[]) => ReadonlyMap<string, number>;

/** Creates a scorer for `file_patterns`: the fewer patterns a path matches, the higher the score. Globs are compiled on first use. */
export function createPathScorer(patterns: readonly ListedPattern[]): PathScorer {
  let compiled: readonly { readonly id: string; readonly matches: (file: string) => boolean }[] | undefined;
  return (files) => {
    const found = new Map<string, number>();
    if (files.length === 0) return found;
    compiled ??= patterns.map(({ id, file_patterns: globs }) => {
      const all = globs.map(toMatcher);
      return { id, matches: (file: string) => all.some((matches) => matches(file)) };
    });
    for (const path of shortPaths(files)) {
      const matching = compiled.filter(({ matches }) => matches(path));
      const percentage = (matching.length * 100) / Math.max(patterns.length, 100);
      const score = Math.log(1 + 100 / (1 + percentage));
      for (const { id } of matching) found.set(id, Math.max(found.get(id) ?? 0, score));
    }
    return found;
  };
}

/** A query names the paths that a task changes, and globs are about the last parts of a path. Each path is tried with each glob. */
const MAX_PATHS = 200;
const MAX_PATH_LENGTH = 256;

/** The last parts of some paths, with forward slashes. */
const shortPaths = (files: readonly string[]): ReadonlySet<string> =>
  new Set(
    files.slice(0, MAX_PATHS).map((file) =>
      file
        .slice(-MAX_PATH_LENGTH)
        .replaceAll("\\", "/")
        .replace(/^(?:\.?\/)+/, ""),
    ),
  );

/** Compiles a glob. An invalid glob of a user's pattern matches nothing, so that queries do not fail. */
function toMatcher(glob: string): (file: string) => boolean {
  try {
    return compileGlob(glob).fits;
  } catch {
    return () => false;
  }
}

/** A query to rank patterns for. */
export interface RankingQuery {
  /** The description of a task, or code. */
  readonly context: string;
  readonly language?: string | undefined;
  readonly framework?: string | undefined;
  readonly category?: string | undefined;
  readonly severity?: string | undefined;
  readonly likelihood?: string | undefined;
  /** The paths that the task changes. */
  readonly files?: readonly string[] | undefined;
}

/** A relevant pattern. */
interface Ranked {
  readonly pattern: ListedPattern;
  readonly score: number;
}

/** Ranks patterns. */
export interface Ranking {
  /** Returns the relevant patterns, best first: by score, then severity, likelihood and id. */
  rank(query: RankingQuery): readonly Ranked[];
}

/** The minimum score by kind of match: lower for clearer matches. */
const MIN_SCORE = { phrase: 0.9, keyword: 1.1, keywordAlone: 1.6, manyWords: 1.1, twoWords: 1.5 } as const;
/** The minimum path score for a pattern that the words of the query do not match. */
const MIN_PATH_SCORE = 2;
/** The minimum score relative to the best pattern: lower for patterns with a phrase that matches. */
const MIN_SHARE = { phrase: 0.4, words: 0.45 } as const;
/** Patterns with this score are always returned, whatever the score of the best one. */
const SUFFICIENT_SCORE = 4;

/** Indexes patterns for ranking. */
export function createRanking(patterns: readonly ListedPattern[]): Ranking {
  const all = patterns.map(indexPattern);
  const vocabulary = createVocabulary(all);
  const scorePaths = createPathScorer(patterns);
  return {
    rank(query) {
      const terms = vocabulary.termsIn(query.context);
      const byPath = scorePaths(query.files ?? []);
      const ranked = all
        .filter(({ pattern }) => matchesFilter(pattern, query))
        .map((each) => {
          const score = scoreOf(each, terms);
          return {
            pattern: each.pattern,
            score: combine(score, byPath.get(each.pattern.id) ?? 0) * stackFactor(each.pattern, query),
            minShare: score.named === "phrase" ? MIN_SHARE.phrase : MIN_SHARE.words,
          };
        });
      const best = ranked.reduce((max, { score }) => Math.max(max, score), 0);
      return ranked
        .filter(({ score, minShare }) => score > 0 && score >= Math.min(best * minShare, SUFFICIENT_SCORE))
        .sort(compare);
    },
  };
}

/** The score of words and paths together, or 0 if it is below the minimum. */
function combine({ found, share, named, words }: Score, byPath: number): number {
  const byWords = found * share;
  return byWords >= minimumScore(named, words) || byPath >= MIN_PATH_SCORE ? byWords + byPath : 0;
}

/** A single word counts only if it is a keyword. Even then it can be ambiguous, so the minimum is higher. */
function minimumScore(named: Score["named"], words: number): number {
  if (named === "phrase") return MIN_SCORE.phrase;
  if (words < 2) return named === "word" ? MIN_SCORE.keywordAlone : Number.POSITIVE_INFINITY;
  if (named === "word") return MIN_SCORE.keyword;
  return words === 2 ? MIN_SCORE.twoWords : MIN_SCORE.manyWords;
}

function matchesFilter(pattern: ListedPattern, { category, severity, likelihood }: RankingQuery): boolean {
  const matches = (filter: string | undefined, value: string): boolean => filter === undefined || filter === value;
  return (
    matches(category, pattern.category) &&
    matches(severity, pattern.severity) &&
    matches(likelihood, pattern.likelihood)
  );
}

function compare(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    SEVERITIES.indexOf(a.pattern.severity) - SEVERITIES.indexOf(b.pattern.severity) ||
    DEGREES.indexOf(a.pattern.likelihood) - DEGREES.indexOf(b.pattern.likelihood) ||
    (a.pattern.id < b.pattern.id ? -1 : 1)
  );
}

/** The factors for the score of a pattern, by how it matches the language and framework of the query. */
const STACK_FACTOR = { own: 1.15, shown: 1.05, any: 1, other: 0.5 } as const;

/** The factor for a language and a framework. Patterns for another language get a lower score. */
function stackFactor(
  pattern: ListedPattern,
  { language, framework }: { readonly language?: string | undefined; readonly framework?: string | undefined },
): number {
  if (language === undefined && (framework === undefined || framework === "any")) return STACK_FACTOR.any;
  const isOwn = (part: "language" | "framework", wanted: string | undefined): boolean =>
    wanted === undefined || wanted === "any" || pattern[part] === wanted;
  if (pattern.language !== "any" && isOwn("language", language) && isOwn("framework", framework))
    return STACK_FACTOR.own;
  const isShown = [...pattern.code.map((each) => `${each.language}/${each.framework}`), ...pattern.generalizes_to].some(
    (stack) => isStack(stack, language, framework),
  );
  if (isShown) return STACK_FACTOR.shown;
  return pattern.language === "any" ? STACK_FACTOR.any : STACK_FACTOR.other;
}

function isStack(stack: string, language: string | undefined, framework: string | undefined): boolean {
  const [itsLanguage = "", itsFramework = ""] = stack.split("/");
  return (
    (language === undefined || itsLanguage === language) &&
    (framework === undefined || framework === "any" || itsFramework === framework)
  );
}
