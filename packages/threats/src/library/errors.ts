import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";

/** No pattern has this id. */
export function patternNotFound(id: string, known: Iterable<string>): ToolError {
  const meant = nearest(id.trim(), known);
  return new ToolError(`There is no pattern ${id}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`, {
    code: "NOT_FOUND",
    hint: { action: "list all patterns", tool: "tmkb_list" },
    details: { got: id, ...(meant !== undefined && { suggestion: meant }) },
  });
}
