import { ToolError } from "@toolwright/engine";

/** How long a pattern may take for one piece of text; it takes a few milliseconds if it is not made to hang. */
const MOST_MS = 1000;

/** Does work that a pattern from outside could make endless; it is ended after a while. Nothing else runs meanwhile. */
export type Guard = <Value>(work: () => Value) => Value;

/** Makes a guard for a pattern. Throws a `ToolError` from the work that takes too long. */
export async function createGuard(pattern: string): Promise<Guard> {
  const { createContext, Script } = await import("node:vm");
  const script = new Script("work()");
  let turn: () => void = () => undefined;
  const context = createContext({ work: () => turn() });
  return <Value>(work: () => Value): Value => {
    let value: { readonly made: Value } | undefined;
    turn = () => {
      value = { made: work() };
    };
    try {
      script.runInContext(context, { timeout: MOST_MS });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? tooSlow(pattern) : error;
    }
    if (value === undefined) throw tooSlow(pattern);
    return value.made;
  };
}

const tooSlow = (pattern: string): ToolError =>
  new ToolError(
    `Cannot search for ${JSON.stringify(pattern.slice(0, 200))}: it tries too many ways to match. Repeat less inside of what repeats, as in (a+)+.`,
    { code: "INVALID_ARGUMENT", details: { pattern: pattern.slice(0, 200) } },
  );
