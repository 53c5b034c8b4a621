import type { InferInput } from "@toolwright/engine";

/** The settings of the pack. */
export const SETTINGS = {
  type: "object",
  properties: {
    directory: {
      type: "string",
      minLength: 1,
      description: "A folder with your own templates: category/toolchain/variant/template.yaml and a body beside it.",
    },
  },
} as const;

/** Validated settings, with defaults. */
export type Settings = InferInput<typeof SETTINGS>;
