import { DEGREES, IMPACTS, RELATIONSHIPS, SEVERITIES, SOURCE_TYPES, TIERS } from "./pattern.js";

/** The part of JSON Schema that says what a pattern looks like; the walk in check-shape.ts knows all of it. */
export interface FieldSchema {
  readonly type: "object" | "array" | "string" | "integer";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
  readonly if?: Condition;
  readonly then?: { readonly required: readonly string[] };
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: "date";
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly examples?: readonly (string | number)[];
}

/** Holds where a field has one of these values. */
interface Condition {
  readonly properties: Readonly<Record<string, { readonly const: string }>>;
  readonly required: readonly string[];
}

/** A text that says something. */
const text = (description: string, more: Partial<FieldSchema> = {}): FieldSchema => ({
  type: "string",
  description,
  pattern: "\\S",
  ...more,
});

/** One of a few words. */
const word = (words: readonly string[], description: string): FieldSchema => ({
  type: "string",
  description,
  enum: words,
});

/** A list. */
const list = (items: FieldSchema, description: string, more: Partial<FieldSchema> = {}): FieldSchema => ({
  type: "array",
  description,
  items,
  ...more,
});

/** A list of texts. */
const texts = (description: string): FieldSchema => list({ type: "string", pattern: "\\S" }, description);

/** An object with fields, some of them required. */
const object = (
  description: string,
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[] = [],
  more: Partial<FieldSchema> = {},
): FieldSchema => ({
  type: "object",
  description,
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
  ...more,
});

/** Fields that are required if another one has a certain value. */
const whereIs = (field: string, value: string, required: readonly string[]): Partial<FieldSchema> => ({
  if: { properties: { [field]: { const: value } }, required: [field] },
  // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
  then: { required },
});

/** How many characters a text has, as JSON Schema counts: a pair of halves is one. */
export const lengthOf = (written: string): number => Array.from(written).length;

/** The form of an id. */
const ID_PATTERN = "^TMKB-[A-Z][A-Z0-9]*-[0-9]{3}$";

const id = (description: string): FieldSchema =>
  text(description, { pattern: ID_PATTERN, examples: ["TMKB-AUTHZ-001"] });
const day = (description: string): FieldSchema =>
  text(description, { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format: "date", examples: ["2026-11-01"] });
const slug = (description: string, examples: readonly string[]): FieldSchema =>
  text(description, { pattern: "^[a-z][a-z0-9#+.-]*$", examples });
/** Long enough for a check of a line, short enough to be read. */
const expression = (description: string): FieldSchema => text(description, { maxLength: 300 });

const references = list(
  object(
    "An entry of a public catalogue.",
    {
      cwe: text("An id of the Common Weakness Enumeration.", { pattern: "^CWE-[1-9][0-9]*$", examples: ["CWE-862"] }),
      owasp: text("An id of an OWASP list.", {
        pattern: "^[A-Z][A-Z-]*[0-9]{1,2}(?::20[0-9]{2})?$",
        examples: ["API1:2023"],
      }),
      asvs: text("An id of the Application Security Verification Standard.", {
        pattern: "^v[0-9]+\\.[0-9]+\\.[0-9]+-[0-9]+\\.[0-9]+\\.[0-9]+$",
        examples: ["v5.0.0-8.2.1"],
      }),
      name: text("The title."),
      url: text("A link to the entry.", { pattern: "^https?://\\S+$", examples: ["https://example.org/entry"] }),
    },
    [],
    { anyOf: [{ required: ["cwe"] }, { required: ["owasp"] }, { required: ["asvs"] }] },
  ),
  "Entries of public catalogues: ids and titles.",
);

const scenario = object(
  "How it is exploited.",
  {
    narrative: text("The attack as a story."),
    preconditions: texts("The conditions under which it works."),
    attack_steps: list(
      object(
        "One step of the attacker.",
        {
          step: { type: "integer", description: "The number of the step, from 1.", minimum: 1, examples: [1] },
          action: text("The action."),
          detail: text("How the action is done."),
        },
        ["step", "action"],
      ),
      "The steps of the attacker, in order.",
    ),
    impact: object("The impact.", {
      confidentiality: word(IMPACTS, "The impact on confidentiality."),
      integrity: word(IMPACTS, "The impact on integrity."),
      availability: word(IMPACTS, "The impact on availability."),
      scope: text("The scope of the impact."),
      business_impact: text("The impact on the business."),
    }),
  },
  ["narrative"],
);

const example = object(
  "Vulnerable code and its secure version.",
  {
    language: slug("The language of the code.", ["python"]),
    framework: slug("The framework, or any.", ["flask"]),
    description: text("What the example shows."),
    vulnerable_code: text("The vulnerable code."),
    secure_code: text("The secure code."),
  },
  ["language", "secure_code"],
);

