import type { Call } from "@toolwright/engine";
import { GIT_TIMEOUT_MS, openRepository, type Repository } from "@toolwright/kit/git";
import type { Workstation } from "../workstation.js";

/** How long a git tool may take: git ends by itself before, and says why. */
export const GIT_TOOL_MS = GIT_TIMEOUT_MS + 10_000;

/** The argument that all git tools have. */
export const REPOSITORY = { type: "string", default: "." } as const;

/** How many entries are left out, to get the next page. */
export const OFFSET = { type: "integer", minimum: 0, default: 0 } as const;

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** The files of a difference, as results have them. */
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

/** A commit, as results have it. */
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

/** Where a difference goes on. */
export const NEXT_PART = {
  type: "object",
  properties: { offset: count, line: count },
  required: ["offset"],
} as const;

/** Finds the repository that a call is about. */
export async function repositoryOf(workstation: Workstation, call: Call, given: string): Promise<Repository> {
  return openRepository(await workstation.reach(call), given, call);
}

/** Tells whoever watches the status that it is not what it was. */
export const statusChanged = ({ host }: Workstation): void => host.notifyResourceUpdated(STATUS_URI);

/** Where clients read and watch the status. */
export const STATUS_URI = "git://status";
