/** What `telemetry` takes. */
export interface TelemetryOptions {
  /** Puts arguments and results of tools into spans, without secrets; off by default. */
  readonly recordContent?: boolean;
}
