import type { InferInput } from "@toolwright/engine";
import { FILE_SETTINGS } from "@toolwright/kit/files";

const MIB = 1024 * 1024;

/** A number of bytes, milliseconds or days that is at least one. */
const count = (about: string, usual: number) => ({
  type: "integer" as const,
  minimum: 1,
  default: usual,
  description: about,
});

/** What people can say of the pack in their configuration; the defaults are safe. */
export const SETTINGS = {
  type: "object",
  properties: {
    ...FILE_SETTINGS,
    read_only: { type: "boolean", default: false, description: "Leaves out every tool that changes something." },
    tools: {
      type: "object",
      additionalProperties: { type: "boolean" },
      default: {},
      description: "Single tools by name: false leaves one out.",
    },
    ask: {
      enum: ["never", "irreversible", "destructive"],
      default: "irreversible",
      description: "When a person is asked first, where the client can ask one.",
    },
    builds: {
      type: "boolean",
      default: false,
      description: "Whether ci_build, ci_test and ci_lint may run the tools of a project, and with them its code.",
    },
    network: { type: "boolean", default: false, description: "Whether ci_restore may fetch packages." },
    commands: {
      type: "array",
      items: { type: "array", items: { type: "string" }, minItems: 1 },
      default: [],
      description:
        'Commands that ci_run_command and process_start may run, each a list of arguments: "*" stands for any part of one argument, a last "**" for all that follow.',
    },
    git_hooks: { type: "boolean", default: false, description: "Whether git_commit runs the hooks of the repository." },
    build_ms: count("How long a build or test run may take.", 15 * 60_000),
    journal_bytes: count("How much of old contents is kept for undo.", 512 * MIB),
    journal_file_bytes: {
      ...count("The largest file whose old content is kept for undo, at most 64 MiB.", 32 * MIB),
      maximum: 64 * MIB,
    },
    journal_days: count("How long changes are kept for undo.", 30),
  },
} as const;

/** What the pack was told, with the defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
