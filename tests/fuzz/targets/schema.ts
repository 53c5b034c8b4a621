import { createSchema, type Schema } from "../../../packages/engine/src/schema/schema.js";
import { broken, expectSame, type Target } from "./target.js";

/** Longer patterns can take a regular expression for ever, which is their author's fault. */
const PATTERN = /"(?:pattern|patternProperties)"/;

function open(source: Record<string, unknown>, repair: boolean): Schema | undefined {
  try {
    const schema = createSchema(source, { correct: repair, unknownProperties: "reject", root: "any" });
    // What is shown to clients is worked out late, too.
    JSON.stringify(schema.jsonSchema);
    return schema;
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("Cannot read the schema")) return undefined;
    throw error;
  }
}

/** A document is a schema or refused when it is defined; values are read or refused in words, and right ones are left alone. */
export const schema: Target = async (input) => {
  if (PATTERN.test(input)) return;
  let given: { schema?: unknown; value?: unknown };
  try {
    given = JSON.parse(input) as typeof given;
  } catch {
    return;
  }
  if (typeof given !== "object" || given === null || typeof given.schema !== "object" || given.schema === null) return;
  const [plain, mending] = [false, true].map((repair) => open(given.schema as Record<string, unknown>, repair));
  if (plain === undefined || mending === undefined) {
    if (plain !== mending) throw broken("defined in one way, and refused in the other");
    return;
  }
  const { value } = given;
  const before = JSON.stringify(value);
  const strict = await plain.validate(value);
  const mended = await mending.validate(value);
  expectSame("the value that was given", value, before === undefined ? undefined : JSON.parse(before));
  if (!mended.ok) {
    if (mended.issues.length === 0) throw broken("refused without a word");
    if (mended.example !== undefined && !(await mending.validate(mended.example)).ok)
      throw broken("an example that is wrong");
    return;
  }
  if (strict.ok) {
    if (mended.corrections.length > 0) throw broken("a right value was mended");
    expectSame("a right value", mended.value, strict.value);
  }
  const again = await mending.validate(mended.value);
  if (!again.ok || again.corrections.length > 0)
    throw broken(`what was mended is not right: ${JSON.stringify(mended)}`);
  expectSame("what was read, read again", again.value, mended.value);
};
