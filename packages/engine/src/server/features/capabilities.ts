import { invalidParams } from "../../jsonrpc/errors.js";
import type { JsonObject } from "../../jsonrpc/messages.js";
import { NO_CACHE } from "../../protocol/outcome.js";
import type { Caller } from "../../protocol/types.js";
import { isLogLevel, LOG_LEVELS } from "../../protocol/types.js";
import { TASKS_EXTENSION, UI_EXTENSION } from "../../revisions/meta-keys.js";
import { versionsOf } from "../../revisions/negotiation.js";
import type { Revision } from "../../revisions/revision.js";
import type { Completers } from "../definitions/completion.js";
import { parsedBytes } from "../limits/kept-bytes.js";
import type { Method } from "../method.js";
import type { ServerState } from "../state.js";
import { hasTools } from "./tools.js";

/** Whether a server has resources. */
export const hasResources = ({ declared }: ServerState): boolean => declared.has("resources");

/** Whether a server has prompts. */
export const hasPrompts = ({ declared }: ServerState): boolean => declared.has("prompts");

/** Whether a server has completions. */
export const hasCompletions = ({ registry, settings, declared }: ServerState): boolean =>
  settings.features.has("completions") &&
  // Definitions with completions may be added later, and capabilities are declared once.
  ((settings.dynamic && (declared.has("prompts") || declared.has("resources"))) ||
    registry.prompts.entries.some(hasCompleters) ||
    registry.templates.entries.some(hasCompleters));

const hasLogging = ({ settings }: ServerState): boolean => settings.features.has("logging");

const hasCompleters = ({ completers }: { readonly completers: Completers }): boolean =>
  Object.keys(completers).length > 0;

/** What a session takes in memory, besides what the client says about itself. */
const SESSION_BYTES = 4096;

const callerBytes = ({ info, capabilities }: Caller): number =>
  parsedBytes(JSON.stringify(info)) + parsedBytes(JSON.stringify(capabilities));

/** `initialize`: the revision was negotiated in `handshake.ts`; this records it and writes the result. */
export const initialize: Method = {
  handle({ state, revision, connection, caller }) {
    connection.session.keepUntilEnd(state.kept.hold(connection, SESSION_BYTES + callerBytes(caller)));
    connection.session.revision = revision;
    connection.session.caller = caller;
    const { info } = state.settings;
    const body = {
      protocolVersion: revision.version,
      ...describeServer(state, revision),
      serverInfo: revision.writeImplementation(info),
    };
    return { kind: "plain", body };
  },
};

/** `ping` */
export const ping: Method = {
  handle: () => ({ kind: "text", body: "{}" }),
};

/** `server/discover` */
export const discover: Method = {
  handle({ state, revision }) {
    const body = { supportedVersions: versionsOf(state.settings.revisions), ...describeServer(state, revision) };
    return { kind: "plain", body, cache: NO_CACHE };
  },
};

function describeServer(state: ServerState, revision: Revision): JsonObject {
  const { instructions, dynamic: listChanged } = state.settings;
  const capabilities: JsonObject = hasLogging(state) ? { logging: {} } : {};
  if (hasTools(state)) capabilities["tools"] = { listChanged };
  if (hasResources(state)) capabilities["resources"] = { subscribe: true, listChanged };
  if (hasPrompts(state)) capabilities["prompts"] = { listChanged };
  if (hasCompletions(state)) capabilities["completions"] = {};
  const extensions: JsonObject = {};
  if (state.registry.all.entries.some(({ tool }) => tool.ui !== undefined)) extensions[UI_EXTENSION] = {};
  if (state.settings.tasks !== undefined) extensions[TASKS_EXTENSION] = {};
  if (Object.keys(extensions).length > 0) capabilities["extensions"] = extensions;
  return {
    capabilities: state.settings.capabilities ?? revision.writeCapabilities(capabilities),
    ...(instructions !== undefined && { instructions }),
  };
}

/** `logging/setLevel`: applies to the session. */
export const setLevel: Method = {
  isOffered: hasLogging,
  handle({ request, connection, caller }) {
    const level = request.params?.["level"];
    if (!isLogLevel(level)) throw invalidParams(`Invalid params: level must be one of ${LOG_LEVELS.join(", ")}`);
    const { session } = connection;
    session.caller = { ...(session.caller ?? caller), logLevel: level };
    session.logLevel = level;
    return { kind: "text", body: "{}" };
  },
};
