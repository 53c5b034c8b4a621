import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import {
  type CommandContext,
  Failure,
  type Given,
  type OptionKind,
  print,
  readWords,
  UsageError,
} from "@toolwright/kit/cli";
import { writeStdout } from "@toolwright/kit/terminal";
import { nearest } from "@toolwright/kit/text";
import type { Entry, Library } from "../library/library.js";
import { chooseTemplates, type MakeError } from "../projects/choose-templates.js";
import { makeProject, updateProject } from "../projects/make-project.js";
import { inTheWayOf, type OnConflict } from "../projects/scaffold.js";
import { askChoice, askMissing, askText, askWhether, isSomebodyThere, missingIn } from "./ask.js";
import { forPeople, type OpenShop, withWorkshop } from "./open.js";
import { readParameters } from "./parameters.js";
import { refuseFaults } from "./refuse-faults.js";

const OPTIONS = {
  "--variant": { value: "a variant" },
  "--templates": { value: "templates, with commas between" },
  "--without": { value: "templates, with commas between" },
  "--parameters": { value: "parameters in JSON" },
  "--on-conflict": { value: "fail, skip or overwrite" },
  "--directory": { value: "a folder" },
  "--dry-run": {},
  "--update": {},
  "--yes": {},
} as const satisfies Record<string, OptionKind>;

type Options = Given<keyof typeof OPTIONS>;
type Made = Awaited<ReturnType<typeof makeProject>>;
type Updated = Awaited<ReturnType<typeof updateProject>>;

/** What only the making of a project can be told. */
const MAKING = ["--templates", "--without", "--variant", "--on-conflict"] as const;
/** Projects that people ask for by what they are; without a choice they get the files that such a project needs. */
const KINDS: Readonly<Record<string, { readonly toolchain: string; readonly variant: string }>> = {
  server: { toolchain: "node-ts", variant: "mcp-server" },
  pack: { toolchain: "node-ts", variant: "mcp-pack" },
};
const OF_KINDS = "manifest,readme,source,test,tsconfig,gitignore";

const WAYS: readonly string[] = ["fail", "skip", "overwrite"] satisfies OnConflict[];

/** Makes a project, or brings one up to the templates of today; asks for what is missing where somebody is there. */
export async function makeNew(words: readonly string[], context: CommandContext): Promise<void> {
  const plain: string[] = [];
  const options = readWords<keyof typeof OPTIONS>(words, OPTIONS, plain);
  const pairs = plain.filter((word) => word.includes("="));
  const names = plain.filter((word) => !word.includes("="));
  await withWorkshop(options["--directory"]?.[0], context, (shop) => {
    if (options["--update"]) return update(shop, options, names, pairs);
    return make(shop, ...readKind(options, names), pairs);
  });
}

/** What a kind of project stands for; all else as it is. */
function readKind(options: Options, names: readonly string[]): readonly [Options, readonly string[]] {
  const [word = "", ...rest] = names;
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
  if (kind === undefined) return [options, names];
  if (options["--variant"]) throw new UsageError(`new ${word} takes no --variant`);
  return [{ "--templates": [OF_KINDS], ...options, "--variant": [kind.variant] }, [kind.toolchain, ...rest]];
}

async function make(
  { workshop, reach }: OpenShop,
  options: Options,
  names: readonly string[],
  pairs: readonly string[],
): Promise<void> {
  const { library } = workshop;
  if (names[2] !== undefined) throw new UsageError(`"${names[2]}" is unknown`);
  const toolchain = await chooseToolchain(library, names[0]);
  const target = names[1] ?? (isSomebodyThere() ? await askText("Which folder is it to be in?", "folder") : undefined);
  if (target === undefined) throw new UsageError("new needs a folder, as in: toolwright new rust demo");
  const variant = options["--variant"]?.[0] ?? "cli";
  const entries = await chooseFiles(library, { toolchain, variant }, options);
  const given = readParameters(pairs, options["--parameters"]?.[0], entries);
  const named = { project_name: path.basename(path.resolve(target)), ...given };
  if (!isSomebodyThere()) refuseMissing(entries, named);
  const parameters = withKnown(
    entries,
    await askMissing(entries, named, `A new ${toolchain} project in ${target}`),
    given,
  );
  refuseFaults(entries, parameters, given);
  const templates = entries.map(({ uri }) => uri);
  const wish = { toolchain, templates, parameters, variant, target, on_conflict: readWay(options) };
  if (isAsked(options)) {
    const preview: Outcome & Pick<Made, "files"> = await makeProject(
      workshop,
      { ...wish, write: false, dry_run: true },
      reach,
    );
    const { files, conflicts = [] } = preview;
    if (conflicts.length > 0) throw inTheWayOf(conflicts);
    await askWhether(`${files.map((file) => `  ${file.path}`).join("\n")}\nWrite these ${files.length} files?`);
  }
  const made = await makeProject(
    workshop,
    { ...wish, write: true, dry_run: options["--dry-run"] !== undefined },
    reach,
  );
  await report(made);
}

async function update(
  { workshop, reach }: OpenShop,
  options: Options,
  [target, extra]: readonly string[],
  pairs: readonly string[],
): Promise<void> {
  const stray = MAKING.find((name) => options[name] !== undefined);
  if (stray !== undefined) throw new UsageError(`new --update takes no ${stray}`);
  if (target === undefined || extra !== undefined) throw new UsageError("new --update needs the folder of one project");
  const parameters = readParameters(pairs, options["--parameters"]?.[0], await workshop.library.list());
  const run = (isDry: boolean): Promise<Outcome & Pick<Updated, "files">> =>
    updateProject(workshop, { target, parameters, dry_run: isDry }, reach);
  if (isAsked(options)) {
    const { files, diff } = await run(true);
    showStatus(files);
    if (diff) await askWhether("Write these changes?");
    return report(await run(false));
  }
  const done = await run(options["--dry-run"] !== undefined);
  showStatus(done.files);
  await report(done);
}

