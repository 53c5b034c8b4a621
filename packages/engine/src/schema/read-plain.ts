import { checkOf } from "./compile.js";
import { exampleOf } from "./example.js";
import { faultsOf } from "./faults.js";
import { compileFill } from "./fill.js";
import type { Node } from "./node.js";
import { NO_REPAIRS, type Reading } from "./reading.js";
import { repair } from "./repair.js";

/** How many references may be followed while one value is read; only choices nested in choices come near it. */
export const MAX_REFERENCES = 1_000_000;

/** Builds the reader of a plain JSON Schema; it compiles the schema when it first reads a value. */
export function createPlainReader(findRoot: () => Node, repairs: boolean): (value: unknown) => Reading {
  let read = (first: unknown): Reading => {
    const root = findRoot();
    const { budget } = root;
    const check = checkOf(root);
    const fill = compileFill(root);
    const accept = (value: unknown, receipts: readonly string[]): Reading => ({
      ok: true,
      value: fill ? fill(value) : value,
      repairs: receipts,
    });
    read = (value) => {
      budget.left = MAX_REFERENCES;
      const valid = check(value);
      if (budget.left < 0) return tooIntricate();
      if (valid) return accept(value, NO_REPAIRS);
      const repaired = repairs ? repair(root, value) : { value, receipts: NO_REPAIRS };
      if (repaired.receipts.length > 0 && check(repaired.value)) return accept(repaired.value, repaired.receipts);
      return refuse(root, repaired.value);
    };
    return read(first);
  };
  return (value) => read(value);
}

/** Refuses a value: what is wrong with it, and what would be right. */
function refuse(root: Node, value: unknown): Reading {
  root.budget.left = MAX_REFERENCES;
  return { ok: false, faults: faultsOf(root, value), example: exampleOf(root, value) };
}

function tooIntricate(): Reading {
  return { ok: false, faults: ["too intricate to be checked: nest fewer objects or arrays"], example: undefined };
}
