// Serving over HTTP: a server of its own, a handler for other hosts, authentication, sessions, limits and pages.

export {
  type ApiKey,
  type AuthOptions,
  hashApiKey,
  type Identity,
  type IntrospectionOptions,
  type RequestHead,
} from "./transports/http/auth/options.js";
export { createFetchHandler, type FetchContext, type FetchHandler } from "./transports/http/fetch-handler.js";
export {
  DEFAULT_HTTP_LIMITS,
  type EndpointOptions,
  type HttpLimits,
  type HttpRateLimit,
} from "./transports/http/options.js";
export type { PageEventStream, PageRequest, PageResponse, PageStreamWriter, Pages } from "./transports/http/pages.js";
export {
  type CredentialUpdate,
  type HttpOptions,
  type RunningHttpServer,
  serveHttp,
  type TlsOptions,
} from "./transports/http/serve-http.js";
export type { SessionRecord, SessionStore, StreamEvent } from "./transports/http/session-manager.js";
