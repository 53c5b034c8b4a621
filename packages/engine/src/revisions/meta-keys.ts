const PREFIX = "io.modelcontextprotocol/";

/** The `_meta` key whose presence makes a request stand alone. */
export const VERSION_KEY = `${PREFIX}protocolVersion`;

/** The `_meta` key of what the client can do. */
export const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;

/** The `_meta` key of who the client is. */
export const CLIENT_KEY = `${PREFIX}clientInfo`;

/** The `_meta` key of the log lines that a request wants to hear of. */
export const LOG_LEVEL_KEY = `${PREFIX}logLevel`;

/** The `_meta` key that names the server in a result. */
export const SERVER_KEY = `${PREFIX}serverInfo`;

/** The `_meta` key that ties a message to the `subscriptions/listen` request it belongs to. */
export const SUBSCRIPTION_KEY = `${PREFIX}subscriptionId`;

/** The `_meta` key that ties a message to the task it belongs to. */
export const RELATED_TASK_KEY = `${PREFIX}related-task`;

/** The name of the extension in which the stateless revision has tasks. */
export const TASKS_EXTENSION = `${PREFIX}tasks`;

/** The name of the extension for tools with a user interface. */
export const UI_EXTENSION = `${PREFIX}ui`;
