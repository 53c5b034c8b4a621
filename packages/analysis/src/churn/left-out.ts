import type { HistoryCommit } from "./history.js";

/** Why a commit does not count. */
export type Reason = "merges" | "bots" | "bulk" | "excluded";

/** What decides which commits count. */
export interface Sieve {
  /** Lets all commits count but those of excluded authors. */
  readonly isOpen: boolean;
  readonly excluded: readonly string[];
  /** Hashes that `.git-blame-ignore-revs` lists. */
  readonly ignored: ReadonlySet<string>;
  /** How many files the repository has today. */
  readonly tracked: number;
}

/** More files than one person changes by hand in one go, where they are a good part of all. */
const BULK = { files: 100, share: 0.3 } as const;

/** A commit that says that it formats is believed where it changes this many files. */
const FORMATTED_FILES = 20;

const BOT_NAME =
  /\[bot\]$|[-_]bot$|^(?:dependabot|renovate|greenkeeper|github[ -]actions?|semantic[ -]release|mergify|snyk|pre-commit-ci|allcontributors|imgbot|k8s-ci-robot|bors|homu)\b/i;
const BOT_ADDRESS =
  /\[bot\]@|^(?:bot|noreply|no-reply|support)@(?:dependabot|renovateapp|greenkeeper|snyk|mergify)\b|^semantic-release-bot@/i;

const FORMATS =
  /^style(?:\([^)]*\))?!?:|\b(?:prettier|rustfmt|gofmt|goimports|clang-format|ktlint|swiftformat|rubocop|autopep8|yapf|isort)\b|\b(?:cargo|go|ruff|biome|dprint|deno) (?:fmt|format|check)\b|\beslint --fix\b|\b(?:run|apply|with|by|use) (?:black|lint(?:er)?|biome)\b|\bblackened?\b(?= (?:code|format))|\bre-?(?:format|indent)|\b(?:auto-?|code )?format(?:s|ted|ting)? (?:all|code|everything|files|sources?|the (?:code|project|repo)|whole)|\b(?:code |auto-?)format(?:ting)?\b|\bfix lint(?:ing)?\b|\blint fixes\b|\bwhitespace\b|\bline endings?\b|\bindentation\b/i;

/** Says why a commit does not count; undefined = it does. */
export function whyLeftOut(commit: HistoryCommit, sieve: Sieve): Reason | undefined {
  if (commit.isMerge && !sieve.isOpen) return "merges";
  if (sieve.excluded.length > 0 && isExcluded(commit, sieve.excluded)) return "excluded";
  if (sieve.isOpen) return undefined;
  if (BOT_NAME.test(commit.author) || BOT_ADDRESS.test(commit.address)) return "bots";
  return isBulk(commit, sieve) ? "bulk" : undefined;
}

function isExcluded({ author, address }: HistoryCommit, excluded: readonly string[]): boolean {
  const [name, mail] = [author.toLowerCase(), address.toLowerCase()];
  return excluded.some((each) => each === name || each === mail);
}

function isBulk({ hash, subject, changes }: HistoryCommit, { ignored, tracked }: Sieve): boolean {
  const files = changes.length;
  if (files > BULK.files && files > BULK.share * tracked) return true;
  return (files >= FORMATTED_FILES && FORMATS.test(subject)) || ignored.has(hash);
}