const isAsked = (options: Options): boolean => isSomebodyThere() && !options["--yes"] && !options["--dry-run"];

/** Says of each file what becomes of it. */
function showStatus(files: Updated["files"]): void {
  for (const { path: file, status, conflicts } of files) {
    if (status === "unchanged") continue;
    // The word of the tool would read as if the update had removed it.
    const isGone = status === "removed";
    const settle = conflicts === undefined ? "" : ` (${conflicts} to settle${status === "left" ? " first" : ""})`;
    const why = isGone ? " (you removed it, so it stays away)" : settle;
    process.stderr.write(`${(isGone ? "left" : status).padEnd(9)} ${file}${why}\n`);
  }
}

async function chooseToolchain(library: Library, named: string | undefined): Promise<string> {
  const known = [...new Set((await library.list()).map(({ toolchain }) => toolchain))].filter((name) => name !== "any");
  if (named === undefined && !isSomebodyThere())
    throw new UsageError(
      `new needs a toolchain and a folder; there are ${known.join(", ")}, and the kinds ${Object.keys(KINDS).join(" and ")}`,
    );
  const toolchain = named ?? (await askChoice("What is the project made with?", "toolchain", known));
  if (!known.includes(toolchain)) {
    const meant = nearest(toolchain, [...Object.keys(KINDS), ...known]);
    const hint =
      meant === undefined
        ? `there are ${known.join(", ")}, and the kinds ${Object.keys(KINDS).join(" and ")}`
        : `did you mean ${meant}?`;
    throw new Failure(`There is no toolchain "${toolchain}"; ${hint}`, 2);
  }
  return toolchain;
}

/** Without a choice it is everything that there is for the toolchain and the variant. */
async function chooseFiles(
  library: Library,
  of: { readonly toolchain: string; readonly variant: string },
  options: Options,
): Promise<readonly Entry[]> {
  const listed = (name: "--templates" | "--without"): readonly string[] | undefined =>
    options[name]?.[0]?.split(",").map((word) => word.trim());
  const [asked, without] = [listed("--templates"), listed("--without") ?? []];
  const all = await library.list();
  const ours = all.filter(({ toolchain }) => toolchain === of.toolchain);
  if (options["--variant"] && asked === undefined) refuseUnknown("variant", [of.variant], namesOf(ours, "variant"));
  refuseUnknown("category", without, [...namesOf(all, "category"), ...(asked ?? [])]);
  const fitting = all.filter(({ toolchain }) => [of.toolchain, "any"].includes(toolchain));
  const wanted = (asked ?? namesOf(fitting, "category")).filter((name) => !without.includes(name));
  const [chosen, errors] = await chooseTemplates(library, { ...of, templates: wanted });
  if (asked !== undefined && errors.length > 0) throw new Failure(forPeople(errors.map(lineOf).join("\n")), 2);
  return chosen.map(({ entry }) => entry);
}

const namesOf = (entries: readonly Entry[], part: "category" | "variant"): readonly string[] => [
  ...new Set(entries.map((entry) => entry[part])),
];

function refuseUnknown(kind: string, words: readonly string[], known: readonly string[]): void {
  const wrong = words.find((word) => !known.includes(word));
  if (wrong === undefined) return;
  const meant = nearest(wrong, known);
  const hint = meant === undefined ? `there are ${known.join(", ")}` : `did you mean ${meant}?`;
  throw new Failure(`There is no ${kind} "${wrong}"; ${hint}`, 2);
}

const lineOf = ({ template, error }: MakeError): string => `${template}: ${error}`;

/** The name of the folder is only a proposal, for those who want a name. */
function withKnown(entries: readonly Entry[], parameters: JsonObject, given: JsonObject): JsonObject {
  const known = new Set(entries.flatMap(({ source }) => source.parameters.map(({ name }) => name)));
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => known.has(name) || name in given));
}

/** Whoever cannot be asked hears at once of all that is missing, before anything is written. */
function refuseMissing(entries: readonly Entry[], given: JsonObject): void {
  const missing = [...missingIn(entries, given)].map(
    ([name, { description }]) => `  ${name}=…  ${description as string}`,
  );
  if (missing.length === 0) return;
  throw new Failure(
    `Nothing was written, for these are required:\n${missing.join("\n")}\nGive them, or leave out what needs them with --without`,
    2,
  );
}

function readWay(options: Options): OnConflict {
  const way = options["--on-conflict"]?.[0] ?? "fail";
  if (!WAYS.includes(way)) throw new UsageError("--on-conflict is fail, skip or overwrite");
  return way as OnConflict;
}

/** What was done, or would be. */
interface Outcome {
  readonly written: readonly string[];
  readonly errors: readonly MakeError[];
  readonly skipped?: readonly string[];
  readonly conflicts?: readonly string[];
  readonly diff?: string;
  readonly not_shown?: readonly string[];
}

async function report(outcome: Outcome): Promise<void> {
  const { written, errors, skipped = [], conflicts = [], diff = "", not_shown: more = [] } = outcome;
  await writeStdout(diff);
  await print(written.join("\n"));
  for (const file of skipped) process.stderr.write(`kept      ${file}\n`);
  for (const file of conflicts) process.stderr.write(`in the way ${file}\n`);
  if (more.length > 0) process.stderr.write(`And ${more.length} more files: ${more.join(", ")}\n`);
  for (const error of errors) process.stderr.write(`${forPeople(lineOf(error))}\n`);
  if (errors.length > 0) throw new Failure("Not everything could be made", 1);
}
