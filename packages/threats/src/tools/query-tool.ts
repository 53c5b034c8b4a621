import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { MIN_TOKEN_BUDGET } from "../settings.js";
import type { ThreatsContext } from "../threats-context.js";
import { TEXTS } from "./results.js";

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
    minimum: MIN_TOKEN_BUDGET,
    maximum: 20_000,
    description: "Of the whole answer; 500 for agent",
  },
} as const;

/** Answers which threats belong to a task. */
export const tmkbQuery = ({ library, tokenBudget }: ThreatsContext) =>
  tool({
    name: "tmkb_query",
    title: "Ask for threats",
    description:
      "Ask before you write code: the threats that belong to a task, what to check, and how to do it right, with code in your language.",
    toolset: "threats",
    input: { type: "object", properties: PROPERTIES, required: ["context"], additionalProperties: false },
    output: QUERY_ANSWER,
    annotations: READS,
    formatValidationError: formatValidationError,
    async run(question) {
      const { query } = await import("../query/query.js");
      const answer = await query(library, tokenBudget, question);
      // The text is what was counted.
      return new Content([text(JSON.stringify(answer))], answer as object as JsonObject);
    },
  });

/** The words of the source document; what it has no words for is told by the engine. */
function formatValidationError(given: unknown): string | undefined {
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

const TEXT = { type: "string" } as const;
const SUMMARY = { id: TEXT, severity: TEXT, threat: TEXT, check: TEXT, fix: TEXT } as const;

const CODE_EXAMPLE = {
  type: "object",
  properties: { language: TEXT, framework: TEXT, description: TEXT, vulnerable_code: TEXT, secure_code: TEXT },
  required: ["language", "secure_code"],
} as const;

const MITIGATION = {
  type: "object",
  properties: {
    id: TEXT,
    name: TEXT,
    description: TEXT,
    effectiveness: TEXT,
    implementation_effort: TEXT,
    tradeoffs: TEXTS,
    code_examples: { type: "array", items: CODE_EXAMPLE },
  },
  required: ["id", "description"],
} as const;

/** What tmkb_query answers: `patterns` to agents, `verbose_patterns` to people. */
export const QUERY_ANSWER = {
  type: "object",
  properties: {
    pattern_count: { type: "integer", description: "How many patterns are relevant." },
    patterns_included: { type: "integer" },
    token_count: { type: "integer", description: "How long this answer is in tokens (cl100k_base), all included." },
    token_limit_reached: {
      type: "boolean",
      description: "Whether something was left out or shortened for the budget.",
    },
    patterns: {
      type: "array",
      items: { type: "object", properties: SUMMARY, required: ["id", "severity", "threat", "check", "fix"] },
    },
    code_pattern: {
      type: "object",
      properties: { language: TEXT, framework: TEXT, secure_template: TEXT, note: TEXT },
      required: ["language", "framework", "secure_template"],
    },
    verbose_patterns: {
      type: "array",
      items: {
        type: "object",
        properties: {
          ...SUMMARY,
          name: TEXT,
          tier: TEXT,
          category: TEXT,
          likelihood: TEXT,
          description: TEXT,
          attack_scenario: { type: "object" },
          mitigations: { type: "array", items: MITIGATION },
          related_patterns: TEXTS,
          cwe: TEXTS,
          owasp: TEXTS,
          asvs: TEXTS,
        },
        required: ["id", "name", "severity", "threat", "check", "fix"],
      },
    },
    left_out: { ...TEXTS, description: "Relevant patterns for which there was no room." },
    note: TEXT,
  },
  required: ["pattern_count", "patterns_included", "token_count", "token_limit_reached"],
} as const;
