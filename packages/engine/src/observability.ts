// How a server is observed: audit log, OpenTelemetry, metrics for Prometheus, recordings of messages, redaction.

export { type AuditOptions, audit } from "./observability/audit-log.js";
export { type TelemetryOptions, telemetry } from "./observability/middleware.js";
export { type MetricsText, metricsText } from "./observability/prometheus.js";
export {
  dumpRecording,
  type RecordingHandle,
  type RecordingOptions,
  recordTo,
  serializeRecording,
} from "./observability/recording.js";
export type { CallMetrics, CallReport, ServerMetrics } from "./server/limits/metrics.js";
export type { Frame, FrameListener, FrameSource, RecorderOptions } from "./server/logging/frame-recorder.js";
export { createRedaction, type Redaction, type RedactOptions } from "./server/logging/redaction.js";
