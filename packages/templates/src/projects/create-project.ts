import type { JsonObject } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { nextOffset, offsetOf } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import { folderFor } from "../format/project-path.js";
import { fitToResult } from "../tools/listing.js";
import { chooseTemplates } from "./choose-templates.js";
import { ProjectFolder } from "./project-folder.js";
import { type RenderedFile, renderFiles } from "./render-files.js";
import { diffOf, type OnConflict, planScaffold } from "./scaffold.js";
import { planUpdate } from "./update.js";
import { type FileChange, writeProject } from "./write-project.js";

/** The options of scaffold_project. */
export interface ProjectOptions {
  readonly toolchain: string;
  readonly templates: readonly string[];
  readonly parameters: JsonObject;
  readonly variant: string;
  readonly write: boolean;
  readonly dry_run: boolean;
  readonly target?: string | undefined;
  readonly on_conflict: OnConflict;
  readonly cursor?: string | undefined;
}

/** The options of update_project. */
export interface UpdateOptions {
  readonly target: string;
  readonly parameters: JsonObject;
  readonly dry_run: boolean;
}

type OpenAccess = () => Promise<FileAccess>;

/** Renders the files of a project, and writes them or shows a diff if that is wanted. */
export async function createProject(context: TemplatesContext, options: ProjectOptions, openAccess: OpenAccess) {
  const { toolchain, parameters, write, dry_run: isDryRun } = options;
  const now = context.now();
  const [chosen, notFound] = await chooseTemplates(context.library, options);
  const [files, failed] = await renderFiles(context, chosen, parameters, now);
  const errors = [...notFound, ...failed];
  const target = options.target ?? folderFor(parameters);
  if (!(write || isDryRun)) {
    // A client that writes the files itself uses these paths, so they stay inside the roots as well.
    if (options.target !== undefined) await (await openAccess()).stat(target);
    return { ...filesPage(files, target, options.cursor), errors, skipped: [], written: [] };
  }
  const project = new ProjectFolder(await openAccess(), target);
  // A preview also shows the diff of files that would be conflicts.
  const isPreview = isDryRun && options.on_conflict === "fail";
  const onConflict = isPreview ? "overwrite" : options.on_conflict;
  const plan = await planScaffold(project, { toolchain, parameters, now, files, onConflict });
  errors.push(...plan.errors);
  const result = {
    files: files.map((file) => ({ path: project.display(file.path), template: file.uri, checksum: file.checksum })),
    skipped: displayAll(project, plan.skipped),
    unchanged: displayAll(project, plan.unchanged),
  };
  if (isDryRun) {
    const replaced = plan.changes.filter(({ before }) => before !== undefined).map(({ path }) => path);
    const conflicts = isPreview ? { conflicts: displayAll(project, replaced) } : {};
    return { ...result, errors, ...conflicts, written: [], ...(await diffThatFits(project, plan.changes)) };
  }
  const done =
    files.length === 0 ? { written: [], errors: [] } : await writeProject(project, plan.answers, plan.changes);
  return { ...result, errors: [...errors, ...done.errors], written: displayAll(project, done.written) };
}

/** Merges what the templates render today into a project. */
export async function updateProject(context: TemplatesContext, options: UpdateOptions, openAccess: OpenAccess) {
  const project = new ProjectFolder(await openAccess(), options.target);
  const { answers, files: updates, changes, errors } = await planUpdate(project, context, options.parameters);
  const files = updates.map((file) => ({ ...file, path: project.display(file.path) }));
  if (options.dry_run) return { files, errors: [...errors], written: [], ...(await diffThatFits(project, changes)) };
  const done = await writeProject(project, answers, changes);
  return { files, errors: [...errors, ...done.errors], written: displayAll(project, done.written) };
}

/** The whole files that fit in one result. */
function filesPage(rendered: readonly RenderedFile[], target: string, cursor: string | undefined) {
  const start = offsetOf(cursor);
  const files = fitToResult(
    rendered
      .slice(start)
      .map(({ path, uri, content, checksum }) => ({ path: `${target}/${path}`, template: uri, checksum, content })),
  );
  return { files, ...nextOffset(start + files.length, rendered.length) };
}

/** The diff of the whole files that fit in one result, and the names of the others. */
async function diffThatFits(project: ProjectFolder, changes: readonly FileChange[]) {
  const diffs = await Promise.all(changes.map((change) => diffOf(project, [change])));
  const shown = fitToResult(diffs);
  const rest = changes.slice(shown.length).map(({ path }) => project.display(path));
  return { diff: shown.join(""), ...(rest.length > 0 && { not_shown: rest }) };
}

const displayAll = (project: ProjectFolder, paths: readonly string[]): string[] =>
  paths.map((path) => project.display(path));
