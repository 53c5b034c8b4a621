import process from "node:process";
import type { Call, PackHost } from "@toolwright/engine";
import { maskValues } from "./mask-environment.js";

/** The server and its process. */
export function serverFacts({ name, version, tools, metrics }: PackHost) {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  return {
    name,
    version,
    node: process.versions.node,
    pid: process.pid,
    uptime_s: Math.round(process.uptime()),
    memory: { rss_bytes: rss, heap_used_bytes: heapUsed, heap_total_bytes: heapTotal },
    tools: tools.length,
    calls_running: metrics.running,
    sessions: metrics.sessions,
  };
}

/** The headers of a call over HTTP, without secrets. */
export function httpFacts({ http }: Pick<Call, "http">, { redaction }: PackHost) {
  if (http === undefined) return { available: false, reason: "This call did not come over HTTP." };
  return { available: true, headers: maskValues(http.headers, redaction) };
}

/** Who calls, as the transport has verified it. */
export function userFacts({ principal, scopes }: Pick<Call, "principal" | "scopes">) {
  if (principal === undefined)
    return { available: false, reason: "Nobody is told apart here: the server asks for no key or token." };
  return { available: true, principal, ...(scopes && { scopes: [...scopes] }) };
}
