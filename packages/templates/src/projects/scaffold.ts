import { type JsonObject, ToolError } from "@toolwright/engine";
import { unifiedDiff } from "@toolwright/kit/files";
import { type Answers, type FileRecord, readAnswers } from "./answers.js";
import type { TemplateFailure } from "./choose-templates.js";
import type { ProjectFolder } from "./project-folder.js";
import type { RenderedFile } from "./render-files.js";
import type { FileChange } from "./write-project.js";

/** What to do if another file exists. */
export type OnConflict = "fail" | "skip" | "overwrite";

/** What a project is made of. */
export interface ScaffoldInput {
  readonly toolchain: string;
  readonly parameters: JsonObject;
  readonly now: Date;
  readonly files: readonly RenderedFile[];
  readonly onConflict: OnConflict;
}

/** What a scaffold does with each file, by paths inside the project. */
export interface ScaffoldPlan {
  readonly changes: readonly FileChange[];
  readonly skipped: readonly string[];
  readonly unchanged: readonly string[];
  /** What exists and can be neither kept nor replaced, such as a folder. */
  readonly errors: readonly TemplateFailure[];
  readonly answers: Answers;
}

/** Compares the rendered files with the folder. Throws a `ToolError` that names all conflicts if `onConflict` is `fail`. */
export async function planScaffold(project: ProjectFolder, input: ScaffoldInput): Promise<ScaffoldPlan> {
  const { toolchain, parameters, now, files, onConflict } = input;
  const known = await readAnswers(project);
  const changes: FileChange[] = [];
  const [skipped, unchanged, conflicts]: [string[], string[], string[]] = [[], [], []];
  const records = { ...known?.files };
  const errors: TemplateFailure[] = [];
  // Files of an earlier scaffold keep their time, and the new ones have their own.
  const madeAt = known?.madeAt ?? now;
  const recordOf = ({ record }: RenderedFile): FileRecord =>
    madeAt.getTime() === now.getTime() ? record : { ...record, made_at: now.toISOString() };
  for (const file of files) {
    const found = await readFor(project, file, onConflict);
    if (found.kind === "text" && found.text === file.content) {
      unchanged.push(file.path);
      if (!isRecorded(file, records[file.path])) records[file.path] = recordOf(file);
    } else if (found.kind === "missing" || (onConflict === "overwrite" && found.kind === "text"))
      changes.push(toChange(file, found.kind === "text" ? found.text : undefined, recordOf(file)));
    else if (onConflict === "skip") skipped.push(file.path);
    else if (onConflict === "fail") conflicts.push(file.path);
    else
      errors.push({ template: file.requested, ...(found.kind === "error" ? found.failure : notText(project, file)) });
  }
  if (conflicts.length > 0) throw conflictError(conflicts.map((path) => project.display(path)));
  const answers = {
    toolchain,
    madeAt,
    parameters: { ...known?.parameters, ...parameters },
    files: records,
    pending: known?.pending ?? {},
  };
  return { changes, skipped, unchanged, errors, answers };
}

/** Unless any conflict is fatal, a path that cannot be read is the failure of one file. */
async function readFor(project: ProjectFolder, file: RenderedFile, onConflict: OnConflict) {
  try {
    return await project.read(file.path);
  } catch (error) {
    if (onConflict === "fail" || !(error instanceof ToolError) || project.access.signal?.aborted) throw error;
    return { kind: "error", failure: { error: error.message, code: error.code ?? "UNAVAILABLE" } } as const;
  }
}

const notText = (project: ProjectFolder, { path }: RenderedFile) => ({
  error: `${project.display(path)} exists and is not text, or too large: it is not replaced. Move it away, or skip it.`,
  code: "ALREADY_EXISTS",
});

/** Returns changes as a unified diff with the paths that callers see. */
export async function diffOf(project: ProjectFolder, changes: readonly FileChange[]): Promise<string> {
  const diffs = await Promise.all(
    changes.map(({ path, before, text }) => unifiedDiff(project.display(path), before, text)),
  );
  return diffs.join("");
}

const isRecorded = ({ record }: RenderedFile, before: FileRecord | undefined): boolean =>
  before?.template === record.template && before.checksum === record.checksum;

/** The change that writes a rendered file. */
export const toChange = (
  { path, content, mode }: RenderedFile,
  before: string | undefined,
  record: FileRecord,
): FileChange => ({ path, text: content, before, ...(mode !== undefined && { mode }), record });

/** Other files exist; nothing was written. */
export const conflictError = (paths: readonly string[]): ToolError =>
  new ToolError(
    `Nothing was written: ${paths.join(", ")} already ${paths.length === 1 ? "exists" : "exist"} with other content.`,
    {
      code: "ALREADY_EXISTS",
      hint: {
        action: "set on_conflict to skip (keep them) or overwrite (replace text files), or see a diff with dry_run",
      },
      details: { paths: [...paths], allowed: ["skip", "overwrite"] },
    },
  );
