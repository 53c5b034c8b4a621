import type { CommandContext } from "@toolwright/kit/cli";
import { say } from "@toolwright/kit/terminal";
import { allNames } from "./names.js";
import { withBase } from "./with-base.js";

/** Offers names of collections that begin with what was typed so far to a shell, a line each. */
export async function completeNames([typed = "", database]: readonly string[], context: CommandContext): Promise<void> {
  const options = database === undefined ? {} : { "--database": [database] };
  await withBase(
    options,
    [],
    async ({ base }) => {
      const names = (await allNames(base)).filter((name) => name.startsWith(typed));
      if (names.length > 0) await say(names.join("\n"));
    },
    context,
  );
}
