import { countTokens } from "@toolwright/kit/tokens";
import type { Context } from "../context.js";
import { type Check, fault, good, notApplicable, warning } from "../finding.js";
import { remark } from "../wire/evidence.js";
import { textOf } from "../wire/reply.js";

/** What a list of tools may cost: more than the first is worth a warning, more than the second is a fault. */
const MANY = 10_000;
const TOO_MANY = 40_000;

const HEAVIEST = 5;

/** What does the list of tools cost a model? */
export const tokens: Check<Context> = {
  id: "lists.tokens",
  title: "The list of tools is cheap to read",
  group: "lists",
  async run(context) {
    const { tools } = await context.survey();
    if (tools.length === 0) return notApplicable("It lists no tools.");
    const costs = tools.map(({ name, description, inputSchema }) => ({
      name: textOf(name),
      cost: countTokens(JSON.stringify({ name, description, inputSchema })),
    }));
    const total = costs.reduce((sum, { cost }) => sum + cost, 0);
    const heaviest = costs
      .toSorted((left, right) => right.cost - left.cost || (left.name < right.name ? -1 : 1))
      .slice(0, HEAVIEST)
      .map(({ name, cost }) => remark(`${name}: ${cost} tokens`));
    const saw = `${tools.length} ${tools.length === 1 ? "tool costs" : "tools cost"} ${total.toLocaleString("en")} tokens in every conversation.`;
    if (total <= MANY) return [good(saw, heaviest)];
    const advice = {
      why: "That much of the context is gone before a user has said a word, in every client that loads all tools.",
      next: "Shorten the heaviest descriptions and schemas, or let users choose sets of tools.",
    };
    return [(total > TOO_MANY ? fault : warning)(saw, advice, heaviest)];
  },
};
