import path from "node:path";
import { type Language, languageOf } from "@toolwright/kit/syntax";

/** The language of a file: its names in checks, and its grammar. */
export interface SourceLanguage {
  /** The languages whose checks apply. */
  readonly names: readonly string[];
  /** If undefined, the text is not parsed. */
  readonly grammar?: Language;
}

/** Languages to which the checks of another one apply. */
const CHECK_LANGUAGES: Readonly<Partial<Record<Language, readonly string[]>>> = {
  tsx: ["typescript", "javascript"],
  typescript: ["typescript", "javascript"],
  javascript: ["javascript", "typescript"],
  kotlin: ["kotlin", "java"],
};

/** Files without a grammar that checks apply to. */
const UNPARSED: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(?:^|\/)(?:Dockerfile|Containerfile)[^/]*$|\.dockerfile$/i, "dockerfile"],
  [/\.tf(?:vars)?$/i, "terraform"],
  [/(?:^|\/)\.github\/(?:workflows\/[^/]+|actions\/.+\/action)\.ya?ml$|(?:^|\/)action\.ya?ml$/i, "github-actions"],
  [
    /\.(?:vue|svelte|astro|html?|erb|ejs|hbs|j2|jinja2?|twig|cshtml|razor|jsp|sh|bash|sql|properties|scala|exs?|dart|lua|pl)$/i,
    "other",
  ],
  [/(?:^|\/)requirements[^/]*\.txt$/i, "other"],
];

/** Returns the language of a file by its name, or undefined if reviews skip the file. */
export function sourceLanguage(file: string): SourceLanguage | undefined {
  const grammar = languageOf(path.posix.basename(file));
  if (grammar !== undefined) return { names: CHECK_LANGUAGES[grammar] ?? [grammar], grammar };
  const unparsed = UNPARSED.find(([pattern]) => pattern.test(file));
  return unparsed && { names: [unparsed[1]] };
}

/** A file name in each language, for texts without one. */
export const FILE_NAME_FOR: Readonly<Record<string, string>> = {
  python: "a.py",
  typescript: "a.ts",
  javascript: "a.js",
  go: "a.go",
  java: "a.java",
  kotlin: "a.kt",
  csharp: "a.cs",
  ruby: "a.rb",
  php: "a.php",
  rust: "a.rs",
  dockerfile: "Dockerfile",
  terraform: "a.tf",
  "github-actions": ".github/workflows/a.yml",
};
