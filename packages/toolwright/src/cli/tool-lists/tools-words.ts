import { type Given, numberOf, type OptionKind, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import type { Origins } from "../../config/load.js";
import { readOrigins } from "../serve-config.js";
import { readWay, type Way } from "../target.js";

/** What `toolwright tools` was asked for. */
export interface ToolsWish {
  /** The server whose tools are wanted, or what the one that `serve` would be is told. */
  readonly server: Way | Origins;
  readonly asJson: boolean;
  readonly isQuiet: boolean;
  /** What the tools cost a model, and not what they are for. */
  readonly wantsTokens: boolean;
  readonly budget: number | undefined;
}

const OPTIONS = {
  "--json": {},
  "--quiet": {},
  "--tokens": {},
  "--budget": { value: "a number of tokens" },
} as const satisfies Record<string, OptionKind>;

type Name = keyof typeof OPTIONS;

/** Reads what follows `tools`. Throws `UsageError` that names the word at fault. */
export function readToolsWords(words: readonly string[], env: NodeJS.ProcessEnv): ToolsWish {
  const plain: string[] = [];
  const origins = readOrigins(words, { env, folder: currentFolder() }, plain, OPTIONS);
  const isOwn = plain.length === 0 && !words.some((word) => /^--(?:(?:sse|socket)(?:=.*)?)?$/.test(word));
  if (isOwn) return { server: origins, ...wishOf(origins.flags) };
  const { way, given, plain: left } = readWay<Name>(words, OPTIONS, env);
  const [extra] = left;
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  return { server: way, ...wishOf(given) };
}

function wishOf(given: Given<Name>): Omit<ToolsWish, "server"> {
  const budget = numberOf(given, "--budget", 1);
  return {
    asJson: given["--json"] !== undefined,
    isQuiet: given["--quiet"] !== undefined,
    wantsTokens: given["--tokens"] !== undefined || budget !== undefined,
    budget,
  };
}
