/** An array of strings in a result. */
export const STRINGS = { type: "array", items: { type: "string" } } as const;

/** A template in a result. */
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
    matched: STRINGS,
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

/** The templates that failed, in a result. */
export const ERRORS = {
  type: "array",
  items: {
    type: "object",
    properties: { template: { type: "string" }, error: { type: "string" }, code: { type: "string" } },
    required: ["template", "error", "code"],
  },
} as const;

/** The input property that names a template. */
export const RESOURCE_URI = {
  type: "string",
  description: "Such as template://makefile/rust/cli.",
} as const;
/** The input property with the parameters of a template. */
export const PARAMETERS = { type: "object", description: 'Such as {"project_name":"demo"}.' } as const;
