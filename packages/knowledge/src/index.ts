import { definePack } from "@toolwright/kit/pack";
import { SETTINGS } from "./settings.js";
import { OPTIONAL_TOOLS, TOOLSETS } from "./toolsets.js";

/** A knowledge base: documents are ingested into versioned collections, searched by words and by meaning, and cited. */
export default definePack({
  name: "knowledge",
  summary: "Documents to search, cite and get answers from",
  settings: SETTINGS,
  toolsets: TOOLSETS,
  optionalTools: OPTIONAL_TOOLS,
  replacedTools: ["kb_promote", "kb_rollback", "kb_pin", "kb_register_tool", "kb_activate_tool", "kb_deactivate_tool"],
  prevalidated: true,
  commands: { kb: async () => (await import("./commands/kb.js")).kb },
  open: async (settings, host) => (await import("./open.js")).openPack(settings, host),
});
