import { print, UsageError } from "@toolwright/kit/cli";
import { nearest } from "@toolwright/kit/text";
import type { Commands } from "../command.js";

const SHELLS: Readonly<Record<string, (all: Commands) => Promise<string>>> = {
  bash: async (all) => (await import("../completion/bash.js")).writeBash(all),
  zsh: async (all) => (await import("../completion/zsh.js")).writeZsh(all),
  fish: async (all) => (await import("../completion/fish.js")).writeFish(all),
};

/** Does what follows `completion`: prints what a shell needs to complete the command line. */
export async function runCompletion([shell, stray]: readonly string[], all: Commands): Promise<void> {
  if (shell === undefined) throw new UsageError(`completion needs one of ${Object.keys(SHELLS).join(", ")}`);
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  const meant = nearest(shell, Object.keys(SHELLS));
  if (write === undefined)
    throw new UsageError(`"completion ${shell}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`);
  if (stray !== undefined) throw new UsageError(`"${stray}" is unknown`);
  await print(await write(all));
}
