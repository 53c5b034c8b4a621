/** What the tools say of each other and of their arguments, and what a person at a terminal says instead: whole phrases, for a name in the code may be the same as that of an argument. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\ball_commits: true counts\b/g, "--all-commits counts"],
  [/\b(?:Give|Ask for) a longer period_days\b/g, "Give more --days"],
  [/\bask for a shorter period_days\b/g, "give fewer --days"],
  [/\bGive a project_path that is\b/g, "Give a folder that is"],
  [/\bGive another project_path, include or exclude\b/g, "Give another folder, --include or --exclude"],
  [/\blook at project_path, include and exclude\b/g, "look at the folder, --include and --exclude"],
  [
    /\blook at project_path, include, exclude and toolchain\b/g,
    "look at the folder, --include, --exclude and --toolchain",
  ],
  [/\bNarrow include\b/g, "Narrow --include"],
  [/\bout with exclude\b/g, "out with --exclude"],
  [/\bask with include, such as \["([^"]*)"\], or a larger max_tokens\b/g, "give --include '$1', or more --max-tokens"],
  [/\bask for a smaller depth or a larger max_nodes\b/g, "give a smaller --depth or more --max-nodes"],
  [/\banalyze_satd with severity "high"/g, '"toolwright analyze satd --severity high"'],
  [/\banalyze_(complexity|hotspots|satd|duplicates|dag) (?=says|lists)/g, '"toolwright analyze $1" '],
];

/** A message of the pack in the words of the command line. */
export const forPeople = (message: string): string =>
  WORDS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), message);
