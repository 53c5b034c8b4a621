import type { ListedPattern } from "../library/listed-pattern.js";

/** A programming language and framework, if known. */
export interface Stack {
  readonly language?: string;
  readonly framework?: string;
}

/** What a query says about the stack. */
export interface StackClues {
  readonly context: string;
  readonly language?: string | undefined;
  readonly framework?: string | undefined;
  readonly files?: readonly string[] | undefined;
}

/** How people write of frameworks and languages; what is an English word too needs more than the word. */
const NAMES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["flask", /\bflask\b/i],
  ["django", /\bdjango\b/i],
  ["fastapi", /\bfast ?api\b/i],
  ["celery", /\bcelery\b/i],
  ["express", /\bexpress\.?js\b|\bExpress\b/],
  ["nestjs", /\bnest\.?js\b/i],
  ["next", /\bnext\.?js\b/i],
  ["bullmq", /\bbullmq\b/i],
  ["net-http", /\bnet\/http\b/i],
  ["gin", /\bGin\b/],
  ["asynq", /\basynq\b/i],
  ["spring", /\bspring ?boot\b|\bSpring\b/],
  ["aspnet-core", /\basp\.net\b/i],
  ["rails", /\brails\b/i],
  ["sidekiq", /\bsidekiq\b/i],
  ["laravel", /\blaravel\b/i],
  ["axum", /\baxum\b/i],
  ["python", /\bpython\b/i],
  ["typescript", /\btypescript\b/i],
  ["javascript", /\bjavascript\b|\bnode\.?js\b/i],
  ["kotlin", /\bkotlin\b/i],
  ["go", /\bgolang\b|\b[Ii]n Go\b|\bGo (?:api|code|handler|program|server|service)\b/],
  ["java", /\bjava\b/i],
  ["csharp", /\bc#|\bcsharp\b|\.net\b/i],
  ["ruby", /\bruby\b/i],
  ["php", /\bphp\b/i],
  ["rust", /\brust\b/i],
  ["dockerfile", /\bdockerfile\b/i],
  ["terraform", /\bterraform\b/i],
  ["github-actions", /\bgithub actions?\b/i],
];

const ENDINGS: readonly (readonly [language: string, pattern: RegExp])[] = [
  ["python", /\.pyi?$/],
  ["typescript", /\.[cm]?tsx?$/],
  ["javascript", /\.[cm]?jsx?$/],
  ["go", /\.go$/],
  ["java", /\.java$/],
  ["kotlin", /\.kts?$/],
  ["csharp", /\.cs$/],
  ["ruby", /\.(?:rb|erb)$/],
  ["php", /\.php$/],
  ["rust", /\.rs$/],
  ["dockerfile", /(?:^|\/)Dockerfile[^/]*$|\.dockerfile$/],
  ["terraform", /\.tf$/],
  ["github-actions", /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/],
];

/** What somebody programs in: as they say, else as their words or the names of their files tell. */
export function stackOf({ context, language, framework, files = [] }: StackClues, known: CorpusTerms): Stack {
  if (language !== undefined || (framework !== undefined && framework !== ANY)) return fill(known, language, framework);
  const names = NAMES.filter(([, pattern]) => pattern.test(context)).map(([name]) => name);
  const named = names.find((name) => known.languages.includes(name));
  const used = names.find(
    (name) => known.languageOf.has(name) && (named ?? known.languageOf.get(name)) === known.languageOf.get(name),
  );
  if (named !== undefined || used !== undefined) return fill(known, named, used);
  const ending = ENDINGS.find(
    ([name, pattern]) => known.languages.includes(name) && files.some((file) => pattern.test(file)),
  );
  return fill(known, ending?.[0], undefined);
}

function fill(known: CorpusTerms, given: string | undefined, framework: string | undefined): Stack {
  const language = given ?? (framework === undefined ? undefined : known.languageOf.get(framework));
  return {
    ...(language !== undefined && { language }),
    ...(framework !== undefined && framework !== ANY && { framework }),
  };
}

/** What the loaded patterns are about: the words that a question may use. */
export interface CorpusTerms {
  readonly languages: readonly string[];
  readonly frameworks: readonly string[];
  readonly categories: readonly string[];
  /** The language that each framework belongs to. */
  readonly languageOf: ReadonlyMap<string, string>;
}

/** Languages without examples of their own, whose programmers read those of another one. */
const SAME_EXAMPLES: Readonly<Record<string, string>> = { javascript: "typescript", kotlin: "java" };

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
export const effectiveLanguage = (language: string | undefined): string | undefined =>
  language === undefined ? undefined : (SAME_EXAMPLES[language] ?? language);

/** The languages to look for examples in, the nearest first. */
export const nearbyLanguages = (language: string): readonly string[] => [language, ...(NEAR[language] ?? [])];

/** Gathers what the patterns are about. */
export function corpusTermsOf(patterns: Iterable<ListedPattern>): CorpusTerms {
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
  for (const [language, instead] of Object.entries(SAME_EXAMPLES)) if (languages.has(instead)) languages.add(language);
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
