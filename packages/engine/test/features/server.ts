import { createServer, type LogEntry, type Server, type ServerOptions, type Tool } from "@toolwright/engine";

/** A server for one test. Its log goes into `entries`, where a test gives some. */
export function serverWith(
  tools: readonly Tool[],
  options: Partial<ServerOptions> = {},
  entries: LogEntry[] = [],
): Server {
  return createServer({ name: "test", version: "1.0.0", log: (entry) => void entries.push(entry), tools, ...options });
}
