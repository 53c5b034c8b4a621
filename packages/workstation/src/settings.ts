import type { InferInput } from "@toolwright/engine";

const MIB = 1024 * 1024;

/** A positive integer. */
const count = (description: string, initial: number) => ({
  type: "integer" as const,
  minimum: 1,
  default: initial,
  description,
});

/** The settings of the pack. The defaults are safe. */
export const SETTINGS = {
  type: "object",
  properties: {
    ask: {
      enum: ["never", "irreversible", "destructive"],
      default: "irreversible",
      description:
        "When a person must confirm an action, if the client supports it: before changes that undo cannot restore, or before every change and program.",
    },
    builds: {
      type: "boolean",
      default: false,
      description: "Whether ci_build, ci_test and ci_lint may run the tools of a project, and with them its code.",
    },
    network: { type: "boolean", default: false, description: "Whether ci_restore may download packages." },
    commands: {
      type: "array",
      items: { type: "array", items: { type: "string" }, minItems: 1 },
      default: [],
      description:
        'The commands that ci_run_command and process_start may run, each a list of arguments: "*" matches any part of one argument that is no option and no NAME=value, "-*" an option, a final "**" any further arguments. A script that tools can write needs the hash of its content: "./check.sh#sha256=…".',
    },
    gitHooks: { type: "boolean", default: false, description: "Whether git_commit runs the hooks of the repository." },
    wholeFiles: {
      type: "boolean",
      default: false,
      description: "Whether fs_read_file returns a text file whole, up to 8 MiB, if the call names no part of it.",
    },
    buildTimeoutMs: count("The time limit of a build, test run or command, in milliseconds.", 15 * 60_000),
    journalBytes: count("How many bytes of old contents are kept for undo.", 512 * MIB),
    journalFileBytes: {
      ...count("The largest file whose old content is kept for undo, at most 64 MiB.", 32 * MIB),
      maximum: 64 * MIB,
    },
    journalDays: count("How many days changes are kept for undo.", 30),
  },
} as const;

/** The settings with defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
