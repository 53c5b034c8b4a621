import type { JsonObject } from "@toolwright/engine";
import type { TemplateParameter } from "./template.js";

/** How long a text may be where its parameter does not say; a pattern is only tried on short ones. */
const MOST_TEXT = 10_000;
const MOST_MATCHED = 1000;
/** How many items a list may have where its parameter does not say. */
const MOST_ITEMS = 200;

/** The bounds of a text, filled in. */
export const textBounds = ({ minLength = 0, maxLength, pattern }: TemplateParameter) => ({
  least: minLength,
  most: maxLength ?? (pattern === undefined ? MOST_TEXT : MOST_MATCHED),
});

/** The bounds of a list, filled in. */
export const listBounds = ({ minItems = 0, maxItems = MOST_ITEMS }: TemplateParameter) => ({
  least: minItems,
  most: maxItems,
});

/** The JSON Schema of the parameters of a template. */
export function schemaOf(parameters: readonly TemplateParameter[]): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOfOne(parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function schemaOfOne(parameter: TemplateParameter): JsonObject {
  const { description, default: usual } = parameter;
  return { ...kindOf(parameter), description, ...(usual !== undefined && { default: usual as never }) };
}

function kindOf(parameter: TemplateParameter): JsonObject {
  const { type, minimum, maximum, minItems } = parameter;
  switch (type) {
    case "boolean":
      return { type };
    case "integer":
      return { type, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
    case "enum":
      return { type: "string", enum: [...(parameter.enum ?? [])] };
    case "array": {
      const items = parameter.enum ? { type: "string", enum: [...parameter.enum] } : textKind(parameter);
      return { type, items, ...(minItems !== undefined && { minItems }), maxItems: listBounds(parameter).most };
    }
    default:
      return textKind(parameter);
  }
}

function textKind(parameter: TemplateParameter): JsonObject {
  const { pattern } = parameter;
  const { least, most } = textBounds(parameter);
  return {
    type: "string",
    ...(least > 0 && { minLength: least }),
    maxLength: most,
    ...(pattern !== undefined && { pattern }),
  };
}
