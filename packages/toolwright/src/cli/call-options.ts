import { type OptionKind, UsageError } from "@toolwright/kit/cli";
import type { Pairs } from "./arguments.js";
import { readWay, type Way } from "./target.js";
import { helpInFull } from "./use/help-words.js";

/** How `toolwright call` calls. */
export interface CallOptions {
  readonly way: Way;
  /** Undefined = which tools are there is the question. */
  readonly tool: string | undefined;
  readonly pairs: Pairs;
  /** Arguments in JSON; `-` = they come on stdin. */
  readonly json: string | undefined;
  readonly jsonOutput: boolean;
  readonly isQuiet: boolean;
  /** What the tool takes is the question. */
  readonly wantsHelp: boolean;
}

const OPTIONS = {
  "--json": { value: "arguments in JSON, or - for stdin" },
  "--json-output": {},
  "--quiet": {},
  "--help": {},
} as const satisfies Record<string, OptionKind>;

/** Reads what follows `call`. Throws `UsageError` that names the word at fault. */
export function readCallOptions(words: readonly string[], env: NodeJS.ProcessEnv): CallOptions {
  const { way, given, plain } = readWay<keyof typeof OPTIONS>(helpInFull(words), OPTIONS, env);
  const [tool, ...rest] = plain;
  return {
    way,
    tool,
    pairs: readPairs(rest),
    json: given["--json"]?.[0],
    jsonOutput: given["--json-output"] !== undefined,
    isQuiet: given["--quiet"] !== undefined,
    wantsHelp: given["--help"] !== undefined,
  };
}

/** Reads `name=value` words. Throws `UsageError`. */
export function readPairs(words: readonly string[]): Pairs {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf("=");
    if (at < 1) throw new UsageError(`"${word}" is no argument; write name=value`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) !== at);
  if (twice) throw new UsageError(`${twice[0]} is given twice; write a list in JSON: ${twice[0]}='["a","b"]'`);
  return pairs;
}
