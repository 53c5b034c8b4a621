import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { type CommandContext, readNamed, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { say, sayJson, writeOut } from "@toolwright/kit/terminal";
import type { FolderLookup } from "../tasks/done-condition.js";
import { exportTasks, importTasks } from "../tasks/exchange.js";
import type { TodoContext } from "../todo-context.js";
import { type CommonInput, withTodo } from "./with-todo.js";

interface FileInput extends CommonInput {
  readonly file: string | undefined;
}

const PAGE = 1000;

/** `toolwright task export`. */
export const exportAll = (input: FileInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    const { file } = input;
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
      ctx.notice(`Wrote ${lines.length} tasks to ${file}`);
    } else if (text !== "") await say(text);
  });

/** The folder to which done-conditions are relative: that of the file, so that they move with a project. */
const folderOf =
  ({ isShared }: TodoContext, file = "-"): FolderLookup =>
  async () => {
    if (isShared) return undefined;
    if (file === "-") return currentFolder();
    const folder = path.resolve(path.dirname(file));
    // A missing folder is reported when the file is read or written.
    return existsSync(folder) ? realpathSync(folder) : folder;
  };

interface ImportInput extends FileInput {
  readonly onConflict: "newer" | "replace" | "keep";
  readonly dryRun: boolean;
}

/** `toolwright task import`. */
export const importAll = (input: ImportInput, ctx: CommandContext): Promise<void> =>
  withTodo(
    input,
    ctx,
    async ({ todo, actor }) => {
      const { file } = input;
      if (file === undefined && process.stdin.isTTY)
        throw new UsageError("Missing argument FILE; or pipe lines to stdin");
      const imported = await importTasks(todo, {
        text: await readNamed(file ?? "-", (await ctx.openPack()).host.files),
        on_conflict: input.onConflict,
        dry_run: input.dryRun,
        folder: folderOf(todo, file),
        actor,
      });
      if (input.json) return sayJson(imported);
      const { created, updated, unchanged, kept, dry_run: isDryRun } = imported;
      const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${kept} kept`;
      await say(isDryRun ? `${counts} (dry run, nothing was changed)` : counts);
    },
    { canCreate: true },
  );
