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
export const text = (description: string, more: Partial<FieldSchema> = {}): FieldSchema => ({
  type: "string",
  description,
  pattern: "\\S",
  ...more,
});

/** One of a few words. */
export const word = (words: readonly string[], description: string): FieldSchema => ({
  type: "string",
  description,
  enum: words,
});

/** A list. */
export const list = (items: FieldSchema, description: string, more: Partial<FieldSchema> = {}): FieldSchema => ({
  type: "array",
  description,
  items,
  ...more,
});

/** A list of texts. */
export const texts = (description: string): FieldSchema => list({ type: "string", pattern: "\\S" }, description);

/** A part with named parts, of which some must be there. */
export const object = (
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

/** Fields that must be there where another one has a certain value. */
export const whereIs = (field: string, value: string, required: readonly string[]): Partial<FieldSchema> => ({
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
    "An entry of a public list.",
    {
      cwe: text("An id of the Common Weakness Enumeration.", { pattern: "^CWE-[1-9][0-9]*$", examples: ["CWE-862"] }),
      owasp: text("An id of a list of OWASP.", {
        pattern: "^[A-Z][A-Z-]*[0-9]{1,2}(?::20[0-9]{2})?$",
        examples: ["API1:2023"],
      }),
      asvs: text("An id of the Application Security Verification Standard.", {
        pattern: "^v[0-9]+\\.[0-9]+\\.[0-9]+-[0-9]+\\.[0-9]+\\.[0-9]+$",
        examples: ["v5.0.0-8.2.1"],
      }),
      name: text("Its title."),
      url: text("Where it can be read.", { pattern: "^https?://\\S+$", examples: ["https://example.org/entry"] }),
    },
    [],
    { anyOf: [{ required: ["cwe"] }, { required: ["owasp"] }, { required: ["asvs"] }] },
  ),
  "The entries of public lists that name it: ids and titles.",
);

const scenario = object(
  "How it is exploited.",
  {
    narrative: text("What happens, as a story."),
    preconditions: texts("What must be so before it works."),
    attack_steps: list(
      object(
        "One deed of the attacker.",
        {
          step: { type: "integer", description: "Its number, from 1.", minimum: 1, examples: [1] },
          action: text("The deed."),
          detail: text("How it is done."),
        },
        ["step", "action"],
      ),
      "What the attacker does, in order.",
    ),
    impact: object("What it costs.", {
      confidentiality: word(IMPACTS, "What others get to see."),
      integrity: word(IMPACTS, "What others can change."),
      availability: word(IMPACTS, "What stops working."),
      scope: text("How far it reaches."),
      business_impact: text("What that means to the owner."),
    }),
  },
  ["narrative"],
);

const example = object(
  "The same done wrong and done right.",
  {
    language: slug("The language of the code.", ["python"]),
    framework: slug("The framework, or any.", ["flask"]),
    description: text("What to look at."),
    vulnerable_code: text("The code with the flaw."),
    secure_code: text("The code without it."),
  },
  ["language", "secure_code"],
);

const mitigations = list(
  object(
    "Something that helps.",
    {
      id: text("Its name inside this pattern.", { examples: ["MIT-1"] }),
      name: text("What it is called."),
      description: text("What to do."),
      effectiveness: word(DEGREES, "How much it helps."),
      implementation_effort: word(DEGREES, "How much work it is."),
      tradeoffs: texts("What it costs otherwise."),
      code_examples: list(example, "Code for it."),
    },
    ["id", "description"],
  ),
  "What helps against it.",
  { minItems: 1 },
);

const testing = object("How to see that a project is safe from it.", {
  manual_verification: list(
    object("One look.", { step: text("What to do."), check: text("What to see.") }, ["step"]),
    "What a person does.",
  ),
  automated_checks: list(
    object(
      "What the review looks for in sources.",
      {
        type: text("code is run by the review; other types are for people.", { examples: ["code"] }),
        description: text("What it finds."),
        languages: texts("Where it holds; everywhere if nothing is said."),
        pattern: expression("A regular expression for a line that does the risky thing."),
        expectation: expression("One for what should be near it; without it the line itself is the flaw."),
      },
      ["type", "description"],
      whereIs("type", "code", ["pattern"]),
    ),
    "What the review does.",
  ),
  queries: object("Questions that prove the triggers.", {
    finds: texts("Those that must find it among the first three."),
    ignores: texts("Those that must not."),
  }),
});

const threatPattern = object(
  "One pattern.",
  {
    id: id("TMKB-{CATEGORY}-{NNN}."),
    name: text("What it is called, in at most 80 characters.", { examples: ["Webhook without a signature check"] }),
    tier: word(TIERS, "A is told in full, B in short."),
    category: text("The family.", { pattern: "^[a-z][a-z0-9]*$", examples: ["authz"] }),
    subcategory: text("The part of the family."),
    severity: word(SEVERITIES, "How bad it is."),
    likelihood: word(DEGREES, "How often it is found."),
    version: text("The version of the pattern.", {
      pattern: "^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:[-+][0-9A-Za-z.+-]+)?$",
      examples: ["1.0.0"],
    }),
    last_updated: day("When it was last changed."),
    language: slug("The language it is about, or any.", ["any"]),
    framework: slug("The framework it is about, or any.", ["any"]),
    generalizes_to: texts("Other stacks that have it, such as go/net-http."),
    description: text("What goes wrong, where, and why it is easy to miss."),
    provenance: object("Where it is from.", {
      source_type: word(SOURCE_TYPES, "What kind of source."),
      description: text("Which source."),
      public_references: references,
    }),
    triggers: object("What a task says that needs it.", {
      keywords: texts("Words and short phrases."),
      actions: texts("Deeds, such as: receive webhook."),
      file_patterns: texts("Globs of the files that are touched."),
    }),
    differentiation: object("Why a model needs to be told.", {
      llm_knowledge_state: text("What models know of it."),
      tmkb_value: text("What this adds."),
      llm_blindspots: texts("What they miss."),
    }),
    agent_summary: object(
      "What an agent is told first, in at most 400 characters together.",
      { threat: text("What goes wrong."), check: text("What to look at."), fix: text("What to do.") },
      ["threat", "check", "fix"],
    ),
    attack_scenario: scenario,
    mitigations,
    security_principles: list(
      object("A rule behind it.", { principle: text("The rule."), explanation: text("Why.") }, ["principle"]),
      "The rules behind it.",
    ),
    related_patterns: list(
      object(
        "Another pattern that belongs to it.",
        {
          id: id("Its id."),
          relationship: word(RELATIONSHIPS, "How this one stands to it."),
          description: text("Why it is named."),
        },
        ["id"],
      ),
      "Patterns that belong to it.",
    ),
    testing,
    validation: object("What was measured.", {
      baseline_test: object(
        "What models do without this pattern.",
        {
          prompt: text("What they are asked."),
          expected_failure: text("What they are thought to miss."),
          observed: text("What was seen."),
          date: day("When."),
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
