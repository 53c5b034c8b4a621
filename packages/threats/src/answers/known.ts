import type { ListedPattern } from "../library/compiled.js";

/** What the loaded patterns are about: the words that a question may use. */
export interface Known {
  readonly languages: readonly string[];
  readonly frameworks: readonly string[];
  readonly categories: readonly string[];
  /** The language that each framework belongs to. */
  readonly languageOf: ReadonlyMap<string, string>;
}

/** Languages without examples of their own, whose programmers read those of another one. */
const READ_AS: Readonly<Record<string, string>> = { javascript: "typescript", kotlin: "java" };

/** The languages whose examples come next where one has none, the nearest first. */
const NEAR: Readonly<Record<string, readonly string[]>> = {
  javascript: ["typescript"],
  typescript: ["javascript"],
  kotlin: ["java"],
  java: ["kotlin", "csharp"],
  csharp: ["java"],
  go: ["rust"],
  rust: ["go"],
  ruby: ["python"],
  python: ["ruby"],
  php: ["ruby", "python"],
};

/** The language that a question in this one is about. */
export const readAs = (language: string | undefined): string | undefined =>
  language === undefined ? undefined : (READ_AS[language] ?? language);

/** The languages to look for examples in, the nearest first. */
export const nearTo = (language: string): readonly string[] => [language, ...(NEAR[language] ?? [])];

/** Gathers what the patterns are about. */
export function knownOf(patterns: Iterable<ListedPattern>): Known {
  const [languages, frameworks, categories] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const languageOf = new Map<string, string>();
  for (const { category, language, framework, code } of patterns) {
    categories.add(category);
    for (const each of [{ language, framework }, ...code]) {
      languages.add(each.language);
      frameworks.add(each.framework);
      if (each.framework !== ANY && !languageOf.has(each.framework)) languageOf.set(each.framework, each.language);
    }
  }
  for (const [language, instead] of Object.entries(READ_AS)) if (languages.has(instead)) languages.add(language);
  languages.delete(ANY);
  frameworks.delete(ANY);
  return {
    languages: [...languages].sort(),
    frameworks: [...[...frameworks].sort(), ANY],
    categories: [...categories].sort(),
    languageOf,
  };
}

/** A pattern, or an example, that is about no language or framework in particular. */
export const ANY = "any";
