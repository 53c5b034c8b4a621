import type { InferInput } from "@toolwright/engine";

/** The settings of the pack, below `packs.todo` of the configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    database: {
      type: "string",
      minLength: 1,
      description:
        "Where tasks are kept: a SQLite file, or postgres://user@host/name to share them between machines. Default: todo.db in the state folder.",
    },
    actor: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description:
        "The name that changes are recorded under if a call names nobody. Default: the client; the user of the command line.",
    },
    priority: {
      type: "integer",
      minimum: 1,
      maximum: 5,
      default: 3,
      description: "The priority of new tasks, from 1 (most urgent) to 5.",
    },
    leaseSeconds: {
      type: "integer",
      minimum: 1,
      maximum: 86_400,
      default: 900,
      description: "How long a claimed task is reserved for its claimer.",
    },
    commands: {
      type: "array",
      items: { type: "array", items: { type: "string" }, minItems: 1 },
      default: [],
      description:
        'The commands that done-conditions may run, each as a list of arguments: "*" matches any part of one argument that is no option and no NAME=value, "-*" an option, a final "**" any further arguments. A script that tools can write needs the hash of its content: "./check.sh#sha256=…".',
    },
  },
} as const;

/** The settings, with defaults. */
export type Settings = InferInput<typeof SETTINGS>;