const mitigations = list(
  object(
    "A mitigation.",
    {
      id: text("The id within this pattern.", { examples: ["MIT-1"] }),
      name: text("The name."),
      description: text("What to do."),
      effectiveness: word(DEGREES, "The effectiveness."),
      implementation_effort: word(DEGREES, "The implementation effort."),
      tradeoffs: texts("The tradeoffs."),
      code_examples: list(example, "Code examples."),
    },
    ["id", "description"],
  ),
  "The mitigations.",
  { minItems: 1 },
);

const testing = object("How to verify that a project is not affected.", {
  manual_verification: list(
    object("A manual check.", { step: text("What to do."), check: text("The expected result.") }, ["step"]),
    "The manual checks.",
  ),
  automated_checks: list(
    object(
      "A check that reviews run on source code.",
      {
        type: text("Reviews run checks of the type code; other types are for people.", { examples: ["code"] }),
        description: text("The missing check, which findings report."),
        languages: texts("The languages that it applies to. Default: all."),
        pattern: expression("A regular expression for a risky line."),
        expectation: expression(
          "A regular expression for the check that must be near the line. Without it, the line itself is the flaw.",
        ),
      },
      ["type", "description"],
      whereIs("type", "code", ["pattern"]),
    ),
    "The automated checks.",
  ),
  queries: object("Test queries for the triggers.", {
    finds: texts("Queries that must find the pattern among the first three."),
    ignores: texts("Queries that must not find the pattern."),
  }),
});

const threatPattern = object(
  "A threat pattern.",
  {
    id: id("TMKB-{CATEGORY}-{NNN}."),
    name: text("The name, in at most 80 characters.", { examples: ["Webhook without a signature check"] }),
    tier: word(TIERS, "A: documented in full; B: in short."),
    category: text("The family.", { pattern: "^[a-z][a-z0-9]*$", examples: ["authz"] }),
    subcategory: text("The subcategory."),
    severity: word(SEVERITIES, "The severity."),
    likelihood: word(DEGREES, "The likelihood."),
    version: text("The version of the pattern.", {
      pattern: "^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:[-+][0-9A-Za-z.+-]+)?$",
      examples: ["1.0.0"],
    }),
    last_updated: day("The date of the last change."),
    language: slug("The language that the pattern is about, or any.", ["any"]),
    framework: slug("The framework that the pattern is about, or any.", ["any"]),
    generalizes_to: texts("Other stacks that are affected, such as go/net-http."),
    description: text("What goes wrong, where, and why it is easy to miss."),
    provenance: object("The provenance.", {
      source_type: word(SOURCE_TYPES, "The kind of source."),
      description: text("The source."),
      public_references: references,
    }),
    triggers: object("What a task contains if the pattern applies to it.", {
      keywords: texts("Words and short phrases."),
      actions: texts("Actions, such as: receive webhook."),
      file_patterns: texts("Globs of the files that a task changes."),
    }),
    differentiation: object("Why a model needs the pattern.", {
      llm_knowledge_state: text("What models know about it."),
      tmkb_value: text("What the pattern adds."),
      llm_blindspots: texts("What they miss."),
    }),
    agent_summary: object(
      "The summary for agents, in at most 400 characters together.",
      { threat: text("What goes wrong."), check: text("What the example shows."), fix: text("What to do.") },
      ["threat", "check", "fix"],
    ),
    attack_scenario: scenario,
    mitigations,
    security_principles: list(
      object("A security principle.", { principle: text("The principle."), explanation: text("The explanation.") }, [
        "principle",
      ]),
      "The security principles.",
    ),
    related_patterns: list(
      object(
        "A related pattern.",
        {
          id: id("The id of the related pattern."),
          relationship: word(RELATIONSHIPS, "The relationship."),
          description: text("Why it is related."),
        },
        ["id"],
      ),
      "Related patterns.",
    ),
    testing,
    validation: object("Measurements.", {
      baseline_test: object(
        "What models do without this pattern.",
        {
          prompt: text("The prompt."),
          expected_failure: text("The expected failure."),
          observed: text("The observed result."),
          date: day("The date of the test."),
        },
        ["prompt"],
      ),
    }),
  },
  ["id", "name", "tier", "category", "severity", "description", "agent_summary", "mitigations"],
  whereIs("tier", "A", ["attack_scenario"]),
);

/** What a file of a pattern must look like. */
export const FILE_SCHEMA: FieldSchema = object("A threat pattern of Toolwright.", { threat_pattern: threatPattern }, [
  "threat_pattern",
]);
