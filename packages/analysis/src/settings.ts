import type { InferInput } from "@toolwright/engine";
import { FILE_SETTINGS } from "@toolwright/kit/files";

/** What people can say of the pack in their configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    ...FILE_SETTINGS,
    exclude: {
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [],
      description: "Globs of files that no analysis looks at, relative to the project.",
    },
    file_bytes: {
      type: "integer",
      minimum: 1,
      default: 1024 * 1024,
      description: "The largest file that is analysed; larger ones are listed as skipped.",
    },
    workers: {
      type: "integer",
      minimum: 1,
      maximum: 64,
      description: "How many threads read sources; by default one for each processor, at most eight.",
    },
    cache: {
      type: "boolean",
      default: true,
      description: "Keeps what was read from a file, so that only what has changed is read again.",
    },
  },
} as const;

/** What the pack was told, with the defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
