/** The values of attributes that are used here. */
export type Attributes = Record<string, string>;

/** What travels along with a request inside the process. */
export interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
  deleteValue(key: symbol): Context;
}

/** Keeps the context that is in force. */
export interface ContextStore {
  active(): Context;
  with<Value>(context: Context, deed: () => Value): Value;
}

/** What identifies a span elsewhere. */
interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** One stretch of work in a trace. */
export interface Span {
  spanContext(): SpanContext;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** Makes spans. */
export interface Tracer {
  startSpan(
    name: string,
    options: {
      readonly kind: number;
      readonly attributes: Attributes;
      readonly links: { readonly context: SpanContext }[];
    },
    context: Context,
  ): Span;
}

/** Gives tracers by name. */
export interface TracerProvider {
  getTracer(name: string, version?: string): Tracer;
}

/** Counts values into buckets. */
export interface Histogram {
  record(value: number, attributes: Attributes, context?: Context): void;
}

/** Gives instruments by name. */
export interface MeterProvider {
  getMeter(
    name: string,
    version?: string,
  ): {
    createHistogram(
      name: string,
      options: {
        readonly unit: string;
        readonly description: string;
        readonly advice: { readonly explicitBucketBoundaries: number[] };
      },
    ): Histogram;
  };
}

/** Reads from what a client sent where its request stands in a trace. */
export interface Propagator {
  extract<Carrier>(
    context: Context,
    carrier: Carrier,
    getter: { keys(carrier: Carrier): string[]; get(carrier: Carrier, key: string): string | undefined },
  ): Context;
}
