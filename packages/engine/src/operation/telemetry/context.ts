import type { LayerRequest } from "../../server/layers/layer.js";
import type { Context, Span } from "./api.js";
import type { TelemetryApi } from "./global.js";

/** Where every copy of the API keeps the span that is in force. */
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");

/** A context of our own, for processes that have registered nothing that keeps one. */
class PlainContext implements Context {
  readonly #values: ReadonlyMap<symbol, unknown>;

  constructor(values: ReadonlyMap<symbol, unknown>) {
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.get(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new PlainContext(new Map([...this.#values, [key, value]]));
  }

  deleteValue(key: symbol): Context {
    return new PlainContext(new Map([...this.#values].filter(([known]) => known !== key)));
  }
}

const NOTHING = new PlainContext(new Map());

/** The context that is in force. */
export const ambientContext = (api: TelemetryApi): Context => api.context?.active() ?? NOTHING;

/** The span of a context, if it has one. */
export const spanOf = (context: Context): Span | undefined => context.getValue(SPAN_KEY) as Span | undefined;

/** The same context with another span. */
export const withSpan = (context: Context, span: Span | undefined): Context =>
  span === undefined ? context : context.setValue(SPAN_KEY, span);

/** The context that a client says its request stands in; the ambient one where it says nothing. */
export function callerContext(api: TelemetryApi, request: LayerRequest, ambient: Context): Context {
  return api.propagation?.extract(ambient, request, carried) ?? ambient;
}

/** How propagators read `_meta`: texts under any name, and those of W3C only as far as they are well formed. */
const carried = {
  keys: ({ params }: LayerRequest): string[] => Object.keys(params["_meta"] ?? {}),
  get: ({ params, trace }: LayerRequest, key: string): string | undefined => {
    if (key === "traceparent" || key === "tracestate" || key === "baggage") return trace?.[key];
    const meta = params["_meta"] ?? {};
    const value: unknown = Object.hasOwn(meta as object, key) ? (meta as Record<string, unknown>)[key] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};
