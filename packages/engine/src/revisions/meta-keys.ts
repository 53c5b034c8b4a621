import type { Implementation } from "../protocol/types.js";

const PREFIX = "io.modelcontextprotocol/";

/** The `_meta` key of the protocol version; a request that has it is stateless. */
export const PROTOCOL_VERSION_KEY = `${PREFIX}protocolVersion`;

/** The `_meta` key of the client capabilities. */
export const CLIENT_CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;

/** The `_meta` key of the name and version of the client. */
export const CLIENT_INFO_KEY = `${PREFIX}clientInfo`;

/** The `_meta` key of the minimum level of the log messages that a request wants. */
export const LOG_LEVEL_KEY = `${PREFIX}logLevel`;

/** The `_meta` key of the name and version of the server. */
export const SERVER_INFO_KEY = `${PREFIX}serverInfo`;

/** The `_meta` key of the `subscriptions/listen` request that a message belongs to. */
export const SUBSCRIPTION_ID_KEY = `${PREFIX}subscriptionId`;

/** The `_meta` key of the task that a message belongs to. */
export const RELATED_TASK_KEY = `${PREFIX}related-task`;

/** The name of the tasks extension of the stateless revision. */
export const TASKS_EXTENSION = `${PREFIX}tasks`;

/** The name of the extension for tools with a user interface. */
export const UI_EXTENSION = `${PREFIX}ui`;

/** Encodes the `_meta` member that names the server. Done once per server. */
export function encodeServerInfo(info: Implementation): string {
  return `"${SERVER_INFO_KEY}":${JSON.stringify(info)}`;
}
