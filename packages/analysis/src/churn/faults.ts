import { ToolError } from "@toolwright/engine";
import { counted } from "../complexity/words.js";

/** A fault of git, in the words of whoever asked for a history. */
export function explained(error: unknown, given: string): unknown {
  if (!(error instanceof ToolError)) return error;
  const said = error.details["git"];
  if (typeof said !== "string" || !/not a git repository/i.test(said)) return error;
  return new ToolError(
    `Cannot read the history of ${JSON.stringify(given)}: it is not in a git repository. Give a project_path that is, or make one with git init and commit.`,
    { code: "NOT_FOUND", details: { path: given }, cause: error },
  );
}

/** Whether git failed without a word, as it does when something ends it. */
export const isSilent = (error: unknown): boolean =>
  error instanceof ToolError && error.code === "GIT_FAILED" && error.details["git"] === "";

/** Whether git does not know a word, as an older one may not. */
export function isUnknown(error: unknown, word: string): boolean {
  const said = error instanceof ToolError ? error.details["git"] : undefined;
  return typeof said === "string" && said.includes(`unrecognized argument: ${word}`);
}

/** Something ended git before it had told all. */
export const gitEnded = (commits: number): ToolError =>
  new ToolError(
    `Cannot read the history: git was ended by something else after ${counted(commits, "commit")}. Try again; if memory is short, ask for a shorter period_days.`,
    { code: "GIT_FAILED", details: { commits } },
  );
