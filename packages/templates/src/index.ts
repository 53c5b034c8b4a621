import { definePack } from "@toolwright/kit/pack";
import { SETTINGS } from "./settings.js";

const DEFAULT_TOOLS = ["list_templates", "generate_template"];
const OPTIONAL_TOOLS = ["search_templates", "validate_template", "scaffold_project", "update_project"];

/** The pack: project files from parameterized templates, previewed, validated, written and updated later. `open` loads the rest. */
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
  open: async (settings, host) => (await import("./open.js")).openPack(settings, host),
});
