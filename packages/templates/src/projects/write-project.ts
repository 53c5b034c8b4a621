import { ToolError } from "@toolwright/engine";
import { changedMeanwhile, temporaryName } from "@toolwright/kit/files";
import { checksumOf } from "../rendering/renderer.js";
import { type Answers, type FileRecord, type Pending, sweep, writeAnswers } from "./answers.js";
import type { MakeError } from "./choose-templates.js";
import type { ProjectFolder } from "./project-folder.js";

/** A file that is to be written. */
export interface FileChange {
  /** The path inside the project. */
  readonly path: string;
  readonly text: string;
  /** What lies there; undefined = nothing. It must still be so when the file is written. */
  readonly before: string | undefined;
  readonly mode?: number;
  /** What the template made, for the next update. */
  readonly record: FileRecord;
}

/** What became of a writing. */
export interface Written {
  readonly written: readonly string[];
  readonly errors: readonly MakeError[];
}

/**
 * Writes files one after the other, each as a whole. What is to be done is written down first: whoever comes after a kill knows
 * what was done, and by doing the same again does the rest.
 */
export async function writeProject(
  project: ProjectFolder,
  answers: Answers,
  changes: readonly FileChange[],
): Promise<Written> {
  const pending = Object.fromEntries(changes.map((change) => [change.path, toPending(change)]));
  await sweep(project, answers);
  await writeAnswers(project, { ...answers, pending });
  const files = { ...answers.files };
  const written: string[] = [];
  const errors: MakeError[] = [];
  for (const change of changes) {
    if (project.reach.signal?.aborted) break;
    try {
      await writeOne(project, change, pending[change.path]?.temporary);
      files[change.path] = change.record;
      written.push(change.path);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      errors.push({ template: change.record.template, error: error.message, code: error.code ?? "UNAVAILABLE" });
    }
  }
  await writeAnswers(project, { ...answers, files, pending: {} });
  return { written, errors };
}

async function writeOne(project: ProjectFolder, change: FileChange, temporary: string | undefined): Promise<void> {
  const { path, text, before, mode } = change;
  await project.write(path, text, {
    ...(temporary !== undefined && { temporary }),
    ...(mode !== undefined && before === undefined && { mode }),
    ...(before === undefined && { expect: "absent" as const }),
    check: async () => {
      const found = await project.read(path);
      if ((found.kind === "text" ? found.text : undefined) !== before || found.kind === "other")
        throw changedMeanwhile(project.show(path));
    },
  });
}

const toPending = ({ text, record }: FileChange): Pending => ({
  temporary: temporaryName(),
  checksum: checksumOf(text),
  record,
});
