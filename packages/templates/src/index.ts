import { definePack, type PackContents, type PackHost } from "@toolwright/kit/pack";
import { type LoadCatalogue, openTemplates, SETTINGS, type Settings } from "./context.js";
import { prompts } from "./prompts.js";
import { templateResource } from "./resources.js";
import { generateTemplate, validateTemplate } from "./tools/generate-template.js";
import { listTemplates, searchTemplates } from "./tools/list-templates.js";
import { scaffoldProject, updateProject } from "./tools/scaffold-project.js";

const TOOLS = [listTemplates, generateTemplate, searchTemplates, validateTemplate, scaffoldProject, updateProject];
const DEFAULT_TOOLS = ["list_templates", "generate_template"];
const OPTIONAL_TOOLS = ["search_templates", "validate_template", "scaffold_project", "update_project"];

/** The pack: project files from parameterized templates, previewed, validated, written and updated later. */
export default definePack({
  name: "templates",
  summary: "Project files from parameterized templates",
  settings: SETTINGS,
  toolsets: { templates: [...DEFAULT_TOOLS, ...OPTIONAL_TOOLS] },
  optionalTools: OPTIONAL_TOOLS,
  commands: {
    new: async () => (await import("./commands/declarations.js")).newCommand,
    template: async () => (await import("./commands/declarations.js")).templateCommand,
  },
  prevalidated: true,
  open: (settings, host) => openPack(settings, host),
});

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
