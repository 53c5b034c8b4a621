import { createSchema, type Schema } from "../../../packages/engine/src/schema/schema.js";
import { expectSame, type Target, violation } from "./target.js";

/** Longer patterns can make a regular expression run forever, which is the author's mistake. */
const PATTERN = /"(?:pattern|patternProperties)"/;

function open(source: Record<string, unknown>, repair: boolean): Schema | undefined {
  try {
    const schema = createSchema(source, { correct: repair, unknownProperties: "reject", root: "any" });
    // What clients see is computed lazily, too.
    JSON.stringify(schema.jsonSchema);
    return schema;
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("Cannot read the schema")) return undefined;
    throw error;
  }
}

/**
 * A document is compiled or rejected when it is defined; values are accepted or rejected with a message, and valid ones
 * stay unchanged.
 */
export const schema: Target = async (input) => {
  if (PATTERN.test(input)) return;
  let given: { schema?: unknown; value?: unknown };
  try {
    given = JSON.parse(input) as typeof given;
  } catch {
    return;
  }
  if (typeof given !== "object" || given === null || typeof given.schema !== "object" || given.schema === null) return;
  const [plain, corrections] = [false, true].map((repair) => open(given.schema as Record<string, unknown>, repair));
  if (plain === undefined || corrections === undefined) {
    if (plain !== corrections) throw violation("defined in one way, and refused in the other");
    return;
  }
  const { value } = given;
  const before = JSON.stringify(value);
  const strict = await plain.validate(value);
  const corrected = await corrections.validate(value);
  expectSame("the value that was given", value, before === undefined ? undefined : JSON.parse(before));
  if (!corrected.ok) {
    if (corrected.issues.length === 0) throw violation("refused without a word");
    if (corrected.example !== undefined && !(await corrections.validate(corrected.example)).ok)
      throw violation("an example that is wrong");
    return;
  }
  if (strict.ok) {
    if (corrected.corrections.length > 0) throw violation("a right value was mended");
    expectSame("a right value", corrected.value, strict.value);
  }
  const again = await corrections.validate(corrected.value);
  if (!again.ok || again.corrections.length > 0)
    throw violation(`what was mended is not right: ${JSON.stringify(corrected)}`);
  expectSame("what was read, read again", again.value, corrected.value);
};
