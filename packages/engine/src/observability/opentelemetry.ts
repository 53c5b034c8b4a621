import type {
  Attributes,
  Context,
  ContextManager,
  Histogram,
  MeterProvider,
  Span,
  SpanKind,
  SpanStatusCode,
  TextMapPropagator,
  TracerProvider,
} from "@opentelemetry/api";
import type { Outcome } from "../protocol/outcome.js";
import { DURATION_BUCKET_BOUNDARIES } from "../server/limits/metrics.js";
import type { Middleware, MiddlewareHost, MiddlewareRequest } from "../server/middleware.js";
import { monotonicNow } from "../server/runtime.js";
import { observeOutcome, type RequestOutcome, type TelemetryOptions } from "./middleware.js";

/** What a process has registered with `@opentelemetry/api`, version 1. The package itself is never loaded. */
export interface OpenTelemetryApi {
  readonly trace?: TracerProvider;
  readonly metrics?: MeterProvider;
  readonly context?: ContextManager;
  readonly propagation?: TextMapPropagator;
}

const INSTRUMENTATION_SCOPE = "@toolwright/engine";

// Constants of the API, version 1. Importing its enums would load the package.
// oxlint-disable-next-line no-unsafe-enum-assignment
const SPAN_KIND_SERVER: SpanKind.SERVER = 1;
// oxlint-disable-next-line no-unsafe-enum-assignment
const STATUS_ERROR: SpanStatusCode.ERROR = 2;
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");

/** The longest arguments and results that are added to spans, in characters. */
const MAX_CONTENT_LENGTH = 16_384;

/** Creates middleware that traces and measures requests by the semantic conventions for MCP. */
export function createTelemetryMiddleware(
  api: OpenTelemetryApi,
  options: TelemetryOptions,
  host: MiddlewareHost,
): Middleware {
  const tracer = api.trace?.getTracer(INSTRUMENTATION_SCOPE);
  const createHistogram = (name: string, description: string): Histogram | undefined =>
    api.metrics?.getMeter(INSTRUMENTATION_SCOPE).createHistogram(name, {
      unit: "s",
      description,
      advice: { explicitBucketBoundaries: [...DURATION_BUCKET_BOUNDARIES] },
    });
  const operationDuration = createHistogram("mcp.server.operation.duration", "Duration of requests.");
  const sessionDuration = createHistogram("mcp.server.session.duration", "Duration of sessions.");
  host.onSessionEnd(({ revision, durationMs }) =>
    sessionDuration?.record(durationMs / 1000, { "mcp.protocol.version": revision }),
  );
  const { context: contextManager, propagation } = api;
  const recordsContent = options.recordContent === true;
  return (request, next) => {
    const startedAt = monotonicNow();
    const { spanName, metricAttributes, spanAttributes } = describeRequest(request, host);
    if (recordsContent) Object.assign(spanAttributes, argumentAttributes(request, host));
    // Without a context manager there is no context, and every span is a root.
    const active = contextManager?.active();
    const parent = active && (propagation?.extract(active, request, metaGetter) ?? active);
    // The client's span is the parent. The span of the transport, such as that of the HTTP request, is then linked.
    const transportSpan = getSpan(active);
    const links = transportSpan && getSpan(parent) !== transportSpan ? [{ context: transportSpan.spanContext() }] : [];
    const span = tracer?.startSpan(spanName, { kind: SPAN_KIND_SERVER, attributes: spanAttributes, links }, parent);
    const context = span === undefined ? parent : parent?.setValue(SPAN_KEY, span);
    const run = contextManager && context ? () => contextManager.with(context, next) : next;
    return observeOutcome(request.method, run, (ended, outcome) => {
      const errors = errorAttributes(ended);
      operationDuration?.record((monotonicNow() - startedAt) / 1000, { ...metricAttributes, ...errors }, context);
      if (span === undefined) return;
      span.setAttributes(recordsContent ? { ...errors, ...resultAttributes(outcome, host) } : errors);
      const status = ended.message === undefined ? ended.code : host.redaction.text(ended.message);
      if (ended.outcome !== "ok")
        span.setStatus({ code: STATUS_ERROR, ...(status !== undefined && { message: status }) });
      span.end();
    });
  };
}

