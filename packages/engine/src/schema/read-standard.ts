import type { JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { exampleOf } from "./example.js";
import { areNested, FaultList } from "./fault-list.js";
import { collectFaults } from "./faults.js";
import type { Check, Node } from "./node.js";
import { MAX_REFERENCES } from "./read-plain.js";
import { NO_REPAIRS, type Reading } from "./reading.js";
import { repair } from "./repair.js";
import { join } from "./show.js";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard.js";
import { compileKnownKeys, unknownKeyFaults } from "./unknown-keys.js";

type Verdict = StandardResult | Promise<StandardResult>;

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
    if (companion === undefined) return { ok: false, faults: translate(result.issues ?? []), example: undefined };
    companion.root.budget.left = MAX_REFERENCES;
    // What only the library refuses, the JSON Schema cannot repair.
    if (!repairs || checkOf(companion.root)(value)) return refuse(companion.root, value, result);
    const repaired = repair(companion.root, value);
    if (repaired.receipts.length === 0) return refuse(companion.root, value, result);
    return whenDone(standard.validate(repaired.value), (second) =>
      !second.issues && companion.knowsKeys(repaired.value)
        ? { ok: true, value: second.value, repairs: repaired.receipts }
        : refuse(companion.root, repaired.value, second),
    );
  }

  function refuse(root: Node, value: unknown, result: StandardResult): Reading | Promise<Reading> {
    root.budget.left = MAX_REFERENCES;
    const faults = faultsFor(root, value, result);
    const example = exampleOf(root, value);
    const answer = (shown: JsonObject | undefined): Reading => ({ ok: false, faults, example: shown });
    if (!example) return answer(undefined);
    return whenDone(standard.validate(example), (judged) => answer(judged.issues ? undefined : example));
  }

  return (value) => {
    const result = standard.validate(value);
    return result instanceof Promise ? result.then((later) => settle(value, later)) : settle(value, result);
  };
}

/** The words of our own where the JSON Schema finds the fault; those of the library for all else it finds, such as formats. */
function faultsFor(root: Node, value: unknown, result: StandardResult): readonly string[] {
  if (!result.issues) return unknownKeyFaults(root, value);
  return translate(result.issues, checkOf(root)(value) ? undefined : collectFaults(root, value));
}

/** Words the issues of a library, those about parts that have a fault already left out. */
function translate(issues: readonly StandardIssue[], known?: FaultList): readonly string[] {
  const list = known ?? new FaultList();
  const told = known?.copyPaths() ?? [];
  for (const { path = [], message } of issues) {
    if (list.isOver || (known && list.isFull)) break;
    const parts = path.map((part) => (typeof part === "object" ? part.key : part));
    const place = parts.reduce((text: string, part) => join(text, typeof part === "number" ? part : String(part)), "");
    if (!told.some((each) => areNested(each, place))) list.add(place, message);
  }
  return list.lines();
}

function whenDone(
  result: Verdict,
  go: (result: StandardResult) => Reading | Promise<Reading>,
): Reading | Promise<Reading> {
  return result instanceof Promise ? result.then(go) : go(result);
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
