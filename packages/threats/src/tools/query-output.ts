import { TEXTS } from "./output-schemas.js";

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
