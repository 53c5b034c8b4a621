import type { InferInput } from "@toolwright/engine";
import { FILE_SETTINGS } from "@toolwright/kit/files";

/** What people can say of the pack in their configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    ...FILE_SETTINGS,
    database: {
      type: "string",
      minLength: 1,
      description:
        "Where the tasks are: a SQLite file, or postgres://user@host/name for a team; by default a file in the state folder.",
    },
    read_only: { type: "boolean", default: false, description: "Leaves out every tool that changes something." },
    priority: {
      type: "integer",
      minimum: 1,
      maximum: 5,
      default: 3,
      description: "What a task has if nothing is said.",
    },
    actor: { type: "string", minLength: 1, maxLength: 200, description: "Who acts, where a call does not say." },
    lease_s: {
      type: "integer",
      minimum: 1,
      maximum: 86_400,
      default: 900,
      description: "How long a claimed task is kept for its claimer, if nothing is said.",
    },
    commands: {
      type: "array",
      items: { type: "array", items: { type: "string" }, minItems: 1 },
      default: [],
      description:
        'Commands that a done-condition may run, each a list of arguments: "*" stands for any part of one argument, a last "**" for all that follow.',
    },
  },
} as const;

/** What the pack was told, with the defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
