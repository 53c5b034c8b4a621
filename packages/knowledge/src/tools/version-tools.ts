import { type JsonObject, type PackHost, type Tool, tool } from "@toolwright/engine";
import { UPDATE } from "@toolwright/kit/pack";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { COLLECTION, VERSION } from "./schemas.js";

/** The tools that switch versions and manage bound tools, and the tools that they replace. */
export const versionTools = (
  context: KnowledgeContext,
  host: Pick<PackHost, "tools">,
  boundTools: BoundTools,
): readonly Tool[] => [
  switchVersion(context),
  switchVersion(context, "kb_promote", (input) => ({ ...input, action: "promote" })),
  switchVersion(context, "kb_rollback", (input) => ({ ...input, action: "rollback" })),
  switchVersion(context, "kb_pin", ({ unpin, ...input }) => ({ ...input, action: unpin === true ? "unpin" : "pin" })),
  manageTool(context, host, boundTools),
  manageTool(context, host, boundTools, "kb_register_tool", (input) => ({ ...input, action: "register" })),
  manageTool(context, host, boundTools, "kb_activate_tool", (input) => ({ ...input, action: "activate" })),
  manageTool(context, host, boundTools, "kb_deactivate_tool", ({ forget, ...input }) => ({
    ...input,
    action: forget === true ? "forget" : "deactivate",
  })),
];

/** Rewrites the arguments of a tool that was replaced. */
type Normalize = (input: JsonObject) => JsonObject;

/** A replaced tool has its old name and arguments, and is not listed. */
const replaced = (name: string, replacedBy: string, normalizeInput: Normalize | undefined) =>
  normalizeInput === undefined ? { name } : { name, replacedBy, normalizeInput };

const SWITCH_VERSION = "kb_switch_version";

const switchVersion = (context: KnowledgeContext, name = SWITCH_VERSION, normalize?: Normalize) =>
  tool({
    ...replaced(name, SWITCH_VERSION, normalize),
    title: "Switch the version",
    description:
      "Changes which version of a collection is searched. promote: a version that passes its gates; rollback: the previous version; pin: one version regardless of promotions; unpin.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        collection: COLLECTION,
        action: { enum: ["promote", "rollback", "pin", "unpin"], description: "What to do." },
        version: { ...VERSION, description: "Default: the newest ready, the previous, or the active version." },
        force: { type: "boolean", default: false, description: "promote: ignore failed gates." },
      },
      required: ["collection", "action"],
    },
    annotations: UPDATE,
    async run({ collection, action, version, force }, { signal }) {
      const { pin, promote, rollBack } = await import("../collections/promote.js");
      if (action === "pin") return { ...(await pin(context, collection, version, signal)) };
      if (action === "unpin") return { ...(await pin(context, collection, null, signal)) };
      const done =
        action === "promote"
          ? await promote(context, collection, version, { force, signal })
          : await rollBack(context, collection, version, signal);
      return { ...done, warnings: [...done.warnings] };
    },
  });

const MANAGE_TOOL = "kb_manage_tool";

const manageTool = (
  context: KnowledgeContext,
  host: Pick<PackHost, "tools">,
  boundTools: BoundTools,
  name = MANAGE_TOOL,
  normalize?: Normalize,
) =>
  tool({
    ...replaced(name, MANAGE_TOOL, normalize),
    title: "Manage tools of collections",
    description:
      "Adds a tool that searches one collection, switches it off and on, or deletes it. Clients see the change without a restart.",
    toolset: "collections",
    input: {
      type: "object",
      properties: {
        action: {
          enum: ["register", "activate", "deactivate", "forget"],
          description: "register adds a tool, forget deletes it.",
        },
        name: { type: "string", description: "The name of the tool: letters, digits, _ and -." },
        collection: { ...COLLECTION, description: "register: the collection that the tool searches." },
        version: { ...VERSION, description: "register: a fixed version; default: the active one." },
        operation: { enum: ["search", "answer"], default: "search", description: "register: what the tool does." },
        description: { type: "string", description: "register: when a model should use the tool." },
        defaults: { type: "object", description: "register: default arguments: top_k, mode, filters." },
      },
      required: ["action", "name"],
    },
    annotations: UPDATE,
    async run({ action, collection, ...options }) {
      const { registerTool, switchTool } = await import("../bound-tools/register-tool.js");
      const state =
        action === "register"
          ? await registerTool(context, host, { ...options, collection })
          : await switchTool(context, options.name, action);
      await boundTools.sync(await context.store());
      const warnings =
        boundTools.listError === undefined
          ? []
          : ["This server cannot change its list of tools while it runs. Restart it to see the change."];
      return { ...state, warnings };
    },
  });
