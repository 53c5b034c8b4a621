import { Failure, UsageError } from "@toolwright/kit/cli";
import { visibleLine } from "@toolwright/kit/terminal";
import { deleteTask } from "../tasks/edit-tasks.js";
import { getTask, taskTree } from "../tasks/get-task.js";
import type { Bench, Deed } from "./bench.js";
import { onEach } from "./on-each.js";

/** `toolwright task rm`: deletes tasks, after a question where somebody can be asked. */
export const remove: Deed = async (bench) => {
  const { todo, options, actor } = bench;
  const cascade = options["--cascade"] !== undefined;
  if (options["--yes"] === undefined) await agree(bench, cascade);
  await onEach(
    bench,
    (id) => deleteTask(todo, { id, cascade, actor, reason: options["--reason"]?.[0] }),
    async (results) =>
      results
        .flatMap(({ deleted }) => deleted)
        .map((id) => `deleted ${id}`)
        .join("\n"),
  );
};

/** Throws where nobody says yes. */
async function agree({ todo, words, screen: { paint } }: Bench, cascade: boolean): Promise<void> {
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new UsageError("task rm needs --yes where nobody can be asked");
  for (const id of words) {
    const task = await getTask(todo, { id });
    const below = cascade ? (await taskTree(todo, { id: task.id, limit: 100_000 })).total - 1 : 0;
    const more = below === 0 ? "" : `, and ${below} below it`;
    process.stderr.write(`${paint.bold(task.id)}  ${visibleLine(task.description)}${more}\n`);
  }
  const { openLineReader } = await import("@toolwright/kit/terminal/line-reader.js");
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const lines = openLineReader(stop.signal);
  try {
    const answer = await lines.ask(`Delete ${words.length === 1 ? "it" : `these ${words.length}`}? (yes or no) `);
    if (stop.signal.aborted) throw new Failure("Interrupted; nothing was deleted", 130);
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) throw new Failure("Nothing was deleted", 1);
  } finally {
    lines.close();
    process.removeListener("SIGINT", interrupt);
  }
}
