import { compileGlob } from "@toolwright/kit/files";
import { DEGREES, SEVERITIES } from "../format/pattern.js";
import type { ListedPattern } from "../library/listed-pattern.js";
import { indexPattern, type Score, scoreOf } from "./score.js";
import { createVocabulary } from "./vocabulary.js";

/** Tells by the id of a pattern how much paths speak for it; those that nothing speaks for are left out. */
export type FileFit = (files: readonly string[]) => ReadonlyMap<string, number>;

/** Prepares the file patterns: a path that fits few of a hundred says more than one that fits many. Globs are read when paths come. */
export function createFileFit(patterns: readonly ListedPattern[]): FileFit {
  let read: readonly { readonly id: string; readonly fits: (file: string) => boolean }[] | undefined;
  return (files) => {
    const found = new Map<string, number>();
    if (files.length === 0) return found;
    read ??= patterns.map(({ id, file_patterns: globs }) => {
      const all = globs.map(fitsOf);
      return { id, fits: (file: string) => all.some((fits) => fits(file)) };
    });
    for (const file of files) {
      const path = file.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
      const fitting = read.filter(({ fits }) => fits(path));
      const part = (fitting.length * 100) / Math.max(patterns.length, 100);
      const worth = Math.log(1 + 100 / (1 + part));
      for (const { id } of fitting) found.set(id, Math.max(found.get(id) ?? 0, worth));
    }
    return found;
  };
}

/** A glob of a user's pattern that cannot be read fits nothing: the question is not to blame. */
function fitsOf(glob: string): (file: string) => boolean {
  try {
    return compileGlob(glob).fits;
  } catch {
    return () => false;
  }
}

/** What to rank patterns for. */
export interface RankingQuery {
  /** A task, in words or in code. */
  readonly context: string;
  readonly language?: string | undefined;
  readonly framework?: string | undefined;
  readonly category?: string | undefined;
  readonly severity?: string | undefined;
  readonly likelihood?: string | undefined;
  /** Paths that the task is about. */
  readonly files?: readonly string[] | undefined;
}

/** A relevant pattern. */
interface Ranked {
  readonly pattern: ListedPattern;
  readonly score: number;
}

/** Ranks patterns. */
export interface Ranking {
  /** The relevant ones, best first: by score, then severity, likelihood and id. */
  rank(wanted: RankingQuery): readonly Ranked[];
}

/** The minimum score by kind of match: lower for clearer matches. */
const MIN_SCORE = { phrase: 0.9, keyword: 1.1, keywordAlone: 1.6, manyWords: 1.1, twoWords: 1.5 } as const;
/** How much a path must say for a pattern that the words say nothing for. */
const MIN_PATH_SCORE = 2;
/** What is worth less than this part of the best one is left out, less strictly where a whole phrase speaks for it. */
const NEAR = { phrase: 0.4, words: 0.45 } as const;
/** What is worth this much is told, however good the best one is. */
const ENOUGH = 4;

/** Prepares patterns for ranking. */
export function createRanking(patterns: readonly ListedPattern[]): Ranking {
  const all = patterns.map(indexPattern);
  const vocabulary = createVocabulary(all);
  const fileFit = createFileFit(patterns);
  return {
    rank(wanted) {
      const terms = vocabulary.termsIn(wanted.context);
      const touched = fileFit(wanted.files ?? []);
      const ranked = all
        .filter(({ pattern }) => isWanted(pattern, wanted))
        .map((each) => {
          const score = scoreOf(each, terms);
          return {
            pattern: each.pattern,
            score: combine(score, touched.get(each.pattern.id) ?? 0) * stackFit(each.pattern, wanted),
            near: score.named === "phrase" ? NEAR.phrase : NEAR.words,
          };
        });
      const best = ranked.reduce((most, { score }) => Math.max(most, score), 0);
      return ranked.filter(({ score, near }) => score > 0 && score >= Math.min(best * near, ENOUGH)).sort(compare);
    },
  };
}

/** What words and paths say together; 0 where it is not enough. */
function combine({ found, share, named, words }: Score, byPath: number): number {
  const said = found * share;
  return said >= minimumScore(named, words) || byPath >= MIN_PATH_SCORE ? said + byPath : 0;
}

/** One word alone says too little where it is no keyword, and even then it may mean something else. */
function minimumScore(named: Score["named"], words: number): number {
  if (named === "phrase") return MIN_SCORE.phrase;
  if (words < 2) return named === "word" ? MIN_SCORE.keywordAlone : Number.POSITIVE_INFINITY;
  if (named === "word") return MIN_SCORE.keyword;
  return words === 2 ? MIN_SCORE.twoWords : MIN_SCORE.manyWords;
}

function isWanted(pattern: ListedPattern, { category, severity, likelihood }: RankingQuery): boolean {
  const isOf = (wanted: string | undefined, own: string): boolean => wanted === undefined || wanted === own;
  return isOf(category, pattern.category) && isOf(severity, pattern.severity) && isOf(likelihood, pattern.likelihood);
}

function compare(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    SEVERITIES.indexOf(a.pattern.severity) - SEVERITIES.indexOf(b.pattern.severity) ||
    DEGREES.indexOf(a.pattern.likelihood) - DEGREES.indexOf(b.pattern.likelihood) ||
    (a.pattern.id < b.pattern.id ? -1 : 1)
  );
}

/** What a pattern keeps of its score, by how it fits what somebody programs in. */
const STACK_FIT = { own: 1.15, shown: 1.05, any: 1, other: 0.5 } as const;

/** How well a pattern fits a language and a framework: one that is about another language fits badly. */
function stackFit(
  pattern: ListedPattern,
  { language, framework }: { readonly language?: string | undefined; readonly framework?: string | undefined },
): number {
  if (language === undefined && (framework === undefined || framework === "any")) return STACK_FIT.any;
  const isOwn = (part: "language" | "framework", wanted: string | undefined): boolean =>
    wanted === undefined || wanted === "any" || pattern[part] === wanted;
  if (pattern.language !== "any" && isOwn("language", language) && isOwn("framework", framework)) return STACK_FIT.own;
  const isShown = [...pattern.code.map((each) => `${each.language}/${each.framework}`), ...pattern.generalizes_to].some(
    (stack) => isStack(stack, language, framework),
  );
  if (isShown) return STACK_FIT.shown;
  return pattern.language === "any" ? STACK_FIT.any : STACK_FIT.other;
}

function isStack(stack: string, language: string | undefined, framework: string | undefined): boolean {
  const [itsLanguage = "", itsFramework = ""] = stack.split("/");
  return (
    (language === undefined || itsLanguage === language) &&
    (framework === undefined || framework === "any" || itsFramework === framework)
  );
}
