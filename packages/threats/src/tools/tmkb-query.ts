import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { LEAST_BUDGET } from "../answers/least-budget.js";
import type { Desk } from "../desk.js";
import { QUERY_ANSWER } from "./query-output.js";

const VERBOSITIES = ["agent", "human"] as const;

// Every client carries these words along, so they are few; who names an unknown language, framework or family is told all of them.
const PROPERTIES = {
  context: {
    type: "string",
    minLength: 1,
    maxLength: 10_000,
    description: "The task, in words: a webhook that marks orders paid",
  },
  language: { type: "string", description: "Such as python, typescript" },
  framework: { type: "string", description: "Such as flask, express; or any" },
  verbosity: {
    type: "string",
    enum: VERBOSITIES,
    default: "agent",
    description: "human: up to ten in full",
  },
  category: { type: "string", description: "Only this family, such as authz" },
  limit: { type: "integer", minimum: 0, maximum: 50, default: 0, description: "0: 3, for human 10" },
  files: { type: "array", maxItems: 200, items: { type: "string" }, description: "Paths the task touches" },
  token_budget: {
    type: "integer",
    minimum: LEAST_BUDGET,
    maximum: 20_000,
    description: "Of the whole answer; 500 for agent",
  },
} as const;

/** Answers which threats belong to a task. */
export const tmkbQuery = ({ library, tokenBudget }: Desk) =>
  tool({
    name: "tmkb_query",
    title: "Ask for threats",
    description:
      "Ask before you write code: the threats that belong to a task, what to check, and how to do it right, with code in your language.",
    toolset: "threats",
    input: { type: "object", properties: PROPERTIES, required: ["context"], additionalProperties: false },
    output: QUERY_ANSWER,
    annotations: READS,
    formatValidationError: wordRefusal,
    async run(question) {
      const { query } = await import("../answers/query.js");
      const answer = await query(library, tokenBudget, question);
      // The text is what was counted.
      return new Content([text(JSON.stringify(answer))], answer as object as JsonObject);
    },
  });

/** The words of the source document; what it has no words for is told by the engine. */
function wordRefusal(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { context, verbosity } = given as Readonly<Record<string, unknown>>;
  if (context === undefined) return "context parameter is required";
  if (context === "") return "context must be non-empty";
  if (typeof verbosity === "string" && !(VERBOSITIES as readonly string[]).includes(verbosity))
    return `Invalid verbosity '${verbosity}'. Supported values: ${VERBOSITIES.join(", ")}`;
  const known = Object.keys(PROPERTIES);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  return unknown && `Unknown parameter '${unknown}'. Supported parameters: ${known.join(", ")}`;
}
