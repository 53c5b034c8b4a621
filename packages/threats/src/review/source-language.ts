import path from "node:path";
import { type Language, languageOf } from "@toolwright/kit/syntax";

/** What a file is written in, as checks name it, and the grammar that reads it. */
export interface SourceLanguage {
  /** The names under which checks are meant for it. */
  readonly names: readonly string[];
  /** Undefined = the text is taken as it is. */
  readonly grammar?: Language;
}

/** Languages in which the checks of another one hold. */
const SAME_EXAMPLES: Readonly<Partial<Record<Language, readonly string[]>>> = {
  tsx: ["typescript", "javascript"],
  typescript: ["typescript", "javascript"],
  javascript: ["javascript", "typescript"],
  kotlin: ["kotlin", "java"],
};

/** Files without a grammar that checks can be about. */
const PLAIN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(?:^|\/)(?:Dockerfile|Containerfile)[^/]*$|\.dockerfile$/i, "dockerfile"],
  [/\.tf(?:vars)?$/i, "terraform"],
  [/(?:^|\/)\.github\/(?:workflows\/[^/]+|actions\/.+\/action)\.ya?ml$|(?:^|\/)action\.ya?ml$/i, "github-actions"],
  [
    /\.(?:vue|svelte|astro|html?|erb|ejs|hbs|j2|jinja2?|twig|cshtml|razor|jsp|sh|bash|sql|properties|scala|exs?|dart|lua|pl)$/i,
    "other",
  ],
  [/(?:^|\/)requirements[^/]*\.txt$/i, "other"],
];

/** What a file is written in by its name; undefined = nothing that a review looks into. */
export function sourceLanguage(file: string): SourceLanguage | undefined {
  const grammar = languageOf(path.posix.basename(file));
  if (grammar !== undefined) return { names: SAME_EXAMPLES[grammar] ?? [grammar], grammar };
  const plain = PLAIN.find(([pattern]) => pattern.test(file));
  return plain && { names: [plain[1]] };
}
