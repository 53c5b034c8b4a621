import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { choiceOf, readNamed, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { remark, say, sayJson, writeOut } from "@toolwright/kit/terminal";
import type { FolderLookup } from "../tasks/done-condition.js";
import { exportTasks, importTasks } from "../tasks/exchange.js";
import type { TodoContext } from "../todo-context.js";
import type { Deed } from "./bench.js";

const PAGE = 1000;

/** `toolwright task export`: writes all tasks as lines of JSON, to stdout or to a file. */
export const exportAll: Deed = async ({ todo, words: [file] }) => {
  const folder = folderOf(todo, file);
  const lines: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof exportTasks>> = await exportTasks(todo, { after, limit: PAGE, folder });
    lines.push(...page.lines);
    after = page.next_after;
  }
  const text = lines.map((line) => `${line}\n`).join("");
  if (file !== undefined && file !== "-") {
    writeOut(file, text, 1);
    remark(`Written: ${file} (${lines.length} tasks)`);
  } else if (text !== "") await say(text);
};

/** The folder from which done-conditions are told: that of the file, so that they go along with a project. */
const folderOf =
  ({ isShared }: TodoContext, file = "-"): FolderLookup =>
  async () => {
    if (isShared) return undefined;
    if (file === "-") return currentFolder();
    const folder = path.resolve(path.dirname(file));
    // One that is not there is told by whoever reads or writes the file.
    return existsSync(folder) ? realpathSync(folder) : folder;
  };

/** `toolwright task import`: takes in what an export has written, from stdin or from a file. */
export const importAll: Deed = async ({ todo, options, words: [file], actor }) => {
  if (file === undefined && process.stdin.isTTY)
    throw new UsageError("task import needs a file; or give it lines on stdin");
  const imported = await importTasks(todo, {
    text: await readNamed(file ?? "-"),
    on_conflict: choiceOf(options, "--on-conflict", ["newer", "replace", "keep"]),
    dry_run: options["--dry-run"] !== undefined,
    folder: folderOf(todo, file),
    actor,
  });
  if (options["--json"]) return sayJson(imported);
  const { created, updated, unchanged, kept, dry_run: isRehearsal } = imported;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${kept} kept as they are`;
  await say(isRehearsal ? `${counts}; this was a dry run, and nothing was changed` : counts);
};
