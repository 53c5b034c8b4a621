import type { ListedTool } from "@toolwright/engine/client";
import { countTokens } from "@toolwright/kit/tokens";
import type { KnownTools } from "./known-tools.js";

/** What a tool costs a model that is given it, in tokens of cl100k_base. */
export interface Weight {
  readonly tool: string;
  /** Undefined where nobody says. */
  readonly toolset: string | undefined;
  readonly description: number;
  readonly schema: number;
  /** Of the name, the description and the schema as one JSON object, which is what models are given. */
  readonly total: number;
  /** Of all tools, from 0 to 1. */
  readonly share: number;
}

/** Weighs tools, the heaviest first. The tools of this program are known by their toolsets. */
export function weighTools(tools: readonly ListedTool[], known: KnownTools | undefined): readonly Weight[] {
  const weights = tools.map(({ name, description, inputSchema }) => ({
    tool: name,
    toolset: known?.toolsetOf(name),
    description: description === undefined ? 0 : countTokens(description),
    schema: countTokens(JSON.stringify(inputSchema)),
    total: countTokens(JSON.stringify({ name, description, inputSchema })),
  }));
  const all = totalOf(weights);
  return weights
    .map((weight) => ({ ...weight, share: weight.total / all }))
    .toSorted((one, other) => other.total - one.total);
}

/** What all of them cost. */
export const totalOf = (weights: readonly Pick<Weight, "total">[]): number =>
  weights.reduce((sum, { total }) => sum + total, 0);
