import type { InferInput } from "@toolwright/engine";

/** The settings of the pack. */
export const SETTINGS = {
  type: "object",
  properties: {
    exclude: {
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [],
      description: "Globs of files that no analysis reads, relative to the analyzed folder.",
    },
    maxFileBytes: {
      type: "integer",
      minimum: 1,
      default: 1024 * 1024,
      description: "The size of the largest file that is analyzed. Larger files are reported as skipped.",
    },
    cache: {
      type: "boolean",
      default: true,
      description: "Whether results are kept in the state folder, so that only changed files are read again.",
    },
  },
} as const;

/** The settings of the pack, with defaults. */
export type Settings = InferInput<typeof SETTINGS>;
