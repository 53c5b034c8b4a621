import { type JsonObject, ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Workshop } from "../context.js";
import { fitting } from "../tools/listing.js";
import { chooseTemplates } from "./choose-templates.js";
import { type MadeFile, makeFiles } from "./make-files.js";
import { ProjectFolder } from "./project-folder.js";
import { carryOut, diffOf, folderOf, type OnConflict, planScaffold } from "./scaffold.js";
import { planUpdate } from "./update.js";
import { writeProject } from "./write-project.js";

/** The project that is wanted. */
export interface ProjectWish {
  readonly toolchain: string;
  readonly templates: readonly string[];
  readonly parameters: JsonObject;
  readonly variant: string;
  readonly write: boolean;
  readonly dry_run: boolean;
  readonly target?: string | undefined;
  readonly on_conflict: OnConflict;
}

/** The update that is wanted. */
export interface UpdateWish {
  readonly target: string;
  readonly parameters: JsonObject;
  readonly dry_run: boolean;
}

/** Makes the files of a project, and writes them or shows what would change where that is wanted. */
export async function makeProject(workshop: Workshop, wish: ProjectWish, reach: () => Promise<FileAccess>) {
  const { toolchain, parameters, on_conflict: onConflict } = wish;
  const now = workshop.now();
  const [chosen, absent] = await chooseTemplates(workshop.library, wish);
  const [files, failed] = await makeFiles(workshop, chosen, parameters, now);
  const errors = [...absent, ...failed];
  const target = wish.target ?? folderOf(parameters);
  if (!(wish.write || wish.dry_run)) {
    // Whoever writes the files themselves follows the paths: they stay inside the roots like ours.
    if (wish.target !== undefined) await (await reach()).look(target);
    return { ...contentsOf(files, target), errors, skipped: [], written: [] };
  }
  if (wish.write && !wish.dry_run) refuseWriting(workshop);
  const project = new ProjectFolder(await reach(), target);
  // What is in the way is what a diff is wanted for.
  const isPreview = wish.dry_run && onConflict === "fail";
  const plan = await planScaffold(project, {
    toolchain,
    parameters,
    now,
    files,
    onConflict: isPreview ? "overwrite" : onConflict,
  });
  errors.push(...plan.errors);
  const shown = files.map((file) => ({ path: project.show(file.path), template: file.uri, checksum: file.checksum }));
  const rest = { skipped: showAll(project, plan.skipped), unchanged: showAll(project, plan.unchanged) };
  if (wish.dry_run) {
    const replaced = plan.changes.filter(({ before }) => before !== undefined).map(({ path }) => path);
    const conflicts = isPreview ? { conflicts: showAll(project, replaced) } : {};
    return { files: shown, errors, ...rest, ...conflicts, written: [], ...(await boundedDiff(project, plan.changes)) };
  }
  const done = files.length === 0 ? { written: [], errors: [] } : await carryOut(project, plan);
  return { files: shown, errors: [...errors, ...done.errors], ...rest, written: showAll(project, done.written) };
}

/** Merges what the templates make today into a project. */
export async function updateProject(workshop: Workshop, wish: UpdateWish, reach: () => Promise<FileAccess>) {
  if (!wish.dry_run) refuseWriting(workshop);
  const project = new ProjectFolder(await reach(), wish.target);
  const { answers, files, changes, errors } = await planUpdate(project, workshop, wish.parameters);
  const shown = files.map((file) => ({ ...file, path: project.show(file.path) }));
  if (wish.dry_run) return { files: shown, errors: [...errors], written: [], ...(await boundedDiff(project, changes)) };
  const done = await writeProject(project, answers, changes);
  return { files: shown, errors: [...errors, ...done.errors], written: showAll(project, done.written) };
}

/** As many whole files as a result has room for; the templates of the others are for the next call. */
function contentsOf(made: readonly MadeFile[], target: string) {
  const all = made.map(({ path, uri, content, checksum }) => ({
    path: `${target}/${path}`,
    template: uri,
    checksum,
    content,
  }));
  const files = [...fitting(all)];
  const left = all.slice(files.length).map(({ template }) => template);
  return { files, ...(left.length > 0 && { next: { templates: left } }) };
}

/** A diff that is too long for a result loses whole files, and says which. */
async function boundedDiff(project: ProjectFolder, changes: Parameters<typeof diffOf>[1]) {
  const diffs = await Promise.all(changes.map((change) => diffOf(project, [change])));
  const shown = fitting(diffs);
  const left = changes.slice(shown.length).map(({ path }) => project.show(path));
  return { diff: shown.join(""), ...(left.length > 0 && { not_shown: left }) };
}

const showAll = (project: ProjectFolder, paths: readonly string[]): string[] => paths.map((path) => project.show(path));

function refuseWriting({ isReadOnly }: Workshop): void {
  if (isReadOnly)
    throw new ToolError(
      "Cannot write: this server only reads. Take the files from the result of scaffold_project without write, or set packs.templates.read_only to false in toolwright.config.json.",
      { code: "FORBIDDEN_PATH" },
    );
}
