import {
  createSchema,
  isStandardSchema,
  type Schema,
  type SchemaOptions,
  type SchemaSource,
} from "../../schema/schema.js";
import type { StandardSchema } from "../../schema/standard-schema.js";
import { getBuiltinModule } from "../runtime.js";

/** What a schema is compiled for, as part of an error message. */
interface SchemaUse {
  /** Such as `register tool "add"`. */
  readonly action: string;
  /** Such as `the input schema`. */
  readonly label: string;
  /** Converts a Standard Schema to JSON Schema only when it is needed. */
  readonly isConvertedLazily?: boolean;
}

/** Compiles the schema of a definition. Throws `TypeError` that names the definition and the problem. */
export function compileSchema(source: SchemaSource, options: SchemaOptions, use: SchemaUse): Schema {
  const { action, label, isConvertedLazily = false } = use;
  const mistake = commonMistake(source, options);
  if (mistake !== undefined) throw new TypeError(`Cannot ${action}: ${label} ${mistake}`);
  try {
    const schema = createSchema(source, options);
    // Converts a Standard Schema now, so that one without a JSON Schema fails at start and not at the first list.
    if (isStandardSchema(source) && !isConvertedLazily) void schema.jsonSchema;
    return schema;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const reason = error.message.replace(/^Cannot read the schema/, `cannot read ${label}`);
    // The same message, with the name of the definition: a cause would only repeat it.
    // oxlint-disable-next-line preserve-caught-error
    throw new TypeError(`Cannot ${action}: ${reason}`);
  }
}

/** Recognizes schemas of old zod versions, and the raw shapes that other engines accept. */
function commonMistake(source: SchemaSource, { jsonSchema }: SchemaOptions): string | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  const isOldZod = isStandardSchema(source)
    ? jsonSchema === undefined && cannotConvert(source)
    : isOldZodSchema(source);
  if (isOldZod) return `needs zod 4.2 or newer, found ${findZodVersion() ?? 'an older copy or "zod/v3"'}`;
  if (isStandardSchema(source)) return undefined;
  const isShape = Object.values(source).some((value) => isStandardSchema(value) || isOldZodSchema(value));
  return isShape ? "is a plain object of schemas; wrap it: z.object({ … })" : undefined;
}

const isOldZodSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_def" in value && "safeParse" in value && !isStandardSchema(value);

/** Zod from 3.24 to 4.1 implements Standard Schema, but not its conversion to JSON Schema. */
const cannotConvert = ({ "~standard": { vendor, jsonSchema } }: StandardSchema): boolean =>
  vendor === "zod" && jsonSchema === undefined;

/** The version of the zod that the program would import. */
function findZodVersion(): string | undefined {
  try {
    const { createRequire } = getBuiltinModule("node:module");
    const { version } = createRequire(`${process.cwd()}/`)("zod/package.json") as { version?: unknown };
    // Another copy of zod may be installed beside the one that made the schema.
    return typeof version === "string" && /^[0-3]\.|^4\.[01]\./.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
