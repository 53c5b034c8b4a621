import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { READ } from "@toolwright/kit/pack";
import { MIN_TOKEN_BUDGET } from "../settings.js";
import type { ThreatsContext } from "../threats-context.js";
import { TEXTS } from "./results.js";

const VERBOSITIES = ["agent", "human"] as const;

// Every client sends these descriptions to its model, so they are short. The error for an unknown value lists the known ones.
const PROPERTIES = {
  context: { type: "string", maxLength: 10_000, description: "The task, in words or code." },
  language: { type: "string", description: "Such as python." },
  framework: { type: "string", description: "Such as flask, or any." },
  verbosity: { type: "string", enum: VERBOSITIES, default: "agent", description: "human: in full detail." },
  category: { type: "string", description: "Only this family, such as authz." },
  limit: { type: "integer", minimum: 0, maximum: 50, description: "Maximum patterns; 3, or 10 for human." },
  files: { type: "array", items: { type: "string" }, description: "Paths that the task changes." },
  token_budget: { type: "integer", minimum: MIN_TOKEN_BUDGET, description: "Maximum size of the answer." },
} as const;

/** Finds the threats that a task needs. */
export const queryTool = ({ library, settings }: ThreatsContext) =>
  tool({
    name: "tmkb_query",
    title: "Find threats",
    description: "Call before you write code: threats that apply to a task, what to check, and secure code.",
    toolset: "threats",
    input: { type: "object", properties: PROPERTIES, required: ["context"], additionalProperties: false },
    output: QUERY_ANSWER,
    annotations: READ,
    formatValidationError: validationMessage,
    async run(question) {
      const { query } = await import("../query/query.js");
      const answer = await query(library, settings.tokenBudget, question);
      // The token count is that of this text.
      return new Content([text(JSON.stringify(answer))], answer as object as JsonObject);
    },
  });

/** The names of what is supported, where it is not "values". */
const SUPPORTED: Readonly<Record<string, string>> = { language: "languages", framework: "frameworks" };

/** A short message for an invalid argument, by the schema that is listed; undefined for the message of the engine. */
function validationMessage(input: unknown, schema: JsonObject): string | undefined {
  if (!isObject(input)) return undefined;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
  const { context } = input;
  if (context === undefined || context === null) return "context parameter is required";
  if (typeof context !== "string") return "context must be a non-empty string";
  if (context === "") return "context must be non-empty";
  for (const [name, value] of Object.entries(input)) {
    const { enum: values } = properties[name] ?? {};
    if (!Array.isArray(values) || values.includes(value)) continue;
    const allowed = values as readonly string[];
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    return `Invalid ${name} '${shown}'. Supported ${SUPPORTED[name] ?? "values"}: ${allowed.join(", ")}`;
  }
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(properties, name));
  return unknown && `Unknown parameter '${unknown}'. Supported parameters: ${Object.keys(properties).join(", ")}`;
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
const QUERY_ANSWER = {
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
