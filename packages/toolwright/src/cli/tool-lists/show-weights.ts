import { Failure } from "@toolwright/kit/cli";
import { type Column, drawTable, say, sayJson } from "@toolwright/kit/terminal";
import type { Look } from "../use/look.js";
import { totalOf, type Weight } from "./weigh.js";

/** How many of the heaviest tools are named where there are too many. */
const NAMED = 5;

/** Prints what tools cost, as a table or as JSON. Throws `Failure` where that is more than the budget. */
export async function showWeights(
  weights: readonly Weight[],
  { asJson, budget, look }: { readonly asJson: boolean; readonly budget: number | undefined; readonly look: Look },
): Promise<void> {
  const total = totalOf(weights);
  if (asJson) await sayJson({ tools: weights.map(toJson), total, ...(budget !== undefined && { budget }) });
  else
    await say(
      `${drawTable(columnsOf(weights), weights, { width: look.width, head: look.paint.faint })}\n\n${sum(weights)}`,
    );
  if (budget === undefined || total <= budget) return;
  const heaviest = weights.slice(0, NAMED).map(({ tool, total: tokens }) => `${tool} (${tokens})`);
  throw new Failure(
    `The tools cost ${number(total)} tokens, ${number(total - budget)} more than the budget of ${number(budget)}. The heaviest: ${heaviest.join(", ")}`,
    1,
  );
}

function columnsOf(weights: readonly Weight[]): Column<Weight>[] {
  const toolset: Column<Weight> = { name: "toolset", text: (weight) => weight.toolset ?? "" };
  return [
    { name: "tool", text: ({ tool }) => tool, gives: "words" },
    ...(weights.some((weight) => weight.toolset !== undefined) ? [toolset] : []),
    { name: "description", text: ({ description }) => number(description), isNumber: true },
    { name: "schema", text: ({ schema }) => number(schema), isNumber: true },
    { name: "total", text: ({ total }) => number(total), isNumber: true },
    { name: "share", text: ({ share }) => `${(share * 100).toFixed(1)} %`, isNumber: true },
  ];
}

const sum = (weights: readonly Weight[]): string =>
  `${weights.length} ${weights.length === 1 ? "tool costs" : "tools cost"} ${number(totalOf(weights))} tokens (cl100k_base: name, description and input schema of each).`;

const number = (value: number): string => value.toLocaleString("en-US");

const toJson = ({ tool, toolset, share, ...tokens }: Weight): object => ({
  name: tool,
  ...(toolset !== undefined && { toolset }),
  tokens,
  share: Math.round(share * 10_000) / 10_000,
});
