import { checkOf } from "./compile.js";
import { compileFill } from "./fill.js";
import { loadWrongValue } from "./load-wrong-value.js";
import type { Node } from "./node.js";
import { MAX_REFERENCES, NO_REPAIRS, type Reading } from "./reading.js";

/** Builds the reader of a plain JSON Schema; it compiles the schema when it first reads a value. */
export function createPlainReader(
  findRoot: () => Node,
  repairs: boolean,
): (value: unknown) => Reading | Promise<Reading> {
  let read = (first: unknown): Reading | Promise<Reading> => {
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
      return loadWrongValue().then(({ readWrongPlain }) => readWrongPlain({ root, value, repairs, accept }));
    };
    return read(first);
  };
  return (value) => read(value);
}

function tooIntricate(): Reading {
  return { ok: false, faults: ["too intricate to be checked: nest fewer objects or arrays"], example: undefined };
}
