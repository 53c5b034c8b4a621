/** A list of texts in a result. */
export const TEXTS = { type: "array", items: { type: "string" } } as const;

/** The three words of a template, its URI and what it is about, in a result. */
export const LISTED = {
  type: "object",
  properties: {
    uri: { type: "string" },
    name: { type: "string" },
    description: { type: "string" },
    category: { type: "string" },
    toolchain: { type: "string" },
    variant: { type: "string" },
    filename: { type: "string" },
    origin: { enum: ["catalogue", "user"] },
    relevance: { type: "integer" },
    matched: TEXTS,
    parameters: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, type: { type: "string" }, required: { type: "boolean" } },
        required: ["name"],
      },
    },
    schema: { type: "object" },
  },
  required: ["uri", "name", "description", "category", "toolchain", "variant", "parameters"],
} as const;

/** The templates that could not be used, in a result. */
export const ERRORS = {
  type: "array",
  items: {
    type: "object",
    properties: { template: { type: "string" }, error: { type: "string" }, code: { type: "string" } },
    required: ["template", "error", "code"],
  },
} as const;
