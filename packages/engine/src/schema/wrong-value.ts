import type { JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { exampleOf } from "./example.js";
import { areNested, FaultList } from "./fault-list.js";
import { collectFaults, faultsOf } from "./faults.js";
import type { Check, Node } from "./node.js";
import { MAX_REFERENCES, NO_REPAIRS, type Reading } from "./reading.js";
import { repair } from "./repair.js";
import { join } from "./show.js";
import { type StandardIssue, type StandardResult, type StandardSchema, whenJudged } from "./standard.js";
import { unknownKeyFaults } from "./unknown-keys.js";

/** A plain JSON Schema with a value that it refused. */
export interface WrongPlain {
  readonly root: Node;
  readonly value: unknown;
  readonly repairs: boolean;
  readonly accept: (value: unknown, receipts: readonly string[]) => Reading;
}

/** Repairs a value that a plain JSON Schema refused; where that is not enough, says what is wrong and what would be right. */
export function readWrongPlain({ root, value, repairs, accept }: WrongPlain): Reading {
  // Other values may have been read since this one was refused.
  root.budget.left = MAX_REFERENCES;
  const repaired = repair(root, value);
  if (repairs && repaired.receipts.length > 0 && checkOf(root)(repaired.value))
    return accept(repaired.value, repaired.receipts);
  root.budget.left = MAX_REFERENCES;
  const faults = faultsOf(root, repairs ? repaired.value : value);
  const example = exampleOf(root, repaired.value);
  return { ok: false, faults, example, isCertain: example === repaired.value };
}

/** A Standard Schema with a value that it, or the search for unknown keys, refused. */
export interface WrongStandard {
  readonly source: StandardSchema;
  readonly value: unknown;
  readonly result: StandardResult;
  readonly repairs: boolean;
  /** Its JSON Schema, which finds unknown keys and words the faults; some have none. */
  readonly companion: { readonly root: Node; readonly knowsKeys: Check } | undefined;
}

/** Repairs a value that a Standard Schema refused; where that is not enough, says what is wrong and what would be right. */
export function readWrongStandard(wrong: WrongStandard): Reading | Promise<Reading> {
  const { source, value, result, repairs, companion } = wrong;
  if (companion === undefined) return { ok: false, faults: translate(result.issues ?? []), example: undefined };
  const { root, knowsKeys } = companion;
  root.budget.left = MAX_REFERENCES;
  // What only the library refuses, the JSON Schema cannot repair.
  const repaired = checkOf(root)(value) ? { value, receipts: NO_REPAIRS } : repair(root, value);
  if (!repairs || repaired.receipts.length === 0) return refuse(source, root, value, result, repaired.value);
  return whenJudged(source["~standard"].validate(repaired.value), (second) =>
    !second.issues && knowsKeys(repaired.value)
      ? { ok: true, value: second.value, repairs: repaired.receipts }
      : refuse(source, root, repaired.value, second, repaired.value),
  );
}

function refuse(
  source: StandardSchema,
  root: Node,
  value: unknown,
  result: StandardResult,
  repaired: unknown,
): Reading | Promise<Reading> {
  root.budget.left = MAX_REFERENCES;
  const faults = faultsFor(root, value, result);
  const example = exampleOf(root, repaired);
  const isCertain = example === repaired;
  const answer = (shown: JsonObject | undefined): Reading => ({ ok: false, faults, example: shown, isCertain });
  if (!example) return answer(undefined);
  return whenJudged(source["~standard"].validate(example), (judged) => answer(judged.issues ? undefined : example));
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
