import type { Server } from "../server/server.js";
import type { MetricsText } from "./prometheus/write-metrics.js";

/**
 * Writes what a server counts as Prometheus reads it, for hosts that serve it by themselves; `accept` is what the client
 * accepts.
 */
export async function metricsText(server: Server, accept?: string): Promise<MetricsText> {
  const { writeMetrics } = await import("./prometheus/write-metrics.js");
  return writeMetrics(server, accept);
}
