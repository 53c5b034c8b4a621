import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { type CommandContext, EXIT_CODES, Failure, print, UsageError } from "@toolwright/kit/cli";
import { writeStdout } from "@toolwright/kit/terminal";
import { nearest } from "@toolwright/kit/text";
import { PROJECT_NAME } from "../format/project-path.js";
import type { Entry, Library } from "../library/library.js";
import { chooseTemplates, type TemplateFailure } from "../projects/choose-templates.js";
import { createProject, updateProject } from "../projects/create-project.js";
import { parameterNames } from "../projects/render-files.js";
import { conflictError, type OnConflict } from "../projects/scaffold.js";
import { askChoice, askForMissing, askText, confirm, isInteractive, missingParameters } from "./ask.js";
import { type OpenTemplates, PROJECT_KINDS, withTemplates } from "./open.js";
import { assertValid, parseParameters } from "./parameters.js";

/** The parsed command line of `toolwright new`. */
interface NewInput {
  readonly toolchain: string | undefined;
  readonly folder: string | undefined;
  readonly parameter: readonly string[];
  readonly variant: string | undefined;
  readonly templates: string | undefined;
  readonly without: string | undefined;
  readonly parameters: string | undefined;
  readonly onConflict: OnConflict | undefined;
  readonly dryRun: boolean;
  readonly update: boolean;
  readonly yes: boolean;
  readonly directory: string | undefined;
}

/** The files of a kind of project, unless `--templates` selects others. */
const KIND_TEMPLATES = "manifest,readme,source,test,tsconfig,gitignore";

/** Makes a project or updates one. On a terminal it asks for what is missing. */
export async function runNew(input: NewInput, ctx: CommandContext): Promise<void> {
  const words = [input.toolchain, input.folder, ...input.parameter].filter((word) => word !== undefined);
  const pairs = words.filter((word) => word.includes("="));
  const names = words.filter((word) => !word.includes("="));
  await withTemplates(input.directory, ctx, (open) => {
    const command = new NewCommand(open, ctx, pairs);
    return input.update ? command.update(input, names) : command.create(...resolveKind(input, names));
  });
}

/** Replaces a kind of project with its toolchain, variant and templates. */
function resolveKind(input: NewInput, names: readonly string[]): readonly [NewInput, readonly string[]] {
  const [word = "", ...rest] = names;
  const kind = Object.hasOwn(PROJECT_KINDS, word) ? PROJECT_KINDS[word] : undefined;
  if (kind === undefined) return [input, names];
  if (input.variant !== undefined) throw new UsageError(`new ${word} does not take --variant`);
  return [{ ...input, templates: input.templates ?? KIND_TEMPLATES, variant: kind.variant }, [kind.toolchain, ...rest]];
}

class NewCommand {
  readonly #open: OpenTemplates;
  readonly #ctx: CommandContext;
  /** Parameters as NAME=VALUE. */
  readonly #pairs: readonly string[];

  constructor(open: OpenTemplates, ctx: CommandContext, pairs: readonly string[]) {
    this.#open = open;
    this.#ctx = ctx;
    this.#pairs = pairs;
  }

  async create(input: NewInput, names: readonly string[]): Promise<void> {
    const { context, openAccess } = this.#open;
    const { library, renderer } = context;
    if (names[2] !== undefined) throw new UsageError(`Unexpected argument "${names[2]}"`);
    const toolchain = await chooseToolchain(library, names[0]);
    const target = names[1] ?? (isInteractive() ? await askText("Which folder?", "folder") : undefined);
    if (target === undefined) throw new UsageError("new needs a folder, as in: toolwright new rust demo");
    const variant = input.variant ?? "cli";
    const entries = await chooseEntries(library, { toolchain, variant }, input);
    const given = parseParameters(this.#pairs, input.parameters, entries);
    const named = { [PROJECT_NAME]: path.basename(path.resolve(target)), ...given };
    if (!isInteractive()) assertComplete(entries, named);
    const asked = await askForMissing(entries, named, `A new ${toolchain} project in ${target}`);
    const parameters = withoutUnused(entries, asked, given);
    await assertValid(renderer, entries, { parameters, given });
    const templates = entries.map(({ uri }) => uri);
    const options = { toolchain, templates, parameters, variant, target, on_conflict: input.onConflict ?? "fail" };
    if (needsConfirmation(input)) {
      const preview: Outcome = await createProject(context, { ...options, write: false, dry_run: true }, openAccess);
      const { files = [], conflicts = [] } = preview;
      if (conflicts.length > 0) throw conflictError(conflicts);
      await confirm(`${files.map((file) => `  ${file.path}`).join("\n")}\nWrite these ${files.length} files?`);
    }
    await this.#report(await createProject(context, { ...options, write: true, dry_run: input.dryRun }, openAccess));
  }

  async update(input: NewInput, [target, extra]: readonly string[]): Promise<void> {
    const { context, openAccess } = this.#open;
    if (target === undefined || extra !== undefined)
      throw new UsageError("new --update needs the folder of one project");
    const parameters = parseParameters(this.#pairs, input.parameters, await context.library.list());
    const run = (isDryRun: boolean): Promise<Outcome> =>
      updateProject(context, { target, parameters, dry_run: isDryRun }, openAccess);
    if (needsConfirmation(input)) {
      const preview = await run(true);
      this.#reportStatus(preview);
      if (preview.diff) await confirm("Write these changes?");
      return this.#report(await run(false));
    }
    const outcome = await run(input.dryRun);
    this.#reportStatus(outcome);
    await this.#report(outcome);
  }

  #reportStatus({ files = [] }: Outcome): void {
    for (const { path: file, status = "unchanged", conflicts } of files) {
      if (status === "unchanged") continue;
      // The status of the tool would read as if the update had removed the file.
      const isDeleted = status === "removed";
      const count = conflicts === undefined ? "" : ` (${conflicts} to resolve${status === "left" ? " first" : ""})`;
      this.#ctx.notice(
        `${(isDeleted ? "left" : status).padEnd(9)} ${file}${isDeleted ? " (you deleted it; it is not restored)" : count}`,
      );
    }
  }

