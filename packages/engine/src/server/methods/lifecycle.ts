import type { JsonObject } from "../../jsonrpc/json.js";
import { NOT_KEPT } from "../../protocol/outcome.js";
import { TASKS_EXTENSION, UI_EXTENSION } from "../../revisions/meta-keys.js";
import type { Revision } from "../../revisions/revision.js";
import { versionsOf } from "../../revisions/select.js";
import type { Core } from "../core.js";
import { hasCompletions, hasPrompts, hasResources, hasTools } from "./features.js";
import type { QuickMethod } from "./method.js";

/** `initialize`: the revision was agreed on before; this writes the answer down. */
export const initialize: QuickMethod = {
  answer({ core, revision, link, caller }) {
    link.session.revision = revision;
    link.session.caller = caller;
    const { info } = core.settings;
    const body = {
      protocolVersion: revision.version,
      ...offer(core, revision),
      serverInfo: revision.writeImplementation(info),
    };
    return { kind: "plain", body };
  },
};

/** `ping` */
export const ping: QuickMethod = {
  answer: () => ({ kind: "text", body: "{}" }),
};

/** `server/discover` */
export const discover: QuickMethod = {
  answer({ core, revision }) {
    const body = { supportedVersions: versionsOf(core.settings.revisions), ...offer(core, revision) };
    return { kind: "plain", body, cache: NOT_KEPT };
  },
};

function offer(core: Core, revision: Revision): JsonObject {
  const { instructions, dynamic: listChanged } = core.settings;
  const capabilities: JsonObject = { logging: {} };
  if (hasTools(core)) capabilities["tools"] = { listChanged };
  if (hasResources(core)) capabilities["resources"] = { subscribe: true, listChanged };
  if (hasPrompts(core)) capabilities["prompts"] = { listChanged };
  if (hasCompletions(core)) capabilities["completions"] = {};
  const extensions: JsonObject = {};
  if (core.registry.all.entries.some(({ tool }) => tool.ui !== undefined)) extensions[UI_EXTENSION] = {};
  if (core.settings.tasks !== undefined) extensions[TASKS_EXTENSION] = {};
  if (Object.keys(extensions).length > 0) capabilities["extensions"] = extensions;
  return {
    capabilities: revision.writeCapabilities(capabilities),
    ...(instructions !== undefined && { instructions }),
  };
}
