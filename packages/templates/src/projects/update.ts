import { type JsonObject, ToolError } from "@toolwright/engine";
import { mergeThree } from "@toolwright/kit/files";
import type { TemplatesContext } from "../context.js";
import { type Answers, type FileRecord, readAnswers } from "./answers.js";
import type { TemplateFailure } from "./choose-templates.js";
import type { ProjectFolder } from "./project-folder.js";
import { parameterNames, type RenderedFile, renderFiles } from "./render-files.js";
import { toChange } from "./scaffold.js";
import type { FileChange } from "./write-project.js";

/** What an update does with one file. */
interface FileUpdate {
  readonly path: string;
  /**
   * Not touched are `removed` files, which the user has deleted, and `left` files: no template renders them any more, they are not text,
   * or they still have conflict markers.
   */
  readonly status: "unchanged" | "updated" | "merged" | "conflict" | "added" | "removed" | "left";
  /** The number of conflicts to resolve; in a `left` file those of an earlier update. */
  readonly conflicts?: number;
}

/** What an update does. */
export interface UpdatePlan {
  readonly answers: Answers;
  readonly files: readonly FileUpdate[];
  readonly changes: readonly FileChange[];
  readonly errors: readonly TemplateFailure[];
}

/** Compares what the templates rendered then, what they render now, and the files of the user. Throws if there is no answers file. */
export async function planUpdate(
  project: ProjectFolder,
  context: TemplatesContext,
  changed: JsonObject,
): Promise<UpdatePlan> {
  const answers = await readAnswers(project);
  if (answers === undefined)
    throw new ToolError(`${project.inputPath} has no answers file, so it is unknown how the project was made.`, {
      code: "NOT_FOUND",
      hint: { action: "make the project from templates", tool: "scaffold_project", arguments: { write: true } },
      details: { path: project.inputPath },
    });
  const parameters = { ...answers.parameters, ...changed };
  const [rendered, errors] = await renderAgain(context, answers, parameters, changed);
  // Rejected parameters are not stored: every later update would fail.
  if (Object.keys(changed).length > 0 && errors.some(({ code }) => code === "INVALID_ARGUMENTS"))
    return { answers, files: [], changes: [], errors };
  const files: FileUpdate[] = [];
  const changes: FileChange[] = [];
  const records = { ...answers.files };
  for (const file of rendered) {
    const { update, change } = await compare(project, file, answers.files[file.path]);
    files.push(update);
    if (change === undefined) continue;
    // The user has made this change already: it is recorded and not written.
    if (change.text === change.before) records[change.path] = change.record;
    else changes.push(change);
  }
  const failed = new Set(errors.map(({ template }) => template));
  const left = Object.entries(answers.files).filter(
    ([path, { template }]) => !rendered.some((file) => file.path === path) && !failed.has(template),
  );
  files.push(...left.map(([path]) => ({ path, status: "left" as const })));
  return { answers: { ...answers, parameters, files: records }, files, changes, errors };
}

/** Every file keeps the time of its first rendering, so that only templates and parameters make a difference. */
async function renderAgain(context: TemplatesContext, answers: Answers, parameters: JsonObject, changed: JsonObject) {
  const times = new Map(Object.values(answers.files).map(({ template, made_at: madeAt }) => [template, madeAt]));
  const errors: TemplateFailure[] = [];
  const chosen = [];
  for (const [uri, renderedAt] of times) {
    try {
      chosen.push({ requested: uri, entry: await context.library.get(uri), renderedAt });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      errors.push({ template: uri, error: error.message, code: error.code ?? "TEMPLATE_NOT_FOUND" });
    }
  }
  // Newer templates may have dropped parameters; only a changed one can be mistyped.
  const known = parameterNames(chosen.map(({ entry }) => entry));
  const wanted = Object.entries(parameters).filter(([name]) => known.has(name) || Object.hasOwn(changed, name));
  const [files, failures] = await renderFiles(context, chosen, Object.fromEntries(wanted), answers.madeAt);
  return [files, [...errors, ...failures]] as const;
}

async function compare(
  project: ProjectFolder,
  file: RenderedFile,
  base: FileRecord | undefined,
): Promise<{ readonly update: FileUpdate; readonly change?: FileChange }> {
  const { path } = file;
  const found = await project.read(path);
  const change = (text: string, before: string | undefined): FileChange =>
    toChange({ ...file, content: text }, before, file.record);
  if (found.kind === "missing")
    return base === undefined
      ? { update: { path, status: "added" }, change: change(file.content, undefined) }
      : { update: { path, status: "removed" } };
  if (base?.text === file.content) return { update: { path, status: "unchanged" } };
  // A file that is not text cannot be merged.
  if (found.kind === "other") return { update: { path, status: "left" } };
  const ours = found.text;
  const [before, theirs] = [base?.text ?? "", file.content].map((text) => withLineEndsOf(ours, text)) as [
    string,
    string,
  ];
  if (ours === theirs) return { update: { path, status: "unchanged" }, change: change(ours, ours) };
  if (ours === before) return { update: { path, status: "updated" }, change: change(theirs, ours) };
  const unresolved = ours.match(CONFLICT_END)?.length ?? 0;
  // A merge would put conflict markers into conflict markers.
  if (unresolved > 0) return { update: { path, status: "left", conflicts: unresolved } };
  const labels = { ours: "yours", theirs: `toolwright ${file.uri}` };
  const { text, conflicts } = await mergeThree({ base: before, ours, theirs, labels });
  const update: FileUpdate = conflicts > 0 ? { path, status: "conflict", conflicts } : { path, status: "merged" };
  return { update, change: change(text, ours) };
}

/** The last line of a conflict that an update has marked. */
const CONFLICT_END = /^>>>>>>> toolwright template:\/\//gm;

/** Other line ends, from git or an editor, are not a change. */
const withLineEndsOf = (model: string, text: string): string =>
  /\r\n/.test(model) && !/[^\r]\n/.test(model) ? text.replaceAll(/\r?\n/g, "\r\n") : text;
