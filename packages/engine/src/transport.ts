// What the author of a transport or of a host needs: connections, streams, the connection in memory, child processes.

export { parseError } from "./jsonrpc/errors.js";
export { type Child, type ChildOptions, spawnChild } from "./processes/child-processes.js";
export type {
  Negotiated,
  Rejection,
  ServedRevision,
  SessionOptions,
  TransportConnection,
  TransportSession,
} from "./server/connection.js";
export { type MemoryConnection, openMemoryConnection } from "./transports/memory.js";
export { guardStdio } from "./transports/stdio/serve-stdio.js";
export type { StartupGuard } from "./transports/stdio/stdio-guard.js";
export { type Streams, serveStreams } from "./transports/streams.js";
