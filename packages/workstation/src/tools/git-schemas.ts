import type { Call, JsonObject } from "@toolwright/engine";
import { GIT_TIMEOUT_MS, openRepository, type Repository } from "@toolwright/kit/git";
import { parseCursor } from "@toolwright/kit/pack";
import type { Workstation } from "../workstation.js";
import { acceptNames, type OtherNames } from "./arguments.js";

/** The time limit of a git tool. Git is stopped earlier, with an error that says so. */
export const GIT_TOOL_MS = GIT_TIMEOUT_MS + 10_000;

/** The argument that all git tools have. */
export const REPOSITORY = { type: "string", default: ".", description: "A folder in the repository" } as const;

/** A text without a description. */
export const text = { type: "string" } as const;
/** A number that is not negative. */
export const count = { type: "integer", minimum: 0 } as const;

/** The files of a diff in results. */
export const FILES = {
  type: "array",
  items: {
    type: "object",
    properties: {
      path: text,
      from: text,
      status: text,
      additions: count,
      deletions: count,
      binary: { type: "boolean" },
      mode: text,
      patch: text,
    },
    required: ["path", "status"],
  },
} as const;

/** A commit in results. */
export const COMMIT = {
  type: "object",
  properties: {
    hash: text,
    short: text,
    author: text,
    email: text,
    date: text,
    subject: text,
    body: text,
    refs: { type: "array", items: text },
    parents: { type: "array", items: text },
    files: FILES,
    more_files: count,
  },
  required: ["hash", "short", "author", "email", "date", "subject", "parents"],
} as const;

/** Accepts other names of the arguments of git tools. */
export const acceptGitNames = (names: OtherNames = {}, position?: string) =>
  acceptNames({ repository_path: ["repositoryPath", "repo_path", "repoPath", "repo", "cwd"], ...names }, position);

/** Accepts the file and line that older versions took instead of a cursor. */
export function acceptDiffPosition(input: JsonObject): JsonObject {
  const { offset, line, ...rest } = acceptGitNames({ revision: ["commit", "ref"] })(input);
  if (typeof offset !== "number" && typeof line !== "number") return { ...rest, ...(offset && { offset }) };
  return { ...rest, cursor: `${Number(offset ?? 0)}:${Number(line ?? 0)}` };
}

/** The file and the line in its patch at which a diff continues. */
export function parseDiffCursor(cursor: string | undefined): { readonly offset: number; readonly line: number } {
  const [offset = 0, line = 0] = parseCursor(cursor, 2);
  return { offset, line };
}

/** Opens the repository that a call is about. */
export async function openCallRepository(workstation: Workstation, call: Call, inputPath: string): Promise<Repository> {
  return openRepository(await workstation.accessFor(call), inputPath, call);
}

/** Notifies clients that watch the status of a change. */
export const notifyStatusChanged = ({ host }: Workstation): void => host.notifyResourceUpdated(STATUS_URI);

/** The resource with the status. */
export const STATUS_URI = "git://status";