  async #report(outcome: Outcome): Promise<void> {
    const { written, errors, skipped = [], conflicts = [], diff = "", not_shown: rest = [] } = outcome;
    const notice = (text: string): void => this.#ctx.notice(text);
    await writeStdout(diff);
    await print(written.join("\n"));
    for (const file of skipped) notice(`kept      ${file}`);
    for (const file of conflicts) notice(`exists    ${file}`);
    if (rest.length > 0) notice(`And ${rest.length} more files: ${rest.join(", ")}`);
    for (const error of errors) notice(formatFailure(error));
    if (errors.length > 0) throw new Failure("Some files could not be made");
  }
}

const needsConfirmation = ({ yes, dryRun }: NewInput): boolean => isInteractive() && !yes && !dryRun;

async function chooseToolchain(library: Library, name: string | undefined): Promise<string> {
  const known = [...new Set((await library.list()).map(({ toolchain }) => toolchain))].filter((each) => each !== "any");
  const all = `known: ${known.join(", ")}, and the kinds ${Object.keys(PROJECT_KINDS).join(" and ")}`;
  if (name === undefined && !isInteractive()) throw new UsageError(`new needs a toolchain and a folder; ${all}`);
  const toolchain = name ?? (await askChoice("Which toolchain?", "toolchain", known));
  if (known.includes(toolchain)) return toolchain;
  const suggestion = nearest(toolchain, [...Object.keys(PROJECT_KINDS), ...known]);
  const hint = suggestion === undefined ? all : `did you mean ${suggestion}?`;
  throw new Failure(`There is no toolchain "${toolchain}"; ${hint}`, EXIT_CODES.usage);
}

/** The selected templates; by default all for the toolchain and the variant. */
async function chooseEntries(
  library: Library,
  project: { readonly toolchain: string; readonly variant: string },
  input: NewInput,
): Promise<readonly Entry[]> {
  const split = (list: string | undefined): readonly string[] | undefined =>
    list?.split(",").map((word) => word.trim());
  const [selected, without] = [split(input.templates), split(input.without) ?? []];
  const all = await library.list();
  const ofToolchain = all.filter(({ toolchain }) => toolchain === project.toolchain);
  if (input.variant !== undefined && selected === undefined)
    assertKnown("variant", [project.variant], partsOf(ofToolchain, "variant"));
  assertKnown("category", without, [...partsOf(all, "category"), ...(selected ?? [])]);
  const available = all.filter(({ toolchain }) => [project.toolchain, "any"].includes(toolchain));
  const templates = (selected ?? partsOf(available, "category")).filter((name) => !without.includes(name));
  const [chosen, failures] = await chooseTemplates(library, { ...project, templates });
  if (selected !== undefined && failures.length > 0)
    throw new Failure(failures.map(formatFailure).join("\n"), EXIT_CODES.usage);
  return chosen.map(({ entry }) => entry);
}

const partsOf = (entries: readonly Entry[], part: "category" | "variant"): readonly string[] => [
  ...new Set(entries.map((entry) => entry[part])),
];

function assertKnown(part: string, words: readonly string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  const suggestion = nearest(unknown, known);
  const hint = suggestion === undefined ? `known: ${known.join(", ")}` : `did you mean ${suggestion}?`;
  throw new Failure(`There is no ${part} "${unknown}"; ${hint}`, EXIT_CODES.usage);
}

const formatFailure = ({ template, error }: TemplateFailure): string => `${template}: ${error}`;

/** The name of the folder is only a default for templates that have the parameter. */
function withoutUnused(entries: readonly Entry[], parameters: JsonObject, given: JsonObject): JsonObject {
  const known = parameterNames(entries);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => known.has(name) || name in given));
}

/** Throws a failure that names all missing parameters. */
function assertComplete(entries: readonly Entry[], parameters: JsonObject): void {
  const missing = [...missingParameters(entries, parameters)].map(
    ([name, { description }]) => `  ${name}=…  ${description as string}`,
  );
  if (missing.length === 0) return;
  throw new Failure(
    `Nothing was written. Missing parameters:\n${missing.join("\n")}\nAdd them, or leave out the templates that need them with --without`,
    EXIT_CODES.usage,
  );
}

/** The result of createProject or updateProject. */
interface Outcome {
  readonly written: readonly string[];
  readonly errors: readonly TemplateFailure[];
  readonly files?: readonly { readonly path: string; readonly status?: string; readonly conflicts?: number }[];
  readonly skipped?: readonly string[];
  readonly conflicts?: readonly string[];
  readonly diff?: string;
  readonly not_shown?: readonly string[];
}
