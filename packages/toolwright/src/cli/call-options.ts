import { type Reach, readReach } from "./target.js";
import { UsageError } from "./usage-error.js";
import type { OptionKind } from "./words.js";

/** How `toolwright call` calls. */
export interface CallOptions {
  readonly reach: Reach;
  readonly tool: string;
  /** What was given as `name=value`. */
  readonly pairs: readonly (readonly [name: string, text: string])[];
  /** Arguments in JSON; `-` = they come on stdin. */
  readonly json: string | undefined;
  readonly jsonOutput: boolean;
}

const OPTIONS = {
  "--json": { value: "arguments in JSON, or - for stdin" },
  "--json-output": {},
} as const satisfies Record<string, OptionKind>;

/** Reads what follows `call`. Throws `UsageError` that names the word at fault. */
export function readCallOptions(words: readonly string[], env: NodeJS.ProcessEnv): CallOptions {
  const { reach, given, plain } = readReach<keyof typeof OPTIONS>(words, OPTIONS, env);
  const [tool, ...rest] = plain;
  if (tool === undefined) throw new UsageError("call needs the name of a tool");
  const pairs = rest.map((word): [string, string] => {
    const at = word.indexOf("=");
    if (at < 1) throw new UsageError(`"${word}" is no argument; write name=value`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) !== at);
  if (twice) throw new UsageError(`${twice[0]} is given twice; write a list in JSON: ${twice[0]}='["a","b"]'`);
  return { reach, tool, pairs, json: given["--json"]?.[0], jsonOutput: given["--json-output"] !== undefined };
}
