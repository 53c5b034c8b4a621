import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY, TASKS_EXTENSION, VERSION_KEY } from "../revisions/meta-keys.js";
import { REVISIONS } from "../revisions/select.js";
import type { SpokenRevision } from "./channel.js";

/** Who speaks, and what it can do. */
export interface Speaker {
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  /** The least severe log line that stateless requests want to hear of; undefined = none. */
  readonly logLevel?: string | undefined;
}

/** Every revision, newest first. */
export const SPOKEN: readonly SpokenRevision[] = REVISIONS.map(({ version, handshake }) => ({ version, handshake }));

/** What servers of the older era are asked for. */
export const NEWEST_HANDSHAKE = SPOKEN.find(({ handshake }) => handshake) as SpokenRevision;

/** The revision of this version; throws where there is none. */
export function revisionOf(version: string | undefined): SpokenRevision {
  const found = version === undefined ? SPOKEN[0] : SPOKEN.find((revision) => revision.version === version);
  if (found === undefined) throw new TypeError(`Cannot connect: revision ${version} is unknown`);
  return found;
}

/** The params of a request as the revision wants them: one that stands alone says who asks. */
export function dress(params: JsonObject, { version, handshake }: SpokenRevision, speaker: Speaker): JsonObject {
  if (handshake) return params;
  const { info, capabilities, logLevel } = speaker;
  const own: JsonObject = {
    [VERSION_KEY]: version,
    [CAPABILITIES_KEY]: capabilities,
    [CLIENT_KEY]: info,
    ...(logLevel !== undefined && { [LOG_LEVEL_KEY]: logLevel }),
  };
  return { ...params, _meta: { ...own, ...(params["_meta"] as JsonObject | undefined) } };
}

/** The params of `initialize`. */
export const introduce = (version: string, { info, capabilities }: Speaker): JsonObject => ({
  protocolVersion: version,
  capabilities,
  clientInfo: info,
});

/** The same speaker, who also follows tasks that the server decides on. */
export function followingTasks(speaker: Speaker): Speaker {
  const { extensions } = speaker.capabilities;
  const more = { ...(isObject(extensions) && extensions), [TASKS_EXTENSION]: {} };
  return { ...speaker, capabilities: { ...speaker.capabilities, extensions: more } };
}
