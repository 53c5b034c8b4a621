import type { InferInput } from "@toolwright/engine";

/** The smallest token budget: the id, the severity and a few words about one pattern always fit. */
export const MIN_TOKEN_BUDGET = 150;

/** The settings of the pack, below `packs.threats` of the configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    patternFolders: {
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [],
      description:
        "Folders with threat patterns of your own: YAML files, one pattern each, at any depth. If two have the same id, the first applies.",
    },
    tokenBudget: {
      type: "integer",
      minimum: MIN_TOKEN_BUDGET,
      maximum: 20_000,
      default: 500,
      description: "The size of an answer to an agent in tokens, including code, if the call sets none.",
    },
  },
} as const;

/** The settings, with defaults. */
export type Settings = InferInput<typeof SETTINGS>;
