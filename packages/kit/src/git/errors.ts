import { ToolError } from "@toolwright/engine";

/** How much of git's own words is repeated. */
const MOST_WORDS = 600;

/** What git says, and what that means for whoever asked. */
const MEANINGS: readonly (readonly [pattern: RegExp, code: string, words: string])[] = [
  [
    /dubious ownership/,
    "GIT_FAILED",
    "the folder belongs to another user, so git does not trust it. If you do, run by hand: git config --global --add safe.directory <the folder>",
  ],
  [
    /not a git repository/i,
    "NOT_FOUND",
    "it is not in a git repository. Give a folder that is, or make one with git init and commit",
  ],
  [
    /\.lock': File exists|Another git process seems to be running/,
    "CONFLICT",
    "another git process holds a lock. Try again; if none is running, a crashed one has left the .lock file behind, which can be removed",
  ],
  [/No space left on device/, "UNAVAILABLE", "the disk is full"],
  [/Permission denied|unable to create/i, "FORBIDDEN_PATH", "the user of this server may not write there"],
  [
    /user\.useConfigOnly|Please tell me who you are|no (?:name|email) was given|empty ident name/i,
    "GIT_FAILED",
    'nobody has said who commits. Set it by hand: git config --global user.name "…" and git config --global user.email "…"',
  ],
  [
    /gpg failed to sign|failed to write commit object/,
    "GIT_FAILED",
    "the user's settings ask for a signature (commit.gpgSign), and it could not be made without asking somebody",
  ],
  [
    /promisor|lazy fetch|transport '.*' not allowed/,
    "UNAVAILABLE",
    "this is a partial clone, and what is missing is not fetched. Run git fetch by hand",
  ],
];

/** Git failed: says what its words mean where that is known, and what they were. */
export function toGitError(deed: string, stderr: string): ToolError {
  const words = plain(stderr);
  const known = MEANINGS.find(([pattern]) => pattern.test(words));
  const reason = known === undefined ? words || "it gave no reason" : known[2];
  return new ToolError(`Cannot ${deed}: ${reason.replace(/\.$/, "")}.`, {
    code: known?.[1] ?? "GIT_FAILED",
    details: { git: words },
  });
}

/** Git did not come to an end in time. */
export const gitTimeout = (deed: string, afterMs: number): ToolError =>
  new ToolError(
    `Cannot ${deed}: git did not end within ${afterMs / 1000} s. Ask for less: a path, fewer commits, a range of lines.`,
    { code: "TIMEOUT" },
  );

/** What was asked of git cannot be right. */
export const invalidGitArgument = (message: string, details: Record<string, string> = {}): ToolError =>
  new ToolError(message, { code: "INVALID_ARGUMENT", details });

/** Without hints, prefixes and control characters, and not too long. */
function plain(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/\p{Cc}/gu, "?")
        .replace(/^(?:fatal|error|warning): /, "")
        .trim(),
    )
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const text = lines.join("; ");
  return text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text;
}
