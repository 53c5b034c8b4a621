import { ToolError } from "@toolwright/engine";
import { changedMeanwhile, temporaryName } from "@toolwright/kit/files";
import { checksumOf } from "../rendering/renderer.js";
import { type Answers, type FileRecord, type PendingFile, removeTemporaryFiles, writeAnswers } from "./answers.js";
import type { TemplateFailure } from "./choose-templates.js";
import type { ProjectFolder } from "./project-folder.js";

/** A file to write. */
export interface FileChange {
  /** The path inside the project. */
  readonly path: string;
  readonly text: string;
  /** The current content; undefined = no file. The file is written only if this is still so. */
  readonly before: string | undefined;
  readonly mode?: number;
  /** What the template rendered, for the next update. */
  readonly record: FileRecord;
}

/** The result of a write. */
export interface Written {
  readonly written: readonly string[];
  readonly errors: readonly TemplateFailure[];
}

/**
 * Writes files one after another, each atomically. The answers file lists what is pending first: after a kill it is known what was
 * written, and the same call writes the rest.
 */
export async function writeProject(
  project: ProjectFolder,
  answers: Answers,
  changes: readonly FileChange[],
): Promise<Written> {
  const pending = Object.fromEntries(changes.map((change) => [change.path, toPending(change)]));
  await removeTemporaryFiles(project, answers);
  await writeAnswers(project, { ...answers, pending });
  const files = { ...answers.files };
  const written: string[] = [];
  const errors: TemplateFailure[] = [];
  for (const change of changes) {
    if (project.access.signal?.aborted) break;
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
        throw changedMeanwhile(project.display(path));
    },
  });
}

const toPending = ({ text, record }: FileChange): PendingFile => ({
  temporary: temporaryName(),
  checksum: checksumOf(text),
  record,
});
