import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type CommandContext, Failure } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { outliveReaders } from "@toolwright/kit/terminal";
import type { Workshop } from "../context.js";
import { openWorkshop } from "../index.js";

/** What a command of the templates works with. */
export interface OpenShop {
  readonly workshop: Workshop;
  /** What a person at the terminal can reach: everything that the system lets them, relative to this folder. */
  readonly reach: () => ReturnType<Workshop["reach"]>;
}

/** Opens the templates of the catalogue and of the user for the time of a command; faults become those of the command line. */
export async function withWorkshop(
  given: string | undefined,
  { loadConfig }: CommandContext,
  work: (shop: OpenShop) => Promise<void>,
): Promise<void> {
  outliveReaders();
  const folder = currentFolder();
  const { directory: known } = (await loadConfig()).settings;
  const directory = given ?? (typeof known === "string" ? known : undefined);
  const roots = [folder, path.parse(folder).root];
  const settings = { roots, client_roots: false, hidden: [], deadline_ms: 10_000, read_only: false };
  const silent = {
    log: () => undefined,
    notifyResourceUpdated: () => undefined,
    notifyResourceListChanged: () => undefined,
  };
  const { workshop, close } = await openWorkshop(
    { ...settings, ...(directory !== undefined && { directory }) },
    silent,
  );
  const reach = () =>
    workshop.reach({ signal: new AbortController().signal, supports: () => false, roots: async () => [] });
  try {
    await work({ workshop, reach });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const isAbsent = error.code === "TEMPLATE_NOT_FOUND" || error.code === "INVALID_TEMPLATE_URI";
    throw new Failure(forPeople(error.message), isAbsent ? 2 : 1, error);
  } finally {
    close();
  }
}

/** What the tools say of each other, and what a person at a terminal says instead. */
const WORDS: readonly (readonly [string, string])[] = [
  ["list_templates has", '"toolwright template list" has'],
  ["Use scaffold_project with write: true first", 'Make it with "toolwright new" first'],
  ["on_conflict skip", "--on-conflict skip"],
  ["dry_run shows", "--dry-run shows"],
];

/** A message of the pack in the words of the command line. */
export const forPeople = (message: string): string =>
  WORDS.reduce((said, [tool, command]) => said.replaceAll(tool, command), message);

/** The URI of a template; people may leave out how it begins. */
export const toUri = (word: string): string => (word.includes("://") ? word : `template://${word}`);
