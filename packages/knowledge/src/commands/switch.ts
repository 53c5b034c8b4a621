import { remark, say, sayJson } from "@toolwright/kit/terminal";
import { pin, promote, rollBack, type Switch } from "../collections/promote.js";
import type { Bench, Deed } from "./bench.js";
import { versionOf } from "./names.js";
import { forPeople } from "./words.js";

/** `toolwright kb promote`: lets a version answer. */
export const promoteOne: Deed = async (bench) => {
  const [name = "", word] = bench.words;
  await tell(
    bench,
    await promote(bench.base, name, versionOf(word), { force: bench.options["--force"] !== undefined }),
  );
};

/** `toolwright kb rollback`: lets an earlier version answer again. */
export const rollBackOne: Deed = async (bench) => {
  const [name = "", word] = bench.words;
  await tell(bench, await rollBack(bench.base, name, versionOf(word)));
};

/** `toolwright kb pin`: lets one version answer, whatever is promoted. */
export const pinOne: Deed = async ({ base, options, words: [name = "", word], screen: { paint } }) => {
  const done = await pin(base, name, versionOf(word));
  if (options["--json"]) return sayJson(done);
  if (options["--quiet"]) return;
  await say(`${paint.green("✓")} Version ${done.pinned} of ${paint.bold(name)} answers until it is unpinned`);
};

/** `toolwright kb unpin`: lets the active version answer again. */
export const unpinOne: Deed = async ({ base, options, words: [name = ""], screen: { paint } }) => {
  const done = await pin(base, name, null);
  if (options["--json"]) return sayJson(done);
  if (options["--quiet"]) return;
  const answers = done.answers === null ? "nothing answers" : `version ${done.answers} answers`;
  await say(`${paint.green("✓")} No version of ${paint.bold(name)} is pinned; ${answers}`);
};

async function tell({ options, screen: { paint } }: Bench, done: Switch): Promise<void> {
  if (options["--json"]) return sayJson(done);
  for (const warning of done.warnings) remark(`! ${forPeople(warning)}`);
  if (options["--quiet"]) return;
  const before = done.from === null || done.from === done.to ? "" : `, as ${done.from} was before`;
  await say(`${paint.green("✓")} Version ${done.to} of ${paint.bold(done.collection)} is active${before}`);
}
