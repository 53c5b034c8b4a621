import { access } from "node:fs/promises";
import path from "node:path";
import { type PackContents, type PackHost, pack } from "@toolwright/engine";
import { findSettingRoots, lazyFileAccess, startFolders } from "@toolwright/kit/files";
import { clockOf, type Workshop } from "./context.js";
import type { TemplateSource } from "./format/template.js";
import { Library, type UserTemplates } from "./library/library.js";
import { prompts } from "./prompts.js";
import { Renderer } from "./rendering/renderer.js";
import { templateResource } from "./resources.js";
import { SETTINGS, type Settings } from "./settings.js";
import { generateTemplate } from "./tools/generate-template.js";
import { listTemplates } from "./tools/list-templates.js";
import { scaffoldProject } from "./tools/scaffold-project.js";
import { searchTemplates } from "./tools/search-templates.js";
import { updateProject } from "./tools/update-project.js";
import { validateTemplate } from "./tools/validate-template.js";

/** What can be put in place of the usual parts. */
export interface TemplatesOptions {
  readonly catalogue?: () => Promise<readonly TemplateSource[]>;
  readonly now?: () => Date;
  /** The file of the settings of its server, over which nothing is written. */
  readonly configuration?: string | undefined;
}

/** Standard files of projects, made from parameters: previewed, checked, written, and updated later. */
export const createTemplates = (options: TemplatesOptions = {}) =>
  pack({
    name: "templates",
    settings: SETTINGS,
    prevalidated: true,
    async open(settings, host) {
      const { workshop, close } = await openWorkshop(settings, host, options);
      return contentsOf(workshop, close);
    },
  });

function contentsOf(workshop: Workshop, close: () => void): PackContents {
  const reading = [generateTemplate, listTemplates, validateTemplate, scaffoldProject, searchTemplates];
  return {
    tools: [...reading, ...(workshop.isReadOnly ? [] : [updateProject])].map((make) => make(workshop)),
    resources: [templateResource(workshop)],
    prompts: prompts(workshop),
    close,
  };
}

/** Opens what the tools, and the command line, work with. */
export async function openWorkshop(
  settings: Settings,
  host: Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">,
  { catalogue = loadCatalogue, now = clockOf(process.env), configuration }: TemplatesOptions = {},
): Promise<{ readonly workshop: Workshop; readonly close: () => void }> {
  if (settings.roots !== undefined)
    await findSettingRoots(settings.roots, (await startFolders()).folder, settings.deadline_ms);
  const renderer = new Renderer();
  const user = await openUserFolder(settings.directory, renderer, host);
  const workshop = {
    library: new Library(catalogue, user.templates),
    renderer,
    isReadOnly: settings.read_only,
    now,
    reach: lazyFileAccess(settings, [], configuration),
  };
  return { workshop, close: user.close };
}

const loadCatalogue = async (): Promise<readonly TemplateSource[]> =>
  (await import("./library/catalogue.js")).loadCatalogue();

const NOTHING: UserTemplates = { templates: [], faults: [] };

async function openUserFolder(
  given: string | undefined,
  renderer: Renderer,
  host: Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">,
) {
  if (given === undefined) return { templates: async () => NOTHING, close: () => undefined };
  const directory = path.resolve(given);
  await access(directory).catch((error: Error) => {
    throw new Error(`settings.directory: the folder ${directory} cannot be used: ${error.message}`, { cause: error });
  });
  const announce = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      host.log({ level: "warning", message: "templates: clients could not be told that they have changed", error });
    }
  };
  const { WatchedFolder } = await import("./library/watched-folder.js");
  const folder = new WatchedFolder(directory, renderer, {
    listChanged: () => announce(() => host.notifyResourceListChanged()),
    templateChanged: (uri) => announce(() => host.notifyResourceUpdated(uri)),
    faultFound: (fault) =>
      host.log({ level: "warning", message: `templates: ${given}/${fault.path} is left out: ${fault.message}` }),
  });
  return { templates: () => folder.templates(), close: () => folder.close() };
}
