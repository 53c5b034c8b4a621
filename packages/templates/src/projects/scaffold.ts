import { type JsonObject, ToolError } from "@toolwright/engine";
import { unifiedDiff } from "@toolwright/kit/files";
import { nameFault } from "../format/project-path.js";
import { UNNAMED } from "../rendering/renderer.js";
import { type Answers, type FileRecord, readAnswers } from "./answers.js";
import type { MakeError } from "./choose-templates.js";
import type { MadeFile } from "./make-files.js";
import type { ProjectFolder } from "./project-folder.js";
import { type FileChange, type Written, writeProject } from "./write-project.js";

/** What to do where another file is in the way. */
export type OnConflict = "fail" | "skip" | "overwrite";

/** What a project is made of. */
export interface Making {
  readonly toolchain: string;
  readonly parameters: JsonObject;
  readonly now: Date;
  readonly files: readonly MadeFile[];
  readonly onConflict: OnConflict;
}

/** What would be, or was, done with each file, by their paths inside the project. */
export interface Plan {
  readonly changes: readonly FileChange[];
  readonly skipped: readonly string[];
  readonly unchanged: readonly string[];
  /** What is in the way and can be neither kept nor replaced, such as a folder. */
  readonly errors: readonly MakeError[];
  readonly answers: Answers;
}

/** The folder of a project where none was named: that of its name. */
export function folderOf(parameters: JsonObject): string {
  const { project_name: name } = parameters;
  return typeof name === "string" && nameFault(name) === undefined ? name : UNNAMED;
}

/** Looks at what is there. Throws a `ToolError` that names every file in the way where `onConflict` is `fail`. */
export async function planScaffold(project: ProjectFolder, making: Making): Promise<Plan> {
  const { toolchain, parameters, now, files, onConflict } = making;
  const known = await readAnswers(project);
  const changes: FileChange[] = [];
  const [skipped, unchanged, inTheWay]: [string[], string[], string[]] = [[], [], []];
  const records = { ...known?.files };
  const errors: MakeError[] = [];
  // Files of an earlier time keep their moment, and these have their own.
  const madeAt = known?.madeAt ?? now;
  const recordOf = ({ record }: MadeFile): FileRecord =>
    madeAt.getTime() === now.getTime() ? record : { ...record, made_at: now.toISOString() };
  for (const file of files) {
    const found = await read(project, file, onConflict);
    if (found.kind === "text" && found.text === file.content) {
      unchanged.push(file.path);
      if (!isKnown(file, records[file.path])) records[file.path] = recordOf(file);
    } else if (found.kind === "nothing" || (onConflict === "overwrite" && found.kind === "text"))
      changes.push(toChange(file, found.kind === "text" ? found.text : undefined, recordOf(file)));
    else if (onConflict === "skip") skipped.push(file.path);
    else if (onConflict === "fail") inTheWay.push(file.path);
    else errors.push({ template: file.asked, ...(found.kind === "fault" ? found.fault : notText(project, file)) });
  }
  if (inTheWay.length > 0) throw inTheWayOf(inTheWay.map((path) => project.show(path)));
  const answers = {
    toolchain,
    madeAt,
    parameters: { ...known?.parameters, ...parameters },
    files: records,
    pending: known?.pending ?? {},
  };
  return { changes, skipped, unchanged, errors, answers };
}

/** Where the others are to be made whatever is in the way, what cannot be looked at is the fault of one file. */
async function read(project: ProjectFolder, file: MadeFile, onConflict: OnConflict) {
  try {
    return await project.read(file.path);
  } catch (error) {
    if (onConflict === "fail" || !(error instanceof ToolError) || project.reach.signal?.aborted) throw error;
    return { kind: "fault", fault: { error: error.message, code: error.code ?? "UNAVAILABLE" } } as const;
  }
}

const notText = (project: ProjectFolder, { path }: MadeFile) => ({
  error: `${project.show(path)} is in the way and is no text, or too large: it is not replaced. Move it away, or use on_conflict skip.`,
  code: "ALREADY_EXISTS",
});

/** What a plan would change, as a unified diff with the paths as callers see them. */
export async function diffOf(project: ProjectFolder, changes: readonly FileChange[]): Promise<string> {
  const diffs = await Promise.all(
    changes.map(({ path, before, text }) => unifiedDiff(project.show(path), before, text)),
  );
  return diffs.join("");
}

/** Does what was planned. */
export const carryOut = (project: ProjectFolder, { answers, changes }: Plan): Promise<Written> =>
  writeProject(project, answers, changes);

const isKnown = ({ record }: MadeFile, before: FileRecord | undefined): boolean =>
  before?.template === record.template && before.checksum === record.checksum;

function toChange(file: MadeFile, before: string | undefined, record: FileChange["record"]): FileChange {
  return {
    path: file.path,
    text: file.content,
    before,
    ...(file.mode !== undefined && { mode: file.mode }),
    record,
  };
}

/** Other files are in the way; nothing was written. */
export const inTheWayOf = (paths: readonly string[]): ToolError =>
  new ToolError(
    `Nothing was written: ${paths.join(", ")} already ${paths.length === 1 ? "exists" : "exist"} with another content. Use on_conflict skip to keep, or overwrite to replace (text files only); dry_run shows what would change.`,
    { code: "ALREADY_EXISTS", details: { paths: [...paths], allowed: ["skip", "overwrite"] } },
  );
