import type { PackContents, PackHost } from "@toolwright/kit/pack";
import { type LoadCatalogue, openTemplates } from "./context.js";
import { prompts } from "./prompts.js";
import { templateResource } from "./resources.js";
import type { Settings } from "./settings.js";
import { generateTemplate, validateTemplate } from "./tools/generate-template.js";
import { listTemplates, searchTemplates } from "./tools/list-templates.js";
import { scaffoldProject, updateProject } from "./tools/scaffold-project.js";

const TOOLS = [generateTemplate, listTemplates, validateTemplate, scaffoldProject, searchTemplates, updateProject];

/** Opens the pack. Tests replace the built-in templates. */
export async function openPack(
  settings: Settings,
  host: PackHost,
  loadCatalogue?: LoadCatalogue,
): Promise<PackContents> {
  const { context, close } = await openTemplates(settings, host, loadCatalogue);
  return {
    tools: TOOLS.map((create) => create(context)),
    resources: [templateResource(context)],
    prompts: prompts(context),
    close,
  };
}