const getSpan = (context: Context | undefined): Span | undefined => context?.getValue(SPAN_KEY) as Span | undefined;

/** How propagators read `_meta`: any string, and the W3C values only if they are well-formed. */
const metaGetter = {
  keys: ({ params }: MiddlewareRequest): string[] => Object.keys(params["_meta"] ?? {}),
  get: ({ params, trace }: MiddlewareRequest, key: string): string | undefined => {
    if (key === "traceparent" || key === "tracestate" || key === "baggage") return trace?.[key];
    const meta = params["_meta"] ?? {};
    const value: unknown = Object.hasOwn(meta as object, key) ? (meta as Record<string, unknown>)[key] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};

/** The attributes of each transport. */
const NETWORK_ATTRIBUTES: Readonly<Record<string, Attributes>> = {
  stdio: { "network.transport": "pipe" },
  unix: { "network.transport": "unix" },
  http: { "network.transport": "tcp", "network.protocol.name": "http" },
  sse: { "network.transport": "tcp", "network.protocol.name": "http" },
  websocket: { "network.transport": "tcp", "network.protocol.name": "websocket" },
};

interface RequestDescription {
  readonly spanName: string;
  /** Attributes with few different values, which metrics have too. */
  readonly metricAttributes: Attributes;
  readonly spanAttributes: Attributes;
}

function describeRequest(request: MiddlewareRequest, host: MiddlewareHost): RequestDescription {
  const { id, method, revision, transport, sessionId } = request;
  const { name, attributes } = describeTarget(request, host);
  const metricAttributes: Attributes = {
    "mcp.method.name": method,
    "mcp.protocol.version": revision,
    ...(method === "tools/call" && { "gen_ai.operation.name": "execute_tool" }),
    ...(name !== undefined && attributes),
    ...NETWORK_ATTRIBUTES[transport],
  };
  const spanAttributes: Attributes = {
    ...metricAttributes,
    ...attributes,
    "jsonrpc.request.id": String(id),
    ...(sessionId !== undefined && { "mcp.session.id": sessionId }),
  };
  return { spanName: name === undefined ? method : `${method} ${name}`, metricAttributes, spanAttributes };
}

/** Describes the tool, prompt or resource. Only registered names are used in span names and metrics: clients can send any name. */
function describeTarget(
  { method, name, params }: MiddlewareRequest,
  host: MiddlewareHost,
): { readonly name?: string | undefined; readonly attributes: Attributes } {
  if (name === undefined) return { attributes: {} };
  if (method === "tools/call" || method === "prompts/get") {
    const kind = method === "tools/call" ? "tool" : "prompt";
    return { name: host.has(kind, name) ? name : undefined, attributes: { [`gen_ai.${kind}.name`]: name } };
  }
  return { attributes: params["uri"] === name ? { "mcp.resource.uri": host.redaction.text(name) } : {} };
}

function errorAttributes({ outcome, code }: RequestOutcome): Attributes {
  if (outcome === "ok") return {};
  if (outcome === "failed") return { "error.type": "tool_error" };
  if (outcome === "cancelled" || code === undefined) return { "error.type": outcome };
  return { "error.type": code, "rpc.response.status_code": code };
}

function argumentAttributes({ method, params }: MiddlewareRequest, host: MiddlewareHost): Attributes {
  if (method !== "tools/call") return {};
  return { "gen_ai.tool.call.arguments": host.redaction.json(params["arguments"] ?? {}).slice(0, MAX_CONTENT_LENGTH) };
}

function resultAttributes(outcome: Outcome | undefined, host: MiddlewareHost): Attributes {
  if (outcome?.kind !== "tool" || outcome.result.isError) return {};
  const { structured, content } = outcome.result;
  const value: unknown = structured === undefined ? content : JSON.parse(structured);
  return { "gen_ai.tool.call.result": host.redaction.json(value).slice(0, MAX_CONTENT_LENGTH) };
}
