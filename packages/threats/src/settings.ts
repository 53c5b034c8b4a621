import type { InferInput } from "@toolwright/engine";
import { FILE_SETTINGS } from "@toolwright/kit/files";

/** The least that a budget may be: the id of one pattern, how bad it is, and a few words of what to do always fit. */
export const MIN_TOKEN_BUDGET = 150;

/** What people can say of the pack in their configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    directory: {
      type: "string",
      minLength: 1,
      description: "A folder with threat patterns of your own: YAML files, a pattern each, in any folders below.",
    },
    directories: {
      type: "array",
      items: { type: "string", minLength: 1 },
      description: "Several such folders. Where two have the same id, the first counts.",
    },
    token_budget: {
      type: "integer",
      minimum: MIN_TOKEN_BUDGET,
      maximum: 20_000,
      default: 500,
      description: "How many tokens an answer to an agent may have, code included, if the call does not say.",
    },
    ...FILE_SETTINGS,
  },
} as const;

/** What the pack was told, with the defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
