import type { Layer } from "../server/layers/layer.js";
import type { AuditOptions } from "./audit/options.js";
import { createLazyLayer } from "./lazy-layer.js";
import { findTelemetry } from "./telemetry/global.js";
import type { TelemetryOptions } from "./telemetry/options.js";

/**
 * A layer that writes a line for each tool call to a file: who called what, when, and what came of it; of the arguments only a
 * digest. Put it outermost.
 */
export function audit(options: AuditOptions): Layer {
  return createLazyLayer("the audit log", async (host) => {
    const { openAudit } = await import("./audit/audit.js");
    return openAudit(options, host);
  });
}

const tracing = new WeakSet<Layer>();

/**
 * A layer that makes a span of each request and measures it, through the OpenTelemetry API that the process has loaded. Servers
 * have one unless `telemetry: false` says no; this is for options.
 */
export function telemetry(options: TelemetryOptions = {}): Layer {
  const layer = createLazyLayer("telemetry", async (host) => {
    const api = findTelemetry();
    if (api === undefined) return false;
    const { openTelemetry } = await import("./telemetry/telemetry.js");
    return openTelemetry(api, options, host);
  });
  tracing.add(layer);
  return layer;
}

/** Whether a layer is one that `telemetry` made. */
export const isTelemetry = (layer: Layer): boolean => tracing.has(layer);
