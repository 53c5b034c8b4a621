import type { JsonObject } from "@toolwright/engine";
import type { TemplateParameter } from "./template.js";

/** The maximum length of a text whose parameter has no `maxLength`, and of one that is matched against a pattern. */
const MAX_TEXT = 10_000;
const MAX_MATCHED_TEXT = 1000;
/** The maximum length of an array whose parameter has no `maxItems`. */
const MAX_ITEMS = 200;

/** The bounds of the length of a text. */
export const textBounds = ({ minLength = 0, maxLength, pattern }: TemplateParameter) => ({
  min: minLength,
  max: maxLength ?? (pattern === undefined ? MAX_TEXT : MAX_MATCHED_TEXT),
});

/** The bounds of the length of an array. */
export const arrayBounds = ({ minItems = 0, maxItems = MAX_ITEMS }: TemplateParameter) => ({
  min: minItems,
  max: maxItems,
});

/** Returns the JSON Schema of the parameters of a template. */
export function schemaOf(parameters: readonly TemplateParameter[]): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterSchema(parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function parameterSchema(parameter: TemplateParameter): JsonObject {
  const { description, default: fallback } = parameter;
  return { ...typeSchema(parameter), description, ...(fallback !== undefined && { default: fallback as never }) };
}

function typeSchema(parameter: TemplateParameter): JsonObject {
  const { type, minimum, maximum, minItems } = parameter;
  switch (type) {
    case "boolean":
      return { type };
    case "integer":
      return { type, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
    case "enum":
      return { type: "string", enum: [...(parameter.enum ?? [])] };
    case "array": {
      const items = parameter.enum ? { type: "string", enum: [...parameter.enum] } : textSchema(parameter);
      return { type, items, ...(minItems !== undefined && { minItems }), maxItems: arrayBounds(parameter).max };
    }
    default:
      return textSchema(parameter);
  }
}

function textSchema(parameter: TemplateParameter): JsonObject {
  const { pattern } = parameter;
  const { min, max } = textBounds(parameter);
  return {
    type: "string",
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    ...(pattern !== undefined && { pattern }),
  };
}
