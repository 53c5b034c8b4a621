import type { JsonObject } from "../../jsonrpc/json.js";
import { versionsOf } from "../../revisions/select.js";
import type { Core } from "../core.js";
import type { Method } from "./method.js";
import { callTool } from "./tools.js";

/** `initialize`: the revision was agreed on before; this writes the answer down. */
export const initialize: Method = {
  run({ core, revision, link, caller }) {
    link.session.revision = revision;
    link.session.caller = caller;
    const { info } = core.settings;
    const body = { protocolVersion: revision.version, ...offer(core), serverInfo: revision.writeImplementation(info) };
    return { kind: "plain", body };
  },
};

/** `ping` */
export const ping: Method = {
  run: () => ({ kind: "text", body: "{}" }),
};

/** `server/discover` */
export const discover: Method = {
  run({ core }) {
    const body = { supportedVersions: versionsOf(core.settings.revisions), ...offer(core) };
    return { kind: "plain", body, cache: { ttlMs: 0, scope: "private" } };
  },
};

function offer(core: Core): JsonObject {
  const { instructions, dynamic } = core.settings;
  const capabilities: JsonObject = { logging: {} };
  if (callTool.isOffered?.(core)) capabilities["tools"] = { listChanged: dynamic };
  return { capabilities, ...(instructions !== undefined && { instructions }) };
}
