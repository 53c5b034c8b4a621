import { type JsonObject, ToolError } from "@toolwright/engine";
import { mergeThree } from "@toolwright/kit/files";
import type { Workshop } from "../context.js";
import { type Answers, type FileRecord, readAnswers } from "./answers.js";
import type { MakeError } from "./choose-templates.js";
import { type MadeFile, makeFiles } from "./make-files.js";
import type { ProjectFolder } from "./project-folder.js";
import type { FileChange } from "./write-project.js";

/** What an update does with one file. */
interface FileUpdate {
  readonly path: string;
  /** `removed` and `left` files are not touched: the user has removed the one; the other is no longer made, no text, or still has conflicts. */
  readonly status: "unchanged" | "updated" | "merged" | "conflict" | "added" | "removed" | "left";
  /** How many places have to be settled by hand, in a file that is left those of an earlier update. */
  readonly conflicts?: number;
}

/** What an update would do. */
export interface UpdatePlan {
  readonly answers: Answers;
  readonly files: readonly FileUpdate[];
  readonly changes: readonly FileChange[];
  readonly errors: readonly MakeError[];
}

/** Compares what the templates made then, what they make now, and what the user has. Throws where there are no answers. */
export async function planUpdate(project: ProjectFolder, workshop: Workshop, given: JsonObject): Promise<UpdatePlan> {
  const answers = await readAnswers(project);
  if (answers === undefined)
    throw new ToolError(
      `${project.folder} has no answers file, so nobody knows how it was made. Use scaffold_project with write: true first.`,
      { code: "NOT_FOUND", details: { path: project.folder } },
    );
  const parameters = { ...answers.parameters, ...given };
  const [made, errors] = await makeAgain(workshop, answers, parameters, given);
  // What is refused must not be remembered: every later update would fail by it.
  if (Object.keys(given).length > 0 && errors.some(({ code }) => code === "INVALID_ARGUMENTS"))
    return { answers, files: [], changes: [], errors };
  const files: FileUpdate[] = [];
  const changes: FileChange[] = [];
  const records = { ...answers.files };
  for (const file of made) {
    const { update, change } = await compare(project, file, answers.files[file.path]);
    files.push(update);
    if (change === undefined) continue;
    // What the user has done already need not be written, but is known from now on.
    if (change.text === change.before) records[change.path] = change.record;
    else changes.push(change);
  }
  const failed = new Set(errors.map(({ template }) => template));
  const left = Object.entries(answers.files).filter(
    ([path, { template }]) => !made.some((file) => file.path === path) && !failed.has(template),
  );
  files.push(...left.map(([path]) => ({ path, status: "left" as const })));
  return { answers: { ...answers, parameters, files: records }, files, changes, errors };
}

/** The moment of each file stays the one of the first time, so that only templates and parameters make a difference. */
async function makeAgain(workshop: Workshop, answers: Answers, parameters: JsonObject, given: JsonObject) {
  const moments = new Map(Object.values(answers.files).map(({ template, made_at: madeAt }) => [template, madeAt]));
  const errors: MakeError[] = [];
  const chosen = [];
  for (const [uri, madeAt] of moments) {
    try {
      chosen.push({ asked: uri, entry: await workshop.library.find(uri), madeAt });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      errors.push({ template: uri, error: error.message, code: error.code ?? "TEMPLATE_NOT_FOUND" });
    }
  }
  // Newer templates may have dropped parameters; only what is given now can be mistyped.
  const known = new Set(chosen.flatMap(({ entry }) => entry.source.parameters.map(({ name }) => name)));
  const wanted = Object.entries(parameters).filter(([name]) => known.has(name) || Object.hasOwn(given, name));
  const [made, faults] = await makeFiles(workshop, chosen, Object.fromEntries(wanted), answers.madeAt);
  return [made, [...errors, ...faults]] as const;
}

async function compare(
  project: ProjectFolder,
  file: MadeFile,
  base: FileRecord | undefined,
): Promise<{ readonly update: FileUpdate; readonly change?: FileChange }> {
  const { path } = file;
  const found = await project.read(path);
  const toChange = (text: string, before: string | undefined): FileChange => ({
    path,
    text,
    before,
    ...(file.mode !== undefined && { mode: file.mode }),
    record: file.record,
  });
  if (found.kind === "nothing")
    return base === undefined
      ? { update: { path, status: "added" }, change: toChange(file.content, undefined) }
      : { update: { path, status: "removed" } };
  if (base?.text === file.content) return { update: { path, status: "unchanged" } };
  // What is no text cannot be merged, and is the user's.
  if (found.kind === "other") return { update: { path, status: "left" } };
  const ours = found.text;
  const [before, theirs] = [base?.text ?? "", file.content].map((text) => withEndsOf(ours, text)) as [string, string];
  if (ours === theirs) return { update: { path, status: "unchanged" }, change: toChange(ours, ours) };
  if (ours === before) return { update: { path, status: "updated" }, change: toChange(theirs, ours) };
  const open = ours.match(UNSETTLED)?.length ?? 0;
  // To merge into markers would put conflicts into conflicts.
  if (open > 0) return { update: { path, status: "left", conflicts: open } };
  const labels = { ours: "yours", theirs: `toolwright ${file.uri}` };
  const { text, conflicts } = await mergeThree({ base: before, ours, theirs, labels });
  const update: FileUpdate = conflicts > 0 ? { path, status: "conflict", conflicts } : { path, status: "merged" };
  return { update, change: toChange(text, ours) };
}

/** The last line of a conflict that an earlier update has marked. */
const UNSETTLED = /^>>>>>>> toolwright template:\/\//gm;

/** A file that git or an editor has given other line ends has not been changed by that. */
const withEndsOf = (model: string, text: string): string =>
  /\r\n/.test(model) && !/[^\r]\n/.test(model) ? text.replaceAll(/\r?\n/g, "\r\n") : text;
