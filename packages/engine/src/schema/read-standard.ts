import { compileKnownKeys } from "./known-keys.js";
import { loadWrongValue } from "./load-wrong-value.js";
import type { Check, Node } from "./node.js";
import { NO_REPAIRS, type Reading } from "./reading.js";
import type { StandardResult, StandardSchema } from "./standard.js";

/** What a Standard Schema is read with besides the library: its JSON Schema, which finds unknown keys and words the faults. */
interface Companion {
  readonly root: Node;
  readonly knowsKeys: Check;
}

/** Builds the reader of a Standard Schema: the library judges a value once, and its output is what goes on. */
export function createStandardReader(
  source: StandardSchema,
  toRoot: () => Node,
  repairs: boolean,
): (value: unknown) => Reading | Promise<Reading> {
  const standard = source["~standard"];
  const companionOf = once(() => createCompanion(toRoot));

  function settle(value: unknown, result: StandardResult): Reading | Promise<Reading> {
    const companion = companionOf();
    if (!result.issues && (companion === undefined || companion.knowsKeys(value))) {
      return { ok: true, value: result.value, repairs: NO_REPAIRS };
    }
    return loadWrongValue().then(({ readWrongStandard }) =>
      readWrongStandard({ source, value, result, repairs, companion }),
    );
  }

  return (value) => {
    const result = standard.validate(value);
    return "then" in result ? Promise.resolve(result).then((later) => settle(value, later)) : settle(value, result);
  };
}

/** A schema that has no JSON form can still judge values; only showing it fails. */
function createCompanion(toRoot: () => Node): Companion | undefined {
  try {
    const root = toRoot();
    return { root, knowsKeys: compileKnownKeys(root) ?? (() => true) };
  } catch {
    return undefined;
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
