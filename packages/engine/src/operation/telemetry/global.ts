import type { ContextStore, MeterProvider, Propagator, TracerProvider } from "./api.js";

/** What a process has registered with `@opentelemetry/api`, version 1, as far as it is used here. */
export interface TelemetryApi {
  readonly trace?: TracerProvider;
  readonly metrics?: MeterProvider;
  readonly context?: ContextStore;
  readonly propagation?: Propagator;
}

/** Where every copy of that package looks for what was registered: nothing has to be imported, and nothing is loaded. */
const KEY = Symbol.for("opentelemetry.js.api.1");

/** What is there of OpenTelemetry in this process; undefined where nobody wants spans or metrics. */
export function findTelemetry(): TelemetryApi | undefined {
  const api = (globalThis as { readonly [KEY]?: TelemetryApi })[KEY];
  return api?.trace === undefined && api?.metrics === undefined ? undefined : api;
}
