import { type JsonObject, ToolError } from "@toolwright/engine";
import { unifiedDiff } from "../../../files/unified-diff.js";
import { nameFault } from "../project-path.js";
import { UNNAMED } from "../rendering/render.js";
import { type Answers, readAnswers } from "./answers.js";
import type { MadeFile } from "./make-files.js";
import type { Found, ProjectFolder } from "./project-folder.js";
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
  for (const file of files) {
    const found = await project.read(file.path);
    const record = { template: file.uri, checksum: file.checksum, text: file.content };
    if (found.kind === "text" && found.text === file.content) {
      unchanged.push(file.path);
      records[file.path] = record;
    } else if (found.kind === "nothing" || (onConflict === "overwrite" && found.kind === "text"))
      changes.push(toChange(file, found, record));
    else (onConflict === "skip" ? skipped : inTheWay).push(file.path);
  }
  if (inTheWay.length > 0) throw inTheWayOf(inTheWay.map((path) => project.show(path)));
  const answers = {
    toolchain,
    madeAt: now,
    parameters: { ...known?.parameters, ...parameters },
    files: records,
    pending: known?.pending ?? {},
  };
  return { changes, skipped, unchanged, answers };
}

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

function toChange(file: MadeFile, found: Found, record: FileChange["record"]): FileChange {
  return {
    path: file.path,
    text: file.content,
    before: found.kind === "text" ? found.text : undefined,
    ...(file.mode !== undefined && { mode: file.mode }),
    record,
  };
}

const inTheWayOf = (paths: readonly string[]): ToolError =>
  new ToolError(
    `Nothing was written: ${paths.join(", ")} already ${paths.length === 1 ? "exists" : "exist"} with another content. Use on_conflict skip to keep, or overwrite to replace (text files only); dry_run shows what would change.`,
    { code: "ALREADY_EXISTS", details: { paths: [...paths], allowed: ["skip", "overwrite"] } },
  );
